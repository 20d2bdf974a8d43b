//! The worklist of several ranks that have parts of the layer: each has the changes of its
//! part.
//!
//! A round takes three exchanges for each batch. Every rank sends the parents of its changed
//! boards to the ranks that have them; these compare, ask the others for children of the
//! boards that must be looked at again, and get their entries.

use rayon::prelude::*;

use super::changes::Change;
use super::effects::{Effect, Effects};
use super::messages::{BOARD, push_board, push_entries, read_board, read_entries};
use super::worklist::{Parent, Round, Steps, Worklist};
use crate::solve::moves::{CompiledMoves, Predecessor};
use crate::solve::ranks::{Message, Part, Ranks};
use crate::solve::storage::{Entry, LayerArray, SpillError, Value};
use crate::spans;

/// Finds the effects of the changes of all ranks on this rank's part.
pub(super) struct RemoteWorklist<'a, E> {
    pub worklist: &'a Worklist<'a>,
    pub moves: &'a CompiledMoves,
    pub ranks: &'a dyn Ranks,
    /// What this rank has to compute.
    pub part: &'a Part,
    pub children: &'a LayerArray<E>,
    pub parents: &'a LayerArray<E>,
    pub best: &'a LayerArray<Value>,
}

/// Parents that have been compared, and what their comparison needs yet.
struct Compared<E> {
    steps: Steps<E>,
    effects: Vec<Effect<E>>,
    /// What each rank is asked for.
    questions: Vec<Message>,
}

impl<E: Entry> RemoteWorklist<'_, E> {
    /// Bytes of a parent in a message: its board, and the values of the move before and now.
    const PARENT: usize = BOARD + 2 * E::BYTES;

    /// The effects of changed children on their parents. All ranks call this together.
    pub fn effects(&self, changes: &[&[Change<E>]]) -> Result<Effects<E>, SpillError> {
        let round = self.worklist.round(self.children, self.parents, self.best);
        let parents = self.ranks.exchange(self.find_parents(&round, changes)?);
        let mut compared = self.compare(&round, &parents)?;
        drop(parents);
        let answers = self.ask(&compared)?;
        self.reevaluate(&round, &mut compared, &answers)?;
        let effects = compared.into_par_iter().map(|compared| {
            let mut effects = compared.effects;
            effects.sort_unstable_by_key(|effect| effect.number);
            effects
        });
        Ok(Effects(effects.collect()))
    }

    /// Asks the other ranks for children, and answers what they ask for.
    fn ask(&self, compared: &[Compared<E>]) -> Result<Vec<Message>, SpillError> {
        let mut questions = self.ranks.no_messages();
        for compared in compared {
            join(&mut questions, &compared.questions);
        }
        let questions = self.ranks.exchange(questions);
        let answers = questions.iter().map(|questions| self.answer(questions));
        let answers = answers.collect::<Result<Vec<Message>, SpillError>>()?;
        Ok(self.ranks.exchange(answers))
    }

    /// The rank that is asked for a child, if this one does not have it.
    fn asked_for(&self, section: u8, line: u32) -> Option<usize> {
        let owner = self.part.owner(section, line);
        (owner != self.ranks.rank()).then_some(owner)
    }

    /// The parents of changed boards, in messages to the ranks that have them.
    fn find_parents(
        &self,
        round: &Round<'_, E>,
        changes: &[&[Change<E>]],
    ) -> Result<Vec<Message>, SpillError> {
        /// Changes that a thread takes at a time.
        const CHANGES: usize = 256;
        let _parallel = spans::parallel("parents");
        let changes = changes.iter().flat_map(|list| list.chunks(CHANGES));
        let changes: Vec<_> = changes.collect();
        let found = changes.into_par_iter().with_max_len(1).map(|changes| {
            let _task = spans::task("parents");
            let mut messages = self.ranks.no_messages();
            let mut steps = Steps::new();
            round.find_parents(changes, &mut steps)?;
            for Parent { board, before, now } in &steps.parents {
                let owner = self.part.owner(board.section, board.line);
                let message = &mut messages[owner];
                push_board(message, (board.section, board.line, board.rank));
                push_entries(message, &[*before, *now]);
            }
            Ok(messages)
        });
        let mut messages = self.ranks.no_messages();
        for found in found.collect::<Result<Vec<_>, SpillError>>()? {
            join(&mut messages, &found);
        }
        Ok(messages)
    }

    /// Compares parents with their moves that have changed.
    fn compare(
        &self,
        round: &Round<'_, E>,
        parents: &[Message],
    ) -> Result<Vec<Compared<E>>, SpillError> {
        /// Parents that a thread takes at a time.
        const PARENTS: usize = 512;
        let _parallel = spans::parallel("comparing");
        let chunks = parents
            .iter()
            .flat_map(|parents| parents.chunks(PARENTS * Self::PARENT));
        let chunks: Vec<_> = chunks.collect();
        let compared = chunks.into_par_iter().with_max_len(1).map(|parents| {
            let _task = spans::task("comparing");
            let mut compared = Compared {
                steps: Steps::new(),
                effects: Vec::new(),
                questions: self.ranks.no_messages(),
            };
            let Compared {
                steps,
                effects,
                questions,
            } = &mut compared;
            steps.parents.extend(
                parents
                    .chunks_exact(Self::PARENT)
                    .map(|parent| self.parent(parent)),
            );
            for Parent { board, .. } in &steps.parents {
                self.parents.prefetch(board.section, board.line, board.rank);
            }
            round.compare_parents(steps, effects)?;
            round.find_children(steps);
            for &(section, line, rank) in &steps.children {
                if let Some(owner) = self.asked_for(section, line) {
                    push_board(&mut questions[owner], (section, line, rank));
                }
            }
            Ok(compared)
        });
        compared.collect()
    }

    /// A parent from a message.
    fn parent(&self, bytes: &[u8]) -> Parent<E> {
        let (board, entries) = bytes.split_first_chunk().expect("a board");
        let (section, line, rank) = read_board(board);
        let [before, now] = read_entries(entries);
        let column = self.moves.columns(section)[line as usize];
        let board = Predecessor {
            section,
            line,
            column,
            rank,
        };
        Parent { board, before, now }
    }

    /// The entries of the boards that another rank asks for.
    fn answer(&self, questions: &Message) -> Result<Message, SpillError> {
        let (boards, _) = questions.as_chunks();
        let entries = boards.par_iter().with_min_len(256).map(|board| {
            let (section, line, rank) = read_board(board);
            self.children.entry(section, line, rank)
        });
        let entries = entries.collect::<Result<Vec<E>, SpillError>>()?;
        let mut answer = Message::new();
        push_entries(&mut answer, &entries);
        Ok(answer)
    }

    /// Looks at all moves of the parents whose best move may have become worse. `answers`
    /// are to all questions in order.
    fn reevaluate(
        &self,
        round: &Round<'_, E>,
        compared: &mut [Compared<E>],
        answers: &[Message],
    ) -> Result<(), SpillError> {
        let mut answers: Vec<&[u8]> = answers.iter().map(Vec::as_slice).collect();
        let mut work = Vec::new();
        for compared in compared {
            let own = answers
                .iter_mut()
                .zip(&compared.questions)
                .map(|(answers, questions)| {
                    let (own, rest) = answers.split_at(questions.len() / BOARD * E::BYTES);
                    *answers = rest;
                    own
                });
            let own: Vec<&[u8]> = own.collect();
            work.push((compared, own));
        }
        let _parallel = spans::parallel("reevaluating");
        work.into_par_iter()
            .with_max_len(1)
            .try_for_each(|(compared, mut answers)| {
                let _task = spans::task("reevaluating");
                let Compared { steps, effects, .. } = compared;
                round.reevaluate_pending(steps, effects, |(section, line, rank)| {
                    let Some(owner) = self.asked_for(section, line) else {
                        return self.children.entry(section, line, rank);
                    };
                    let (entry, rest) = answers[owner].split_at(E::BYTES);
                    answers[owner] = rest;
                    let [entry] = read_entries(entry);
                    Ok(entry)
                })
            })
    }
}

/// Adds messages to those before them.
fn join(messages: &mut [Message], more: &[Message]) {
    for (message, more) in messages.iter_mut().zip(more) {
        message.extend(more);
    }
}
