//! Sentences about a game in progress: moves, scores and hints.

use krou::engine::{Game, Score, SearchLine, SearchReport, Turn};
use krou::rules::{Bounds, Choices, Feeding, GrandSlam, Next, Player, ROW, Stores};
use krou_answers::Verdict;

use crate::verdict::{ending, range};

/// A move in the game `before`.
pub fn turn(before: &Game, turn: &Turn) -> String {
    let captures = match turn.step.captured {
        0 if is_void(before, turn) => ", a grand slam, which captures nothing".to_owned(),
        0 => String::new(),
        captured => format!(" and captures {captured}"),
    };
    let again = match turn.step.next {
        Next::Again => " and moves again",
        Next::Opponent | Next::Over => "",
    };
    let pit = pit(turn.player, turn.step.pit);
    format!("{} plays {pit}{captures}{again}.", turn.player)
}

/// A pit by its letter and number: `F (5)`.
pub fn pit(player: Player, pit: u8) -> String {
    format!("{} ({})", player.letter(pit), player.first_pit() + pit)
}

/// Whether a move would capture seeds if it did not capture the last ones.
fn is_void(before: &Game, turn: &Turn) -> bool {
    let mut choices = Choices::default();
    choices.grand_slam = Some(GrandSlam::TakesAll);
    let rules = before.rules().with_choices(&choices);
    let step = rules.map(|rules| rules.play(&before.board(), turn.step.pit));
    step.is_ok_and(|step| step.is_ok_and(|step| step.captured > 0))
}

/// A warning about moves that lose every seed on the board as a penalty.
pub fn warning(game: &Game) -> Option<String> {
    let player = game.to_move();
    let rules = game.rules().oware()?;
    let moves = game.moves();
    let starving = moves.legal().filter(|step| {
        let ends = step.next == Next::Over && step.captured == 0;
        ends && rules.feeding == Feeding::Penalty
    });
    let pits: Vec<String> = starving.map(|step| pit(player, step.pit)).collect();
    let other = player.opponent();
    (!pits.is_empty()).then(|| {
        let pits = pits.join(" or ");
        format!("Careful: {pits} leaves {other} no seeds, and {other} would take every seed.")
    })
}

/// The score of both players.
pub fn score(stores: Stores) -> String {
    format!("South {}, North {}", stores.south, stores.north)
}

/// The best move, its value, the principal variation, and how the game ends if that is certain.
pub fn hint(game: &Game, report: &SearchReport) -> String {
    let proven = possible(game, report.proven);
    let is_certain = Verdict::new(game.lead(game.to_move()), proven) != Verdict::Open;
    let certain = is_certain.then(|| sentence(&ending(&game.position(), proven)));
    format!(
        "Hint: {}, value {}. Best line: {}.{}",
        first(game, &report.pv),
        value(game, report.score, report.proven),
        game.letters(&report.pv),
        certain.unwrap_or_default()
    )
}

/// What is proven, and that nobody can take more than the seeds on the board.
fn possible(game: &Game, proven: Bounds) -> Bounds {
    let seeds = game.board().seeds().cast_signed();
    Bounds {
        lower: proven.lower.max(-seeds),
        upper: proven.upper.min(seeds),
    }
}

/// A text as a sentence that follows another one.
fn sentence(text: &str) -> String {
    let (first, rest) = text.split_at(1);
    format!(" {}{rest}.", first.to_uppercase())
}

/// The value of each move, one line each.
pub fn values(game: &Game, lines: &[SearchLine]) -> String {
    let lines = lines.iter().map(|found| {
        let (first, line) = (first(game, &found.pv), game.letters(&found.pv));
        let value = value(game, found.score, found.proven);
        format!("  {first:<7}  {value:<17}  {line}")
    });
    let title = format!(
        "Value of each move for {}, and the best line:",
        game.to_move()
    );
    let lines: Vec<String> = std::iter::once(title).chain(lines).collect();
    lines.join("\n")
}

/// The first pit of a line.
fn first(game: &Game, line: &[u8]) -> String {
    let first = line.first().map(|&first| pit(game.to_move(), first));
    first.unwrap_or_else(|| "?".to_owned())
}

/// A score, and what is proven about it: `+3 (exact)`, `+2.50 (+2 to +4)` or `+2.50 (estimate)`.
fn value(game: &Game, score: Score, proven: Bounds) -> String {
    let proven = possible(game, proven);
    // Wide bounds say little.
    let width = i16::from(proven.upper) - i16::from(proven.lower);
    let says_more = width <= game.board().seeds().into();
    if score.is_exact() {
        format!("{score} (exact)")
    } else if says_more {
        format!("{score} ({})", range(proven))
    } else {
        format!("{score} (estimate)")
    }
}

/// The list of commands.
pub fn help(player: Player) -> String {
    let (first, last) = (player.first_pit(), ROW as u8 - 1);
    let [a, f] = [0, last].map(|pit| player.letter(pit));
    format!(
        "  {a}-{f}     plays that pit; so does its number, {first}-{}
  h       hint: the best move, its value and the best line
  v       values of all moves: seeds you will still capture minus those of
          your opponent
  u       takes back your last move
  s FILE  saves the game; s! FILE overwrites an existing file
  l FILE  loads a game
  ?       this list
  q       quits",
        first + last
    )
}
