//! What a review says: of a position, of a move, and of a whole game. The program prints it, and
//! with the feature `serde` it is the JSON that every front end gives.
//!
//! **A turning point** is a move that changes the winner under best play, stores
//! included. Only winners that are certain count: bounds may tell who wins where they leave open
//! by how much.

use super::game::{Ending, Game, Outcome, Turn};
use super::search::Score;
use super::worth::Worth;
use crate::rules::{Player, Position, Stores};

/// The review of a game.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Review {
    /// The moves in order. The other fields follow from them, and name moves by their places.
    pub moves: Vec<ReviewedMove>,
    /// How well the players played.
    pub players: PlayerReviews,
    /// The moves that gave away most, at most three, in the order of the game.
    pub key_moments: Vec<usize>,
    /// The number of moves that are judged exactly.
    pub exact_moves: usize,
    /// The number of the others.
    pub estimated_moves: usize,
    /// The first move that gave away most.
    pub worst: Option<usize>,
}

impl Review {
    /// The review of a game with these moves.
    pub fn new(moves: Vec<ReviewedMove>) -> Review {
        let exact_moves = moves.iter().filter(|m| m.is_exact()).count();
        let key_moments = key_moments(&moves);
        let given_away = |&place: &usize| moves[place].given_away();
        Review {
            players: PlayerReviews::of(&moves),
            worst: key_moments.iter().rev().copied().max_by_key(given_away),
            key_moments,
            exact_moves,
            estimated_moves: moves.len() - exact_moves,
            moves,
        }
    }

    /// The moves that change the winner, by their places.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> {
        let moves = self.moves.iter().enumerate();
        moves.filter_map(|(place, m)| m.is_turning_point().then_some(place))
    }
}

fn key_moments(moves: &[ReviewedMove]) -> Vec<usize> {
    const MOST: usize = 3;
    let mut places: Vec<usize> = (0..moves.len()).collect();
    places.retain(|&place| moves[place].given_away() > 0);
    places.sort_by_key(|&place| -moves[place].given_away());
    places.truncate(MOST);
    places.sort_unstable();
    places
}

/// A position with its review.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReviewedPosition {
    /// The result of the game under best play from here on.
    pub forecast: Forecast,
    /// The principal variation, at most 12 plies, in the letters of [`Record::letters`](super::Record::letters);
    /// empty if the game is over.
    pub pv: String,
    /// Depth of the search in plies; 0 if the tables alone knew the position.
    pub depth: u8,
}

/// A move with its review.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ReviewedMove {
    /// Its number in the notation of games.
    pub number: usize,
    /// Its number with its letter, such as `2. C`.
    pub name: String,
    /// The position before it.
    pub position: Position,
    /// The move.
    pub turn: Turn,
    /// Why the game is over after the move, unless it was over before for that reason.
    pub ending: Option<Ending>,
    /// The score of the best move, for the player who moved.
    pub best: Score,
    /// The score of the played move, captures included.
    pub played: Score,
    /// The principal variation before the move, at most 12 plies, in the letters of
    /// [`Record::letters`](super::Record::letters).
    pub pv: String,
    /// The result of the game under best play from before the move on.
    pub before: Forecast,
    /// The result of the game under best play from after the move on.
    pub after: Forecast,
    /// Depth of the search before the move in plies; 0 if the tables alone knew.
    pub depth: u8,
    /// The number of legal moves.
    pub choices: u8,
    /// Whether the tables prove that only one of several moves keeps the value.
    pub has_only_move: bool,
}

/// The result of a game under best play from some position on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forecast {
    hundredths: i16,
    exact: bool,
    /// Whether a player has a majority already, or the bounds leave one result.
    decided: bool,
}

/// How well a player played a game. Moves without a choice count only in `moves`.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlayerReview {
    /// Number of moves.
    pub moves: usize,
    /// Moves where there was a choice.
    pub choices: usize,
    /// The mean [accuracy](ReviewedMove::accuracy) in per cent, with one decimal.
    pub accuracy: Option<f64>,
    /// The seeds that a move gave away, on average, with two decimals.
    pub average_loss: Option<f64>,
    /// Moves where only one of several kept the value, proved by the tables.
    pub only_moves: usize,
    /// The player found it.
    pub only_moves_found: usize,
}

impl Forecast {
    /// The rest of the game `from` a position is worth `rest` to its mover; `at` is that
    /// position or the one after the move.
    pub(super) fn new(from: &Game, rest: Worth, at: &Game) -> Forecast {
        let ending = at.outcome().map(|outcome| outcome.ending);
        let score = rest.score;
        Forecast {
            hundredths: 100 * lead(from.stores()) + sign(from.to_move()) * score.hundredths(),
            exact: rest.is_decided(from),
            decided: matches!(ending, Some(Ending::Majority(_))) || rest.result(from).is_some(),
        }
    }

    pub(super) fn of_end(outcome: Outcome) -> Forecast {
        Forecast {
            hundredths: 100 * lead(outcome.stores),
            exact: true,
            decided: true,
        }
    }

    /// South's final seeds minus North's, in hundredths.
    pub fn hundredths(self) -> i16 {
        self.hundredths
    }

    /// South's final seeds minus North's.
    pub fn seeds(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }

    /// Whether the seeds are a value whose bounds decide the result.
    pub fn is_exact(self) -> bool {
        self.exact
    }

    /// Whether the winner is certain: the result is exact, its bounds leave one winner, or a
    /// player has a majority.
    pub fn has_certain_winner(self) -> bool {
        self.exact || self.decided
    }

    /// The winner; `None` for a draw.
    pub fn winner(self) -> Option<Player> {
        match self.hundredths {
            0 => None,
            1.. => Some(Player::South),
            _ => Some(Player::North),
        }
    }

    /// Who wins, or `draw`, as programs write it; `None` if that is not certain.
    pub fn certain_winner(self) -> Option<&'static str> {
        let winner = self.winner().map_or("draw", Player::as_str);
        self.has_certain_winner().then_some(winner)
    }
}

impl ReviewedMove {
    /// What the move gave away, in hundredths of a seed; never negative.
    pub fn given_away(&self) -> i16 {
        self.best.hundredths() - self.played.hundredths()
    }

    /// The same in seeds.
    pub fn seeds_given_away(&self) -> f64 {
        f64::from(self.given_away()) / 100.0
    }

    /// How near the move is to the best one, in per cent: 100 if it gave nothing away, and
    /// half as much for every four seeds that it gave away.
    pub fn accuracy(&self) -> f64 {
        const HALF: f64 = 400.0;
        100.0 * (-f64::from(self.given_away()) / HALF).exp2()
    }

    /// Whether the results of both the best and the played move are exact.
    pub fn is_exact(&self) -> bool {
        self.before.is_exact() && self.after.is_exact()
    }

    /// Whether the move changes the winner under best play. It is false if either winner
    /// is not certain.
    pub fn is_turning_point(&self) -> bool {
        let known = self.before.has_certain_winner() && self.after.has_certain_winner();
        known && self.before.winner() != self.after.winner()
    }
}

impl PlayerReview {
    /// The review of one player's moves.
    fn of(player: Player, moves: &[ReviewedMove]) -> PlayerReview {
        let own: Vec<_> = moves.iter().filter(|m| m.turn.player == player).collect();
        let chosen = || own.iter().filter(|m| m.choices > 1);
        let only_moves = || own.iter().filter(|m| m.has_only_move);
        let choices = chosen().count();
        // A game has at most some thousand moves.
        #[allow(clippy::cast_precision_loss)]
        let mean = |sum: f64| (choices > 0).then(|| sum / choices as f64);
        let loss = mean(chosen().map(|m| f64::from(m.given_away())).sum());
        let accuracy = mean(chosen().map(|m| m.accuracy()).sum());
        PlayerReview {
            moves: own.len(),
            choices,
            accuracy: accuracy.map(|percent| (10.0 * percent).round() / 10.0),
            average_loss: loss.map(|hundredths| hundredths.round() / 100.0),
            only_moves: only_moves().count(),
            only_moves_found: only_moves().filter(|m| m.given_away() == 0).count(),
        }
    }
}

/// The reviews of both players.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct PlayerReviews {
    /// How well South played.
    pub south: PlayerReview,
    /// How well North played.
    pub north: PlayerReview,
}

impl PlayerReviews {
    /// The reviews over all moves of a game.
    fn of(moves: &[ReviewedMove]) -> PlayerReviews {
        PlayerReviews {
            south: PlayerReview::of(Player::South, moves),
            north: PlayerReview::of(Player::North, moves),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for ReviewedMove {
    /// Scores and leads are in seeds.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut fields = serializer.serialize_struct("ReviewedMove", 20)?;
        fields.serialize_field("number", &self.number)?;
        fields.serialize_field("player", self.turn.player.as_str())?;
        fields.serialize_field("letter", &self.turn.letter())?;
        fields.serialize_field("pit", &self.turn.step.pit)?;
        fields.serialize_field("taken", &self.turn.taken)?;
        fields.serialize_field("position", &self.position.to_string())?;
        fields.serialize_field("best", &self.best.seeds())?;
        fields.serialize_field("played", &self.played.seeds())?;
        fields.serialize_field("given_away", &self.seeds_given_away())?;
        fields.serialize_field("exact", &self.is_exact())?;
        fields.serialize_field("line", &self.pv)?;
        fields.serialize_field("lead_before", &self.before.seeds())?;
        fields.serialize_field("lead_after", &self.after.seeds())?;
        fields.serialize_field("winner_before", &self.before.certain_winner())?;
        fields.serialize_field("winner_after", &self.after.certain_winner())?;
        fields.serialize_field("turning_point", &self.is_turning_point())?;
        fields.serialize_field("ending", &self.ending.map(Ending::as_str))?;
        fields.serialize_field("depth", &self.depth)?;
        fields.serialize_field("choices", &self.choices)?;
        fields.serialize_field("only_move", &self.has_only_move)?;
        fields.end()
    }
}

/// South's seeds minus North's.
pub(super) fn lead(stores: Stores) -> i16 {
    i16::from(stores.south) - i16::from(stores.north)
}

/// The sign that converts a score for this player to one for South.
pub(super) fn sign(player: Player) -> i16 {
    match player {
        Player::South => 1,
        Player::North => -1,
    }
}
