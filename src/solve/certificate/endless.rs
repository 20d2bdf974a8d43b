//! What endless play is worth, as far as the proof of a number needs it.
//!
//! Where each player takes the seeds of their own row, an endless play is worth what the boards
//! are worth that recur in it. So a loop proves a number if its boards are good enough, and
//! `docs/internals/proof.md` says which ones must be.

/// What endless play is worth to the numbers of an array.
#[derive(Clone, Copy, Debug)]
pub(super) enum EndlessWorth {
    /// The same to every mover.
    Always(i8),
    /// To the player for whom the numbers are proven: the middle of three, the worst division by
    /// row of the boards that recur, the best one, and `middle`.
    ByRow { secured_by: SecuredBy, middle: i8 },
}

/// The player of a board who secures a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SecuredBy {
    /// Who is to move, and secures at least the number.
    Mover,
    /// The other one, who secures at least the number with its sign turned.
    Opponent,
}

/// What must be founded for a number to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// One move that keeps it: the mover secures it.
    OneMove,
    /// Every move that keeps it: the opponent secures it, so none may escape.
    EveryMove,
}

impl EndlessWorth {
    /// What a number needs that does not hold at once.
    #[inline(always)]
    pub fn need(self, own: i8) -> Need {
        let one_move = match self {
            EndlessWorth::Always(worth) => own > worth,
            EndlessWorth::ByRow { secured_by, .. } => secured_by == SecuredBy::Mover,
        };
        if one_move {
            Need::OneMove
        } else {
            Need::EveryMove
        }
    }

    /// Whether a number is founded from the start, on a board with this division by row: it is
    /// right if the play comes back to such boards again and again.
    #[inline(always)]
    pub fn holds_at_once(self, own: i8, division: i8) -> bool {
        match self {
            EndlessWorth::Always(worth) => own == worth,
            EndlessWorth::ByRow { secured_by, middle } => {
                secured_by.number(own) <= middle && self.may_stay(own, division)
            }
        }
    }

    /// Whether a number is right if the play stays on such boards for ever, which have this
    /// division by row.
    #[inline(always)]
    pub fn may_stay(self, own: i8, division: i8) -> bool {
        match self {
            EndlessWorth::Always(_) => false,
            EndlessWorth::ByRow { secured_by, .. } => {
                secured_by.number(division) >= secured_by.number(own)
            }
        }
    }
}

impl SecuredBy {
    /// A number of the mover as one of this player.
    #[inline(always)]
    fn number(self, number: i8) -> i8 {
        match self {
            SecuredBy::Mover => number,
            SecuredBy::Opponent => -number,
        }
    }
}
