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

/// The scores of certain margins, for the player to move on some board.
#[derive(Debug)]
pub(super) struct Scale {
    /// What is added to the score of a won game.
    pub bonus: i16,
    /// The score of a drawn game, in hundredths of a seed.
    draw: i16,
    /// The score of each margin, by its bits.
    scores: [i16; 1 << i8::BITS],
}

impl Scale {
    /// Under [`Aim::Seeds`] a draw is a margin like others, whatever `draw` is.
    pub fn new(aim: Aim, draw: i16) -> Scale {
        let (bonus, draw) = match aim {
            Aim::Seeds => (0, 0),
            Aim::Result => (WON, draw),
        };
        let mut scale = Scale {
            bonus,
            draw,
            scores: [0; 1 << i8::BITS],
        };
        for margin in i8::MIN..=i8::MAX {
            let score = scale.open_score(margin) + bonus * i16::from(margin.signum());
            scale.scores[usize::from(margin.cast_unsigned())] = score;
        }
        scale
    }

    /// The score of a margin in seeds that is certain.
    pub fn score(&self, margin: i8) -> i16 {
        self.scores[usize::from(margin.cast_unsigned())]
    }

    /// The score of a margin in seeds that is no result yet.
    pub fn open_score(&self, margin: i8) -> i16 {
        match margin {
            0 => self.draw,
            _ => i16::from(margin) * SEED,
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
