//! What the engine maximises, and the scale of its scores.

/// What the engine maximises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Aim {
    /// The seeds taken in the rest of the game, as the values of tables count them.
    #[default]
    Seeds,
    /// The result of the game, win, draw or loss; seeds come second.
    Result,
}

/// Hundredths of a seed in a seed.
pub(super) const SEED: i16 = 100;

/// Added to the score of a won game: more than any estimate, since no margin exceeds
/// 48 seeds.
pub(super) const WON: i16 = 10_000;

impl Aim {
    /// The score of a margin in seeds that is certain.
    pub(super) fn score(self, margin: i8) -> i16 {
        let seeds = i16::from(margin) * SEED;
        match self {
            Aim::Result => seeds + WON * i16::from(margin.signum()),
            Aim::Seeds => seeds,
        }
    }
}

/// The margin of a score in hundredths of a seed, without the bonus of a won game.
pub(super) fn margin_of(score: i16) -> i16 {
    score - WON * result_of(score)
}

/// 1 for the score of a won game, -1 for that of a lost one, 0 if that is open or drawn.
pub(super) fn result_of(score: i16) -> i16 {
    i16::from(score >= WON) - i16::from(score <= -WON)
}
