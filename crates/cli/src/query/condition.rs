//! Conditions on the fields of a board, such as `value == 0 && moves > 1`, read by the crate
//! `exmex`.
//!
//! `exmex` knows one type of operands. So a term is a number or a truth, and an operator
//! that gets the wrong ones returns a term that is neither. The types depend on the text
//! alone: one evaluation shows whether they are right.

use std::convert::Infallible;
use std::str::FromStr;

use exmex::prelude::*;
use exmex::{BinOp, MakeOperators, Operator, ops_factory};
use thiserror::Error;

use super::fields::{BoardRecord, QueryField};

/// The longest text of a condition, in bytes.
const LONGEST: usize = 1000;

/// An operand or a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Term {
    /// `None` is a field that is not known.
    Number(Option<i16>),
    Truth(bool),
    /// The result of an operator whose operands have the wrong type.
    #[default]
    IllTyped,
}

impl FromStr for Term {
    type Err = Infallible;

    /// A number beyond the range stands for the end of it: no field reaches that.
    fn from_str(digits: &str) -> Result<Term, Infallible> {
        Ok(Term::Number(Some(digits.parse().unwrap_or(i16::MAX))))
    }
}

/// A comparison, which is false if one side is not known.
fn compared(left: Term, right: Term, holds: fn(&i16, &i16) -> bool) -> Term {
    match (left, right) {
        (Term::Number(Some(left)), Term::Number(Some(right))) => Term::Truth(holds(&left, &right)),
        (Term::Number(_), Term::Number(_)) => Term::Truth(false),
        _ => Term::IllTyped,
    }
}

fn joined(left: Term, right: Term, join: fn(bool, bool) -> bool) -> Term {
    match (left, right) {
        (Term::Truth(left), Term::Truth(right)) => Term::Truth(join(left, right)),
        _ => Term::IllTyped,
    }
}

/// A binary operator; of two, that with the higher priority comes first.
fn binary(name: &'static str, prio: i64, apply: fn(Term, Term) -> Term) -> Operator<'static, Term> {
    let is_commutative = false;
    Operator::make_bin(
        name,
        BinOp {
            apply,
            prio,
            is_commutative,
        },
    )
}

ops_factory!(
    Operators,
    Term,
    binary("||", 0, |a, b| joined(a, b, |a, b| a || b)),
    binary("&&", 1, |a, b| joined(a, b, |a, b| a && b)),
    binary("==", 2, |a, b| compared(a, b, i16::eq)),
    binary("!=", 2, |a, b| compared(a, b, i16::ne)),
    binary("<=", 2, |a, b| compared(a, b, i16::le)),
    binary(">=", 2, |a, b| compared(a, b, i16::ge)),
    binary("<", 2, |a, b| compared(a, b, i16::lt)),
    binary(">", 2, |a, b| compared(a, b, i16::gt)),
    Operator::make_unary("!", |a| match a {
        Term::Truth(truth) => Term::Truth(!truth),
        _ => Term::IllTyped,
    }),
    Operator::make_unary("-", |a| match a {
        Term::Number(number) => Term::Number(number.map(|number| -number)),
        _ => Term::IllTyped,
    })
);

/// A condition on a board.
#[derive(Clone, Debug)]
pub struct Condition {
    expression: FlatEx<Term, Operators>,
    /// The fields whose values the expression takes, in its order.
    fields: Vec<QueryField>,
}

/// Why a text is no condition.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ConditionError {
    #[error("there is no field '{name}': the fields are {}", QueryField::names())]
    NoField { name: String },
    #[error(
        "write a condition such as 'value == 0 && moves > 1', with == != < <= > >= && || ! ( ), \
         whole numbers and the fields {}",
        QueryField::names()
    )]
    Malformed,
    #[error("write '==' for 'is equal to', as in 'value == 0'")]
    SingleEqualSign,
    #[error("a condition has at most {LONGEST} characters")]
    TooLong,
}

impl Condition {
    /// The fields that it compares.
    pub fn fields(&self) -> &[QueryField] {
        &self.fields
    }

    /// Whether a board meets it.
    pub fn holds(&self, record: &BoardRecord) -> bool {
        let mut known = [Term::IllTyped; QueryField::ALL.len()];
        for (term, &field) in known.iter_mut().zip(&self.fields) {
            *term = Term::Number(record.field(field));
        }
        let result = self.expression.eval(&known[..self.fields.len()]);
        matches!(result, Ok(Term::Truth(true)))
    }
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Condition, ConditionError> {
        if text.len() > LONGEST {
            return Err(ConditionError::TooLong);
        }
        let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let longer = ["==", "!=", "<=", ">="].into_iter();
        let others = longer.fold(spaced.clone(), |text, longer| text.replace(longer, " "));
        if others.contains('=') {
            return Err(ConditionError::SingleEqualSign);
        }
        // `exmex` reads more than this grammar has, such as {names} and f(a, b).
        let is_known = |c: char| c.is_ascii_alphanumeric() || " _=!<>&|()-".contains(c);
        if !spaced.chars().all(is_known) {
            return Err(ConditionError::Malformed);
        }
        let parsed = FlatEx::<Term, Operators>::parse(&spaced);
        let expression = parsed.map_err(|_| ConditionError::Malformed)?;
        let named = |name: &String| {
            let field = QueryField::ALL
                .into_iter()
                .find(|field| field.name() == name);
            field.ok_or_else(|| ConditionError::NoField { name: name.clone() })
        };
        let fields: Vec<QueryField> = expression
            .var_names()
            .iter()
            .map(named)
            .collect::<Result<_, _>>()?;
        let sample = vec![Term::Number(Some(0)); fields.len()];
        match expression.eval(&sample) {
            Ok(Term::Truth(_)) => Ok(Condition { expression, fields }),
            _ => Err(ConditionError::Malformed),
        }
    }
}

#[cfg(test)]
mod tests {
    use krou::rules::Board;

    use super::super::fields::MoveCounts;
    use super::*;

    /// A board of value 3 without bounds, 9 plies from its next conversion.
    const RECORD: BoardRecord = BoardRecord {
        board: Board::START,
        seeds: 7,
        value: 3,
        lower: None,
        upper: None,
        distance: Some(9),
        moves: MoveCounts {
            moves: 4,
            best: 1,
            winning: 2,
            gap: 5,
            captured: 0,
        },
    };

    #[test]
    fn conditions_hold_as_they_read() {
        for (text, holds) in [
            ("value == 3", true),
            ("value==3&&moves>1", true),
            ("  value\t==\n3 ", true),
            ("value != 3", false),
            ("value > -1 && -value == -3", true),
            ("value == --3", true),
            (
                "3 <= value && value <= 3 && 2 < value && value < 4 && value >= 3",
                true,
            ),
            // && binds closer than ||, comparisons closer than both, ! closest.
            ("value == 3 || value == 4 && moves == 0", true),
            ("(value == 3 || value == 4) && moves == 0", false),
            ("moves == 0 && value == 4 || value == 3", true),
            ("!(value == 3)", false),
            ("!!(value == 3) && !(moves == 1)", true),
            ("!(moves == 1) && !(best == 2 || winning == 3)", true),
            (
                "gap == 5 && captured == 0 && seeds == 7 && distance == 9",
                true,
            ),
            ("distance > moves && moves > value", true),
            // A comparison with a field that is not known is false.
            ("lower == value", false),
            ("lower != value", false),
            ("!(lower != value)", true),
            ("upper == lower", false),
            ("-upper < 0 || value == 3", true),
            ("1 == 1", true),
            ("value < 99999999999999999999", true),
        ] {
            let condition: Condition = text.parse().unwrap();
            assert_eq!(condition.holds(&RECORD), holds, "{text}");
        }
    }

    /// Random texts of the grammar's pieces neither panic nor pass with a wrong type.
    #[test]
    fn random_texts_are_read_or_refused() {
        const PIECES: [&str; 16] = [
            "value", "moves", "lower", "3", "0", "==", "!=", "<", ">=", "&&", "||", "!", "-", "(",
            ")", " ",
        ];
        let mut random = fastrand::Rng::with_seed(1);
        let mut read = 0;
        for _ in 0..20_000 {
            let length = random.usize(1..9);
            let text: String = (0..length).map(|_| PIECES[random.usize(..16)]).collect();
            if let Ok(condition) = text.parse::<Condition>() {
                condition.holds(&RECORD);
                read += 1;
            }
        }
        assert!(read > 20, "{read}");
    }
}
