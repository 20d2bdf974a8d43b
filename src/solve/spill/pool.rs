//! The pool: pieces of spilled arrays in memory, while work goes on in steps that are known
//! beforehand.
//!
//! ```text
//! for each step
//!     in:   read its pieces, and those of the steps after it as far as there is room
//!     out:  where room is needed, give up the piece that is needed last; write it if it changed
//!     next: wait for its pieces, and compute
//! ```
//!
//! Which piece is needed last is known, because steps repeat: no other choice reads less
//! (Belady 1966). A few threads read and write while the step is computed. A piece that is not in
//! memory is an empty slice: who reads it panics, so that nobody reads a wrong entry.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use super::file::SpillFile;
use super::schedule::{PoolFiles, Schedule};
use super::{Buffer, Plain, SpillError};

/// Threads that read and write: enough to keep a disk busy while some compress and decompress.
const THREADS: usize = 8;

/// Steps whose pieces are read before their time.
const AHEAD: usize = 8;

/// Where a piece is.
enum Whereabouts {
    OnDisk,
    /// It is being read.
    Coming,
    Here {
        buffer: Buffer,
        has_changed: bool,
    },
    /// A step changes it; whether it had changed before.
    Taken {
        has_changed: bool,
    },
    /// It is being written, and stays if it is wanted again.
    Going {
        stays: bool,
    },
}

/// Work for a thread.
enum Transfer {
    Read(Arc<SpillFile>, usize, Buffer),
    Write(Arc<SpillFile>, usize, Buffer),
}

/// A number of a piece, the piece after it was read or written, and how many bytes that moved.
type Done = (usize, Result<(Buffer, usize), SpillError>);

/// Pieces of some arrays, in memory as far as it reaches.
pub(in crate::solve) struct Pool {
    schedule: Schedule,
    pub files: PoolFiles,
    places: Vec<Whereabouts>,
    /// Bytes of the pieces that are not on the disk, how many of them there may be, and how
    /// many are being written to make room.
    used: u64,
    capacity: u64,
    going: u64,
    /// Buffers without a piece.
    spare: Vec<Buffer>,
    /// Bytes read and written so far.
    moved: u64,
    jobs: Option<Sender<(usize, Transfer)>>,
    done: Receiver<Done>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    /// A pool of the pieces of some files, in about `capacity` bytes: those of one step are
    /// always in memory.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn new(files: PoolFiles, capacity: u64, schedule: Schedule) -> Result<Pool, SpillError> {
        let (jobs, taken) = channel();
        let (finished, done) = channel();
        let taken = Arc::new(Mutex::new(taken));
        let mut threads = Vec::new();
        if let Some(file) = files.files.first() {
            for _ in 0..THREADS {
                let (taken, finished) = (taken.clone(), finished.clone());
                let thread = std::thread::Builder::new().name("krou-spill".into());
                let thread = thread.spawn(move || work(&taken, &finished));
                threads.push(thread.map_err(|cause| file.fails(cause))?);
            }
        }
        let mut pool = Pool {
            schedule,
            places: (0..files.pieces).map(|_| Whereabouts::OnDisk).collect(),
            files,
            used: 0,
            capacity: 0,
            going: 0,
            spare: Vec::new(),
            moved: 0,
            jobs: Some(jobs),
            done,
            threads,
        };
        pool.set_capacity(capacity);
        Ok(pool)
    }

    /// The pieces that a step needs.
    pub fn needed_by(&self, step: usize) -> &[u32] {
        &self.schedule.needs[step]
    }

    /// Sets about how many bytes there may be from the next step on.
    pub fn set_capacity(&mut self, capacity: u64) {
        let longest = self.files.files.iter().map(|file| file.longest()).max();
        // Each thread holds a compressed piece beside the pool.
        let compressed = longest.unwrap_or(0) * THREADS;
        self.capacity = capacity.saturating_sub(compressed as u64);
    }

    /// Prepares a step: afterwards all its pieces are in memory, and some of the steps after it
    /// are being read.
    ///
    /// # Errors
    /// If a piece cannot be read or written.
    pub fn begin(&mut self, step: usize) -> Result<(), SpillError> {
        while let Ok(done) = self.done.try_recv() {
            self.arrive(done)?;
        }
        self.fetch(step, 0)?;
        for ahead in 1..=AHEAD {
            match self.schedule.after(step, ahead) {
                Some(next) if self.fetch(next, ahead)? => {}
                _ => break,
            }
        }
        let needed = std::mem::take(&mut self.schedule.needs[step]);
        let waited = self.wait_for(&needed);
        self.schedule.needs[step] = needed;
        waited
    }

    /// Prepares a step that needs only some of its pieces. Nothing is read ahead.
    ///
    /// # Errors
    /// As [`Pool::begin`].
    pub fn begin_some(&mut self, step: usize, needed: &[u32]) -> Result<(), SpillError> {
        while let Ok(done) = self.done.try_recv() {
            self.arrive(done)?;
        }
        self.fetch_pieces(needed, step, 0)?;
        self.wait_for(needed)
    }

    /// Waits until some pieces are in memory.
    fn wait_for(&mut self, needed: &[u32]) -> Result<(), SpillError> {
        for &number in needed {
            while !matches!(self.places[number as usize], Whereabouts::Here { .. }) {
                self.wait()?;
            }
        }
        Ok(())
    }

    /// Begins to read the pieces of a step that comes `ahead` steps after the present one; `false`
    /// if there is no room yet. The present one gets it anyway.
    fn fetch(&mut self, step: usize, ahead: usize) -> Result<bool, SpillError> {
        let needed = std::mem::take(&mut self.schedule.needs[step]);
        let fetched = self.fetch_pieces(&needed, step, ahead);
        self.schedule.needs[step] = needed;
        fetched
    }

    /// The same for some pieces.
    fn fetch_pieces(
        &mut self,
        needed: &[u32],
        step: usize,
        ahead: usize,
    ) -> Result<bool, SpillError> {
        let mut last_needed: Option<Vec<(usize, usize)>> = None;
        for &number in needed {
            let number = number as usize;
            match &mut self.places[number] {
                Whereabouts::OnDisk => {}
                Whereabouts::Going { stays } => {
                    *stays = true;
                    continue;
                }
                Whereabouts::Coming | Whereabouts::Here { .. } | Whereabouts::Taken { .. } => {
                    continue;
                }
            }
            let bytes = self.bytes(number);
            while self.used - self.going + bytes > self.capacity {
                let last_needed = last_needed.get_or_insert_with(|| self.by_distance(step));
                match last_needed.pop() {
                    Some((distance, last))
                        if distance > 0 && !self.is_needed(last, step, ahead) =>
                    {
                        self.give_up(last);
                    }
                    // It must stay until a step before this one is done.
                    _ if ahead > 0 => return Ok(false),
                    _ => break,
                }
            }
            while self.used + bytes > self.capacity && self.going > 0 && ahead == 0 {
                self.wait()?;
            }
            if self.used + bytes > self.capacity && ahead > 0 {
                return Ok(false);
            }
            let buffer = self.buffer(number)?;
            let (file, piece) = self.files.of(number);
            self.send(number, Transfer::Read(file.clone(), piece, buffer));
            self.places[number] = Whereabouts::Coming;
            self.used += bytes;
        }
        Ok(true)
    }

    /// The pieces in memory by when they are needed from a step on, the last ones at the end.
    fn by_distance(&self, step: usize) -> Vec<(usize, usize)> {
        let here = self.places.iter().enumerate();
        let here = here.filter(|(_, place)| matches!(place, Whereabouts::Here { .. }));
        let mut here: Vec<_> = here
            .map(|(number, _)| (self.schedule.distance(number, step), number))
            .collect();
        here.sort_unstable();
        here
    }

    /// Whether one of the `ahead` steps before a step needs a piece.
    fn is_needed(&self, piece: usize, step: usize, ahead: usize) -> bool {
        let steps = self.schedule.needs.len();
        let first = (step + steps - ahead % steps) % steps;
        ahead > 0 && self.schedule.distance(piece, first) < ahead
    }

    /// Gives up a piece in memory, which is written first if it has changed.
    fn give_up(&mut self, number: usize) {
        let bytes = self.bytes(number);
        let place = std::mem::replace(&mut self.places[number], Whereabouts::OnDisk);
        match place {
            Whereabouts::Here {
                buffer,
                has_changed: true,
            } => {
                let (file, piece) = self.files.of(number);
                self.send(number, Transfer::Write(file.clone(), piece, buffer));
                self.places[number] = Whereabouts::Going { stays: false };
                self.going += bytes;
            }
            Whereabouts::Here { buffer, .. } => {
                self.used -= bytes;
                self.spare.push(buffer);
            }
            // It is not here any more.
            other => self.places[number] = other,
        }
    }

    /// Waits for a thread.
    fn wait(&mut self) -> Result<(), SpillError> {
        let done = self.done.recv();
        self.arrive(done.expect("threads end after the pool"))
    }

    /// A piece has been read or written.
    fn arrive(&mut self, (number, result): Done) -> Result<(), SpillError> {
        let (buffer, moved) = result?;
        self.moved += moved as u64;
        let bytes = self.bytes(number);
        if let Whereabouts::Going { stays } = self.places[number] {
            self.going -= bytes;
            if !stays {
                self.used -= bytes;
                self.places[number] = Whereabouts::OnDisk;
                self.spare.push(buffer);
                return Ok(());
            }
        }
        self.places[number] = Whereabouts::Here {
            buffer,
            has_changed: false,
        };
        Ok(())
    }

    /// The `len` entries of a piece; none if it is not in memory.
    pub fn entries<E: Plain>(&self, number: usize, len: usize) -> &[E] {
        match &self.places[number] {
            Whereabouts::Here { buffer, .. } => buffer.entries(len),
            _ => &[],
        }
    }

    /// Takes a piece of the step, to change it.
    ///
    /// # Panics
    /// If it is not in memory.
    pub fn take(&mut self, number: usize) -> Buffer {
        match std::mem::replace(&mut self.places[number], Whereabouts::OnDisk) {
            Whereabouts::Here {
                buffer,
                has_changed,
            } => {
                self.places[number] = Whereabouts::Taken { has_changed };
                buffer
            }
            _ => panic!("a piece of the step is in memory"),
        }
    }

    /// Puts a piece back.
    pub fn put(&mut self, number: usize, buffer: Buffer, has_changed: bool) {
        let before = matches!(
            self.places[number],
            Whereabouts::Taken { has_changed: true }
        );
        self.places[number] = Whereabouts::Here {
            buffer,
            has_changed: has_changed || before,
        };
    }

    /// Writes what has changed: afterwards the files hold all entries. Returns how many bytes the
    /// pool has read and written.
    ///
    /// # Errors
    /// If a piece cannot be written.
    pub fn write_all(&mut self) -> Result<u64, SpillError> {
        for number in 0..self.places.len() {
            if let Whereabouts::Here {
                has_changed: true, ..
            } = self.places[number]
            {
                self.give_up(number);
                if let Whereabouts::Going { stays } = &mut self.places[number] {
                    *stays = true;
                }
            }
        }
        let is_moving =
            |place: &Whereabouts| matches!(place, Whereabouts::Coming | Whereabouts::Going { .. });
        while self.places.iter().any(is_moving) {
            self.wait()?;
        }
        Ok(self.moved)
    }

    /// Bytes of the buffer of a piece.
    fn bytes(&self, number: usize) -> u64 {
        let (file, _) = self.files.of(number);
        file.longest() as u64
    }

    /// A buffer for a piece: a spare one, or a new one in the place of spare ones.
    fn buffer(&mut self, number: usize) -> Result<Buffer, SpillError> {
        let bytes = self.bytes(number);
        let fits = |buffer: &Buffer| buffer.len() as u64 == bytes;
        if let Some(spare) = self.spare.iter().position(fits) {
            return Ok(self.spare.swap_remove(spare));
        }
        let of_spare = |spare: &[Buffer]| spare.iter().map(|b| b.len() as u64).sum::<u64>();
        while self.used + bytes + of_spare(&self.spare) > self.capacity {
            if self.spare.pop().is_none() {
                break;
            }
        }
        let (file, _) = self.files.of(number);
        file.buffer(bytes as usize)
    }

    fn send(&self, number: usize, job: Transfer) {
        let jobs = self.jobs.as_ref().expect("a pool at work");
        jobs.send((number, job))
            .expect("threads end after the pool");
    }
}

impl Drop for Pool {
    /// Waits for the threads, which finish what they have begun.
    fn drop(&mut self) {
        self.jobs = None;
        for thread in self.threads.drain(..) {
            // A thread that panicked has said so.
            let _ = thread.join();
        }
    }
}

/// Reads and writes until the pool ends.
fn work(jobs: &Mutex<Receiver<(usize, Transfer)>>, done: &Sender<Done>) {
    let mut stored = Buffer::empty();
    loop {
        let job = match jobs.lock() {
            Ok(jobs) => jobs.recv(),
            Err(_) => return,
        };
        let Ok((number, job)) = job else { return };
        let result = match job {
            Transfer::Read(file, piece, mut buffer) => {
                let read = file.read(piece, &mut buffer, &mut stored);
                read.map(|moved| (buffer, moved))
            }
            Transfer::Write(file, piece, buffer) => {
                let written = file.write(piece, &buffer, &mut stored);
                written.map(|moved| (buffer, moved))
            }
        };
        if done.send((number, result)).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::super::file::{SpillLayout, Writes};
    use super::*;

    /// Bytes of a page, and of the entries of a piece.
    const PAGE: usize = 4096;
    const PIECE: usize = PAGE;

    /// A pool of two files of six pieces, of a page each, with room for so many.
    fn pool(folder: &std::path::Path, pages: usize, schedule: Schedule) -> Pool {
        let mut files = PoolFiles::default();
        let layout = SpillLayout {
            lengths: vec![PIECE; 6],
            initial: vec![vec![0]; 2],
            writes: Writes::Often,
        };
        for file in layout.nameless(folder).unwrap().unwrap() {
            files.add(&Arc::new(file));
        }
        Pool::new(files, ((pages + THREADS) * PAGE) as u64, schedule).unwrap()
    }

    /// Waits until nothing is read or written.
    fn settle(pool: &mut Pool) {
        let is_moving =
            |place: &Whereabouts| matches!(place, Whereabouts::Coming | Whereabouts::Going { .. });
        while pool.places.iter().any(is_moving) {
            pool.wait().unwrap();
        }
    }

    fn here(pool: &Pool) -> Vec<usize> {
        let here = pool.places.iter().enumerate();
        let here = here.filter(|(_, place)| matches!(place, Whereabouts::Here { .. }));
        here.map(|(number, _)| number).collect()
    }

    /// What is read and given up in two rounds of a small schedule, in a pool of four pieces.
    #[test]
    fn what_is_needed_last_makes_room() {
        let needs = [vec![0, 1], vec![1, 2], vec![2, 3], vec![3, 4], vec![4, 0]];
        let folder = tempfile::tempdir().unwrap();
        let mut pool = pool(folder.path(), 4, Schedule::new(needs.to_vec(), true));
        let (mut told, mut before) = (String::new(), Vec::new());
        for step in (0..5).chain(0..5) {
            pool.begin(step).unwrap();
            settle(&mut pool);
            let now = here(&pool);
            let without = |a: &[usize], b: &[usize]| -> Vec<usize> {
                a.iter()
                    .copied()
                    .filter(|number| !b.contains(number))
                    .collect()
            };
            let (came, went) = (without(&now, &before), without(&before, &now));
            writeln!(told, "next {:?} in {came:?} out {went:?}", needs[step]).unwrap();
            before = now;
        }
        assert_eq!(
            told,
            "\
next [0, 1] in [0, 1, 2, 3] out []
next [1, 2] in [] out []
next [2, 3] in [] out []
next [3, 4] in [4] out [2]
next [4, 0] in [] out []
next [0, 1] in [] out []
next [1, 2] in [2] out [0]
next [2, 3] in [] out []
next [3, 4] in [] out []
next [4, 0] in [0] out [3]
"
        );
    }

    /// Random steps, which change some of their pieces: each finds what was written last,
    /// whatever the room.
    #[test]
    fn steps_find_what_those_before_have_written() {
        let mut random = fastrand::Rng::with_seed(7);
        let folder = tempfile::tempdir().unwrap();
        for pages in [0, 3, 5, 8, 20] {
            for repeats in [true, false] {
                let mut needs = Vec::new();
                for _ in 0..40 {
                    let count = random.usize(0..=4);
                    needs.push(random.choose_multiple(0..12, count));
                }
                let schedule = Schedule::new(needs.clone(), repeats);
                let mut pool = pool(folder.path(), pages, schedule);
                let mut right = [0; 12];
                let rounds = if repeats { 3 } else { 1 };
                for (step, needs) in needs.iter().enumerate().cycle().take(40 * rounds) {
                    // Some steps have nothing to do.
                    if random.u8(0..4) == 0 {
                        continue;
                    }
                    pool.begin(step).unwrap();
                    for &piece in needs {
                        let number = piece as usize;
                        let entries: &[u8] = pool.entries(number, PIECE);
                        assert!(entries.iter().all(|&entry| entry == right[number]));
                        if random.bool() {
                            let mut buffer = pool.take(number);
                            assert!(pool.entries::<u8>(number, PIECE).is_empty());
                            right[number] = random.u8(..);
                            buffer.entries_mut::<u8>(PIECE).fill(right[number]);
                            pool.put(number, buffer, true);
                        }
                    }
                }
                pool.write_all().unwrap();
                for (number, right) in right.into_iter().enumerate() {
                    let (file, piece) = pool.files.of(number);
                    let mut buffer = file.buffer(PAGE).unwrap();
                    file.read(piece, &mut buffer, &mut Buffer::empty()).unwrap();
                    let entries: &[u8] = buffer.entries(PIECE);
                    assert!(entries.iter().all(|&entry| entry == right));
                }
            }
        }
    }
}
