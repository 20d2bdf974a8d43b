//! The worklist of several ranks: each has the changes of its part of the layer.
//!
//! A round takes three exchanges for each batch. Every rank sends the parents of its changed
//! boards to the ranks that have them; these compare, ask the others for children of the
//! boards that must be looked at again, and get their entries.

use rayon::prelude::*;

use super::changes::Change;
use super::worklist::{Effect, Effects, Parent, Round, Steps, Worklist};
use crate::solve::moves::{CompiledMoves, Predecessor};
use crate::solve::ranks::{Message, Part, Ranks};
use crate::solve::storage::{Entry, LayerArray, SpillError, Value};
use crate::spans;

/// A board in a message: section, line and rank.
const BOARD: usize = 9;

fn push_board(message: &mut Message, (section, line, rank): (u8, u32, u32)) {
    message.push(section);
    message.extend(line.to_le_bytes());
    message.extend(rank.to_le_bytes());
}

fn read_board(bytes: &[u8; BOARD]) -> (u8, u32, u32) {
    let [section, line @ .., a, b, c, d] = *bytes;
    (
        section,
        u32::from_le_bytes(line),
        u32::from_le_bytes([a, b, c, d]),
    )
}

/// Entries at the end of `message`.
fn push_entries<E: Entry>(message: &mut Message, entries: &[E]) {
    let start = message.len();
    message.resize(start + entries.len() * E::BYTES, 0);
    E::encode(entries, &mut message[start..]);
}

fn read_entries<E: Entry, const N: usize>(bytes: &[u8]) -> [E; N] {
    let mut entries = [E::FILLER; N];
    E::decode(bytes, &mut entries);
    entries
}

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
        let answers = match self.children.part().is_whole() {
            true => self.ranks.no_messages(),
            false => self.ask(&compared)?,
        };
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
        if self.children.part().is_whole() {
            return None;
        }
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
            if self.parents.part().is_whole() {
                round.keep_affected(&mut steps)?;
            }
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

/// Where all ranks have copies of an array: tells them what a round has changed in this rank's
/// lines, in the order of the index, and writes what they have changed. All ranks call this
/// together.
pub(super) fn exchange_changes<E: Entry>(
    ranks: &dyn Ranks,
    array: &mut LayerArray<E>,
    changes: &[Vec<Change<E>>],
) -> Result<(), SpillError> {
    /// Changes that a thread takes at a time.
    const CHANGES: usize = 1024;
    let bytes = BOARD + 2 * E::BYTES;
    let parallel = spans::parallel("updates");
    let lists = changes.iter().flat_map(|list| list.chunks(CHANGES));
    let messages = lists.collect::<Vec<_>>().into_par_iter().map(|changes| {
        let _task = spans::task("updates");
        let mut message = Message::with_capacity(changes.len() * bytes);
        for change in changes {
            let Change {
                section,
                line,
                rank,
                before,
            } = *change;
            push_board(&mut message, (section, line, rank));
            push_entries(&mut message, &[before, array.entry(section, line, rank)?]);
        }
        Ok(message)
    });
    let messages = messages.collect::<Result<Vec<Message>, SpillError>>()?;
    drop(parallel);
    let mut received = ranks.all(messages.concat());
    received[ranks.rank()].clear();
    let parallel = spans::parallel("updates");
    let chunks = received
        .iter()
        .flat_map(|message| message.chunks(CHANGES * bytes));
    let effects = chunks.collect::<Vec<_>>().into_par_iter().map(|changes| {
        let _task = spans::task("updates");
        let changes = changes.chunks_exact(bytes).map(|change| {
            let (board, entries) = change.split_first_chunk().expect("a board");
            let [before, after] = read_entries(entries);
            Effect::new(array, read_board(board), before, after)
        });
        changes.collect()
    });
    let effects = Effects(effects.collect());
    drop(parallel);
    effects.apply(array)?;
    Ok(())
}

/// Adds messages to those before them.
fn join(messages: &mut [Message], more: &[Message]) {
    for (message, more) in messages.iter_mut().zip(more) {
        message.extend(more);
    }
}
