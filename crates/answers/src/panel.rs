//! Values in the JSON of lichess' tablebase, for sites that have a panel for it: a category
//! and the plies to the next conversion for the position and each move.

use serde::Serialize;

use crate::board::{BoardAnswer, known};
use crate::error::AnswerError;
use crate::parameter::Parameter;
use crate::probe::{BOARD, BoardParameters, board};
use crate::query::{FromQuery, Query};
use crate::verdict::Verdict;
use krou::engine::Game;
use krou::ogn::squares;
use krou::rules::{Bounds, Next, Player};
use krou::tablebase::{ProbeResult, Tablebase};

const FEN: Parameter =
    Parameter::text("fen", "A position in any notation; '_' stands for a space.")
        .with_example("0-0-0-0-0-1-2-0-0-0-0-1-22-22-S");

/// A board in krou's own form (`board`) or in that of lichess (`fen`: any notation, where `_`
/// stands for a space, as in addresses of lichess).
#[derive(Debug)]
pub enum ShortParameters {
    Board(BoardParameters),
    Panel(PanelParameters),
}

/// A position in the form of lichess.
#[derive(Debug)]
pub struct PanelParameters {
    position: BoardParameters,
    /// The number of the move, where the position is in the notation of squares.
    number: Option<u16>,
}

impl FromQuery for ShortParameters {
    const PARAMETERS: &'static [Parameter] = &[BOARD.optional(), FEN.optional()];

    fn from_query(query: &Query) -> Result<ShortParameters, AnswerError> {
        match (query.given(&BOARD), query.given(&FEN)) {
            (Some(_), Some(_)) => Err(AnswerError::Parameters(
                "'board' and 'fen' are two forms of one answer: give one of them".to_owned(),
            )),
            (_, None) => BoardParameters::from_query(query).map(ShortParameters::Board),
            (None, Some(_)) => PanelParameters::from_query(query).map(ShortParameters::Panel),
        }
    }
}

impl ShortParameters {
    /// The board and its moves from the tables, in the form that was asked for.
    ///
    /// # Errors
    /// If there is no table, or it cannot be read.
    pub fn answer(&self, tables: &Tablebase) -> Result<ShortAnswer, AnswerError> {
        Ok(match self {
            ShortParameters::Board(asked) => {
                ShortAnswer::Board(Box::new(board(tables, &asked.position(tables.rules())?)?))
            }
            ShortParameters::Panel(asked) => ShortAnswer::Panel(asked.answer(tables)?),
        })
    }
}

/// The answer in either form.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ShortAnswer {
    Board(Box<BoardAnswer>),
    Panel(PanelAnswer),
}

impl FromQuery for PanelParameters {
    const PARAMETERS: &'static [Parameter] = &[FEN];

    fn from_query(query: &Query) -> Result<PanelParameters, AnswerError> {
        let text = query.text(&FEN)?.replace('_', " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = match words[..] {
            [rows, _, _, _, number] if rows.contains('/') => number.parse().ok(),
            _ => None,
        };
        Ok(PanelParameters {
            position: BoardParameters::parse(&text)?,
            number,
        })
    }
}

/// A position and its moves in the form of lichess' tablebase.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PanelAnswer {
    #[serde(flatten)]
    position: PanelResult,
    /// Best first, each for the player to move after it.
    moves: Vec<PanelMove>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PanelMove {
    /// The letter of the pit; two squares, where the position is given in squares.
    uci: String,
    /// The letter, and `x` with the seeds that are captured. Panels say *capture* where there is
    /// an `x`.
    san: String,
    /// Whether seeds leave the board, so that the count of plies begins anew.
    zeroing: bool,
    #[serde(flatten)]
    after: PanelResult,
}

/// What a position is worth to the player to move.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(clippy::struct_excessive_bools)] // fields of another's JSON
struct PanelResult {
    category: &'static str,
    /// 2 for a win, 0 for a draw, -2 for a loss.
    wdl: Option<i8>,
    /// Plies to the next conversion, negative if the player loses; 0 in a draw.
    dtz: Option<i16>,
    /// The final lead in seeds.
    net: Option<i8>,
    /// Whether the player has won, or wins and the panel would not show it by `wdl` and `dtz`.
    variant_win: bool,
    /// The same for the opponent.
    variant_loss: bool,
    /// Whether the game is over and drawn.
    stalemate: bool,
    /// Of chess alone, as the next field; panels read both.
    checkmate: bool,
    insufficient_material: bool,
}

impl PanelParameters {
    /// The position and its moves from the tables.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn answer(&self, tables: &Tablebase) -> Result<PanelAnswer, AnswerError> {
        let rules = tables.rules();
        let position = self.position.position(rules)?;
        let game = Game::from_position(rules, position)
            .map_err(|error| AnswerError::Board(error.into()))?;
        let result = known(tables.probe(&position.board))?.ok();
        let moves = tables.moves(&position.board)?;
        Ok(PanelAnswer {
            position: self.result(&game, game.to_move(), &game, result, None),
            moves: moves
                .iter()
                .map(|m| {
                    let mut after = game.clone();
                    // The game may be decided, and the players go on.
                    let _ = after.play(m.step.pit);
                    let player = match m.step.next {
                        Next::Again => game.to_move(),
                        _ => game.to_move().opponent(),
                    };
                    let zeroing = m.step.board.seeds() < position.board.seeds();
                    let letter = game.to_move().letter(m.step.pit);
                    PanelMove {
                        uci: self
                            .number
                            .and_then(|_| squares(&game, m.step.pit))
                            .unwrap_or_else(|| letter.to_string()),
                        san: match m.step.captured {
                            0 if !zeroing => letter.to_string(),
                            0 => format!("{letter}x"),
                            captured => format!("{letter}x{captured}"),
                        },
                        zeroing,
                        after: self.result(&game, player, &after, m.result, Some(zeroing)),
                    }
                })
                .collect(),
        })
    }

    /// What a position is worth to a player. `result` is that of the mover of `before`; `now` is
    /// the position itself or that after a move; `zeroing` says whether the move takes seeds.
    fn result(
        &self,
        before: &Game,
        player: Player,
        now: &Game,
        result: Option<ProbeResult>,
        zeroing: Option<bool>,
    ) -> PanelResult {
        let (rules, mover) = (before.rules(), before.to_move());
        let lead = before.lead(mover);
        let sign = if player == mover { 1 } else { -1 };
        // Where there are bounds, the value alone proves nothing.
        let bounds = result.and_then(|result| {
            let exact = (!rules.has_bounds()).then(|| Bounds::of_value(result.value));
            result.bounds.or(exact)
        });
        let outcome = now.outcome();
        let winner = match (outcome, bounds.map(|bounds| Verdict::new(lead, bounds))) {
            (Some(outcome), _) => Some(match outcome.winner() {
                None => 0,
                Some(winner) if winner == player => 1,
                Some(_) => -1,
            }),
            (None, Some(Verdict::Wins)) => Some(sign),
            (None, Some(Verdict::Loses)) => Some(-sign),
            (None, Some(Verdict::Draws)) => Some(0),
            _ => None,
        };
        let plies = result.and_then(|result| {
            // Who wins the game need not be who wins the seeds on the board.
            let is_theirs = winner == Some(sign * result.value.signum());
            result.distance.filter(|_| is_theirs).map(i16::from)
        });
        // Of a move, plies that a panel would doubt are left out, and the result is told without.
        let is_over = outcome.is_some();
        let plies = plies.filter(|&plies| match zeroing {
            Some(zeroing) => self.shows(if zeroing || is_over { 0 } else { plies }),
            None => true,
        });
        let is_told = is_over || zeroing.is_some() && plies.is_none();
        PanelResult {
            category: match winner {
                Some(1) => "win",
                Some(0) => "draw",
                Some(_) => "loss",
                None => "unknown",
            },
            wdl: winner.map(|winner| 2 * winner),
            dtz: match winner {
                Some(0) => Some(0),
                Some(winner) => plies.map(|plies| i16::from(winner) * plies),
                None => None,
            },
            net: result.map(|result| sign * (lead + result.value)),
            variant_win: winner == Some(1) && is_told,
            variant_loss: winner == Some(-1) && is_told,
            stalemate: is_over && winner == Some(0),
            checkmate: false,
            insufficient_material: false,
        }
    }

    /// Whether a panel believes a win or a loss in so many plies: it takes the number of the move
    /// for the plies since the last capture, and has chess' rule of fifty moves.
    fn shows(&self, plies: i16) -> bool {
        let since = self.number.map_or(0, i32::from);
        since == 0 || i32::from(plies) + since + 1 < 100
    }
}
