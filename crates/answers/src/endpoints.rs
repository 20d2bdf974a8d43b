//! The endpoints: what may be asked, in one list for the server, its description, the page
//! without a server and the npm package. A new one is an entry of [`endpoints`], or of
//! [`search_endpoints`] if it makes the engine search.

use crate::analysis::{AnalysisInfo, AnalysisParameters};
use crate::board::SowingsAnswer;
use crate::boards::{self, BoardsAnswer, BoardsBody};
use crate::endpoint::{Access, Answer, Body, Cost, Description, Endpoint, Form, json, ruleset};
use crate::error::{AnswerError, ErrorAnswer};
use crate::game::GameParameters;
use crate::ogn::{Annotations, ImportParameters};
use crate::panel::{PanelParameters, ShortParameters};
use crate::position::LastParameters;
use crate::probe::{BoardParameters, LineParameters, best_line, probe, value};
use crate::query::{FromQuery, Query};
use crate::reply::ReplyParameters;
use crate::review::{DoneInfo, MoveInfo, PositionInfo, ReviewParameters};
use crate::schema::Shape;
use crate::tables::{RulesetsAnswer, VersionAnswer};

/// The endpoints that answer from rules and tables.
pub fn endpoints() -> Vec<Endpoint> {
    let of_rules = about_boards().into_iter().chain(about_games());
    about_krou().into_iter().chain(of_rules).collect()
}

/// What there is, whatever the ruleset.
fn about_krou() -> [Endpoint; 2] {
    let general = |path, summary| Description {
        cost: Cost::Nothing,
        ..Description::new(path, summary)
    };
    [
        Endpoint::general(
            general("rulesets", "Rulesets and their tables"),
            |context, (), _| Ok(RulesetsAnswer::new(context.tables.listed())),
        ),
        Endpoint::general(
            general("version", "Version of the program, and its tables"),
            |context, (), _| Ok(VersionAnswer::new(context.tables.listed())),
        ),
    ]
}

fn about_boards() -> Vec<Endpoint> {
    vec![
        Endpoint::of_tables(
            Description {
                name: "board",
                details: "Also at the short address /{rules}. Give either `board` or `fen`; the \
                          latter has the answer of `tablebase`.",
                ..Description::new("{rules}", "Value of a board and of each of its moves")
            },
            |tables, query: &ShortParameters| query.answer(tables),
        ),
        Endpoint::of_tables(
            Description {
                details: "What is not known is `unknown` or null.",
                ..Description::new(
                    "{rules}/tablebase",
                    "A position and its moves in the form of lichess' tablebase",
                )
            },
            |tables, query: &PanelParameters| query.answer(tables),
        ),
        Endpoint::of_tables(
            Description {
                details: "A board without a table is a valid answer: its value is null.",
                ..Description::new(
                    "{rules}/probe",
                    "A board as the command krou probe --json prints it",
                )
            },
            |tables, query: &BoardParameters| probe(tables, &query.position(tables.rules())?),
        ),
        Endpoint::of_tables(
            Description::new("{rules}/value", "Value of a board without its moves"),
            |tables, query: &BoardParameters| value(tables, &query.position(tables.rules())?),
        ),
        Endpoint::of_tables(
            Description::new(
                "{rules}/moves",
                "The legal moves of a board, and why each other pit may not be played",
            ),
            |tables, query: &BoardParameters| query.pits(tables.rules()),
        ),
        Endpoint::of_tables(
            Description::new("{rules}/mainline", "Best line from a board"),
            |tables, query: &LineParameters| {
                best_line(tables, &query.board.position(tables.rules())?, query.plies)
            },
        ),
        Endpoint::of_tables(
            Description::new("{rules}/sowings", "How the seeds of each legal move travel"),
            |tables, query: &BoardParameters| {
                let rules = tables.rules();
                Ok(SowingsAnswer::new(rules, &query.position(rules)?))
            },
        ),
        several_boards(),
    ]
}

fn several_boards() -> Endpoint {
    let description = Description {
        details: "Each board gets the answer or the error that it would get alone.",
        access: Access::Guarded,
        body: Body::Required(Form::json::<BoardsBody>()),
        answer: Form::json::<BoardsAnswer>(),
        ..Description::new("{rules}/boards", "Values of several boards")
    };
    Endpoint::new(description, |given| {
        let () = Query::read(given.parameters)?;
        let rules = ruleset(given.rules)?;
        let body = BoardsBody::read(&given.body.unwrap_or_default())?;
        Ok(Box::new(move |context| {
            let tables = context.of_ruleset(rules);
            let answer = |text: &String| {
                context.go_on()?;
                let found = boards::one(text, &tables);
                Ok(found.map_err(|error| context.front_end.error(error)))
            };
            let found: Result<Vec<_>, AnswerError> = body.boards.iter().map(answer).collect();
            found.map(|boards| json(&BoardsAnswer::new(boards)))
        }))
    })
}

fn about_games() -> [Endpoint; 4] {
    [
        Endpoint::with_context(
            Description::new("{rules}/game", "All positions of a game"),
            |tables, query: &GameParameters, context| query.answer(tables, context.stop),
        ),
        Endpoint::of_tables(
            Description {
                details: "What a board shows after a move: value and moves, best line, how the \
                          seeds of each move travel.",
                ..Description::new(
                    "{rules}/position",
                    "The last position of a game with all that is known about it",
                )
            },
            |tables, query: &LastParameters| query.answer(tables),
        ),
        export(),
        Endpoint::general(
            Description {
                name: "import",
                access: Access::Guarded,
                body: Body::Required(Form::Text {
                    media: "text/plain",
                    example: Some("1. C f 2. F"),
                }),
                ..Description::new("ogn", "Reads a game in the notation OGN")
            },
            |_, query: ImportParameters, text| query.read(text),
        ),
    ]
}

fn export() -> Endpoint {
    let description = Description {
        name: "export",
        parameters: GameParameters::PARAMETERS,
        body: Body::Optional(Form::json::<Annotations>()),
        ..Description::new("{rules}/ogn", "A game in the notation OGN")
    };
    Endpoint::new(description, |given| {
        let game: GameParameters = Query::read(given.parameters)?;
        let rules = ruleset(given.rules)?;
        let annotations = Annotations::read(&given.body.unwrap_or_default())?;
        Ok(Box::new(move |_| {
            game.ogn(rules, &annotations).map(Answer::Text)
        }))
    })
}

/// The endpoints that make the engine search, other than those that send events.
pub fn search_endpoints() -> Vec<Endpoint> {
    vec![Endpoint::with_context(
        Description {
            access: Access::Guarded,
            cost: Cost::Search,
            ..Description::new("{rules}/reply", "The move of an opponent")
        },
        |tables, query: &ReplyParameters, context| {
            query.answer(tables.clone(), context.stop, |errors| {
                context.front_end.table_errors(errors);
            })
        },
    )]
}

/// The endpoint that sends what the engine finds while it searches.
pub fn analysis() -> Description {
    let info = Shape::of::<AnalysisInfo>();
    Description {
        details: "Events: `info` after each depth, `done` at the end, `error` if the search fails.",
        ..events::<AnalysisParameters>(
            "{rules}/analysis",
            "What the engine thinks of the last position of a game",
            &[("info", info), ("done", info)],
        )
    }
}

/// The endpoint that sends the review of a game, move by move.
pub fn review() -> Description {
    Description {
        details: "Events, from the last position to the first: `position`, `move`, at the end \
                  `done`, and `error` if a search fails.",
        ..events::<ReviewParameters>(
            "{rules}/review",
            "What each move of a game gave away",
            &[
                ("position", Shape::of::<PositionInfo>()),
                ("move", Shape::of::<MoveInfo>()),
                ("done", Shape::of::<DoneInfo>()),
            ],
        )
    }
}

/// An endpoint that sends events, and ends with an error if its search fails.
fn events<P: FromQuery>(
    path: &'static str,
    summary: &'static str,
    events: &[(&'static str, Shape)],
) -> Description {
    let error = ("error", Shape::of::<ErrorAnswer>());
    let events = events.iter().copied().chain([error]).collect();
    Description {
        access: Access::Guarded,
        cost: Cost::Search,
        ..Description::new(path, summary).with::<P>(Form::Events(events))
    }
}
