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
use krou::rules::{Bounds, Next, Ruleset};
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
pub struct PanelParameters(BoardParameters);

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
        BoardParameters::parse(&text).map(PanelParameters)
    }
}

/// A position and its moves in the form of lichess' tablebase.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PanelAnswer {
    #[serde(flatten)]
    position: PanelResult,
    /// Whether there is no legal move.
    stalemate: bool,
    /// Best first, each for the player to move after it.
    moves: Vec<PanelMove>,
}

#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PanelMove {
    uci: char,
    san: char,
    /// Whether seeds leave the board, so that the count of plies begins anew.
    zeroing: bool,
    #[serde(flatten)]
    after: PanelResult,
}

/// What a position is worth to the player to move.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct PanelResult {
    category: &'static str,
    /// Plies to the next conversion, negative if the player loses.
    dtz: Option<i16>,
    /// The final lead in seeds.
    net: Option<i8>,
}

impl PanelResult {
    /// A result for a player who has this lead; `sign` is -1 for the view of the other one.
    fn new(rules: Ruleset, lead: i8, result: Option<ProbeResult>, sign: i8) -> PanelResult {
        // Where there are bounds, the value alone proves nothing.
        let bounds = result.and_then(|result| {
            let exact = (!rules.has_bounds()).then(|| Bounds::of_value(result.value));
            result.bounds.or(exact)
        });
        let winner = match bounds.map(|bounds| Verdict::new(lead, bounds)) {
            Some(Verdict::Wins) => Some(sign),
            Some(Verdict::Loses) => Some(-sign),
            Some(Verdict::Draws) => Some(0),
            _ => None,
        };
        let plies = result.and_then(|result| {
            // Who wins the game need not be who wins the seeds on the board.
            let is_theirs = winner == Some(sign * result.value.signum());
            result.distance.filter(|_| is_theirs).map(i16::from)
        });
        PanelResult {
            category: match winner {
                Some(1) => "win",
                Some(0) => "draw",
                Some(_) => "loss",
                None => "unknown",
            },
            dtz: match winner {
                Some(0) => Some(0),
                _ => plies.map(|plies| i16::from(winner.unwrap_or_default()) * plies),
            },
            net: result.map(|result| sign * (lead + result.value)),
        }
    }
}

impl PanelParameters {
    /// The position and its moves from the tables.
    ///
    /// # Errors
    /// If a table cannot be read.
    pub fn answer(&self, tables: &Tablebase) -> Result<PanelAnswer, AnswerError> {
        let rules = tables.rules();
        let position = self.0.position(rules)?;
        let game = Game::from_position(rules, position)
            .map_err(|error| AnswerError::Board(error.into()))?;
        let (player, lead) = (game.to_move(), game.lead(game.to_move()));
        let result = known(tables.probe(&position.board))?.ok();
        let moves = tables.moves(&position.board)?;
        Ok(PanelAnswer {
            position: PanelResult::new(rules, lead, result, 1),
            stalemate: moves.is_empty(),
            moves: moves
                .iter()
                .map(|m| PanelMove {
                    uci: player.letter(m.step.pit),
                    san: player.letter(m.step.pit),
                    zeroing: m.step.board.seeds() < position.board.seeds(),
                    after: PanelResult::new(
                        rules,
                        lead,
                        m.result,
                        if m.step.next == Next::Again { 1 } else { -1 },
                    ),
                })
                .collect(),
        })
    }
}
