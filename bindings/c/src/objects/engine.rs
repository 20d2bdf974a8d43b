//! The engine: checked options and limits around one search call.

use std::sync::Mutex;
use std::time::Duration;

use krou::engine::{Aim, Engine, EngineOptions, Game, Limits};
use krou::rules::{Position, ROW};
use krou::{Ruleset, Tablebase};

use super::{check_threads, krou_stop, lock};
use crate::border::codes::{Failure, KROU_E_MEMORY, KROU_E_OVER, KROU_E_RULES};
use crate::types::{
    KROU_AIM_RESULT, KROU_AIM_SEEDS, krou_engine_options, krou_limits, krou_report,
};

/// Largest transposition table, in MiB.
const MAX_HASH: usize = 65_536;

/// Searches for the best move: see krou_engine_open.
#[derive(Debug)]
pub struct krou_engine(Mutex<Engine>);

impl krou_engine {
    /// An engine for a ruleset, or for that of the tables.
    pub fn new(
        rules: Option<Ruleset>,
        tables: Option<Tablebase>,
        options: Option<krou_engine_options>,
    ) -> Result<krou_engine, Failure> {
        let of_tables = tables.as_ref().map(krou::Tablebase::rules);
        let rules = match (rules, of_tables) {
            (Some(rules), Some(others)) if rules != others => {
                return Err(Failure::new(
                    KROU_E_RULES,
                    format!("the engine is for {rules}, but the tables are for {others}"),
                ));
            }
            (rules, of_tables) => rules.or(of_tables).unwrap_or_default(),
        };
        let options = options.map_or(Ok(EngineOptions::default()), checked_options)?;
        check_memory(options.hash_mib)?;
        Ok(krou_engine(Mutex::new(Engine::new(rules, tables, options))))
    }

    /// Searches the position that these moves lead to. `on_report` returns whether to go
    /// on.
    pub fn search(
        &self,
        position: &Position,
        moves: &[u8],
        limits: &krou_limits,
        stop: &krou_stop,
        on_report: &mut dyn FnMut(&krou_report) -> bool,
    ) -> Result<krou_report, Failure> {
        let limits = checked_limits(limits)?;
        let mut engine = lock(&self.0, "engine")?;
        let mut game = Game::from_position(engine.rules(), *position)?;
        for &pit in moves {
            game.play(pit)?;
        }
        let found = engine.search(&game, &limits, stop.flag(), &mut |report| {
            if !on_report(&report.into()) {
                stop.request();
            }
        });
        let over = || Failure::new(KROU_E_OVER, "the game is over, so that there is no move");
        found.as_ref().map(Into::into).ok_or_else(over)
    }

    /// Forgets the results of earlier searches.
    pub fn clear(&self) -> Result<(), Failure> {
        lock(&self.0, "engine")?.clear_hash();
        Ok(())
    }

    /// How many probes have failed because of damaged tables, and the first error.
    pub fn table_errors(&self) -> Result<(u64, String), Failure> {
        let engine = lock(&self.0, "engine")?;
        let errors = engine.table_errors();
        let first = errors.first().map(ToString::to_string);
        Ok((errors.count(), first.unwrap_or_default()))
    }
}

fn checked_options(options: krou_engine_options) -> Result<EngineOptions, Failure> {
    let mut checked = EngineOptions::default().with_table_memory(options.table_memory);
    if options.hash_mib > MAX_HASH {
        return Err(Failure::argument(format!(
            "'hash_mib' is {}: at most {MAX_HASH} are possible",
            options.hash_mib
        )));
    }
    if options.hash_mib > 0 {
        checked.hash_mib = options.hash_mib;
    }
    check_threads(options.threads)?;
    if options.threads > 0 {
        checked.threads = options.threads;
    }
    checked.aim = match options.aim {
        KROU_AIM_SEEDS => Aim::Seeds,
        KROU_AIM_RESULT => Aim::Result,
        other => {
            return Err(Failure::argument(format!(
                "'aim' is {other}: KROU_AIM_SEEDS and KROU_AIM_RESULT are possible"
            )));
        }
    };
    let most = EngineOptions::MAX_CONTEMPT;
    match i16::try_from(options.contempt) {
        Ok(contempt) if (-most..=most).contains(&contempt) => checked.contempt = contempt,
        _ => {
            return Err(Failure::argument(format!(
                "'contempt' is {}: -{most} to {most} are possible",
                options.contempt
            )));
        }
    }
    Ok(checked)
}

/// Whether the system lets a transposition table of this size be allocated. The library
/// itself would end the program.
fn check_memory(mib: usize) -> Result<(), Failure> {
    let bytes = mib.saturating_mul(1 << 20);
    let mut memory: Vec<u8> = Vec::new();
    memory.try_reserve_exact(bytes).map_err(|_| {
        Failure::new(
            KROU_E_MEMORY,
            format!("there is not enough memory for 'hash_mib' {mib}: choose fewer"),
        )
    })
}

fn checked_limits(limits: &krou_limits) -> Result<Limits, Failure> {
    let has_end = limits.depth > 0
        || limits.nodes > 0
        || limits.time_ms > 0
        || limits.target_ms > 0
        || !limits.stop.is_null()
        || limits.on_report.is_some();
    if !has_end {
        return Err(Failure::argument(
            "the search would never end: set a limit, 'stop' or 'on_report'",
        ));
    }
    let mut checked = Limits::default().with_lines(limits.lines as usize);
    if limits.lines > ROW as u32 {
        return Err(Failure::argument(format!(
            "'lines' is {}: at most {ROW} are possible",
            limits.lines
        )));
    }
    if limits.depth > 0 {
        let depth = u8::try_from(limits.depth).map_err(|_| {
            Failure::argument(format!(
                "'depth' is {}: at most {} are possible",
                limits.depth,
                u8::MAX
            ))
        })?;
        checked = checked.with_depth(depth);
    }
    if limits.nodes > 0 {
        checked = checked.with_nodes(limits.nodes);
    }
    if limits.time_ms > 0 {
        checked = checked.with_time(Duration::from_millis(limits.time_ms));
    }
    if limits.target_ms > 0 {
        checked = checked.with_target_time(Duration::from_millis(limits.target_ms));
    }
    if limits.until_win != 0 {
        checked = checked.with_until_win();
    }
    if limits.pits >> ROW != 0 {
        return Err(Failure::argument(format!(
            "'pits' is {}: bits 0 to 5 are possible",
            limits.pits
        )));
    }
    if limits.pits != 0 {
        let pits: Vec<u8> = (0..ROW as u8)
            .filter(|pit| limits.pits >> pit & 1 == 1)
            .collect();
        checked = checked.with_pits(&pits);
    }
    Ok(checked)
}
