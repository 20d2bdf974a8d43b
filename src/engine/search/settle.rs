//! What settles a node before its moves are searched: the seeds in the stores, the tables,
//! and the transposition table.

use super::aim::Aim;
use super::bounded_score::{BoundedScore, ProvenBounds};
use super::memory::SHALLOW_DEPTH;
use super::move_picker::MovePicker;
use super::node::{Node, Opened};
use super::tree::Tree;
use super::window::Window;
use crate::engine::table_source::SearchSource;
use crate::rules::Bounds;

impl<'a, S: SearchSource> Tree<'a, S> {
    /// What is known about a node inside the horizon before its moves are searched, or the
    /// score that this settles. Fills the picker with the moves.
    ///
    /// What lies in memory is asked for in an order that hides most of the waiting. A value
    /// in the tables ends the search, so it comes first. Bounds rarely do: meanwhile the
    /// moves are made, and they are read from memory only if the transposition table, which
    /// has them too, knows nothing of the board. For shallow nodes that table is in the
    /// processor's cache and is asked first of all.
    #[inline(always)]
    pub fn open(
        &mut self,
        node: &Node,
        depth: u8,
        window: Window,
        picker: &mut MovePicker,
    ) -> Result<Opened<'a>, BoundedScore> {
        let by_count = self.proven_by_count(node)?;
        let has_bounds = self.rules.has_bounds();
        let mut proven = match has_bounds {
            true => by_count,
            false => self.proven_by_tables(node, depth, window, by_count)?,
        };
        let table = self.memory.table(depth);
        let place = table.locate(self.key(node));
        let is_shallow = depth <= SHALLOW_DEPTH;
        if !is_shallow {
            self.make_moves(node, depth, picker);
        }
        let entry = match table.get_at(place) {
            // The large table does not know what a less deep search found.
            None if !is_shallow => self.memory.shallow.get(self.key(node)),
            entry => entry,
        };
        if let Some(entry) = entry {
            proven = proven.intersect(entry.proven);
            if let Some(score) = proven.cutoff(self.scale(node), window) {
                return Err(score);
            }
            // An estimate must not cut off the principal variation.
            if window.is_null() && entry.settles(depth, window) {
                return Err(proven.clamp(self.scale(node), entry.score));
            }
        }
        if is_shallow {
            self.make_moves(node, depth, picker);
        }
        // Where tables are on disk, the entry may be of a search that did not probe them.
        if has_bounds && (proven == by_count || !self.source.is_in_memory(node.seeds)) {
            proven = self.proven_by_tables(node, depth, window, proven)?;
        }
        Ok(Opened {
            table,
            place,
            entry,
            proven,
        })
    }

    /// Fills the picker with the moves of a node that is searched to this depth, and starts to
    /// fetch what is known about the first one.
    #[inline(never)]
    fn make_moves(&self, node: &Node, depth: u8, picker: &mut MovePicker) {
        picker.make_moves(self.rules, node.board, node.seeds, &self.killers, node.ply);
        self.prefetch_next(node, picker, depth - 1);
    }

    /// What the seeds on the board and in the stores prove, or the score of a game that they
    /// decide.
    #[inline]
    pub fn proven_by_count(&self, node: &Node) -> Result<ProvenBounds, BoundedScore> {
        let proven = ProvenBounds::of_seeds(node.lead, node.seeds);
        if self.settings.aim == Aim::Result && (proven.lower > 0 || proven.upper < 0) {
            // A player has more than half of all seeds: the game is over.
            let score = self.scale(node).score(node.lead);
            return Err(BoundedScore { score, proven });
        }
        Ok(proven)
    }

    /// These bounds and those of the tables, or the score that they settle.
    #[inline(always)]
    pub fn proven_by_tables(
        &mut self,
        node: &Node,
        depth: u8,
        window: Window,
        mut proven: ProvenBounds,
    ) -> Result<ProvenBounds, BoundedScore> {
        if let Some(bounds) = self.table_bounds(node, depth) {
            self.clock.count_table_hit();
            proven = proven.intersect(ProvenBounds::of_value(node.lead, bounds));
        }
        match proven.cutoff(self.scale(node), window) {
            Some(score) => Err(score),
            None => Ok(proven),
        }
    }

    /// The bounds of a node's board in the tables, if they know it and a probe is worth its
    /// time.
    #[inline(always)]
    fn table_bounds(&mut self, node: &Node, depth: u8) -> Option<Bounds> {
        let in_memory = self.source.bounds_in_memory(node.board, node.seeds);
        if in_memory.is_some() || !self.source.is_worth_probing(node.seeds, depth) {
            return in_memory;
        }
        self.clock.read_soon();
        self.source.bounds(&node.board.to_board())
    }
}
