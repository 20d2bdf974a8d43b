//! All rooms: how many there are, who hears of their changes, and the file that keeps them over
//! a restart.

use std::collections::HashMap;
use std::fs;
use std::io::ErrorKind;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use krou::table::reason;
use tokio::sync::{Notify, Semaphore, watch};
use tracing::error;

use super::room::{Action, Room, RoomAnswer, RoomError, RoomToken, Seat};
use crate::files::write_private;
use crate::messages::print_message;

/// All rooms of a server.
pub struct Rooms {
    open: Mutex<HashMap<String, OpenRoom>>,
    /// The most rooms at a time.
    most: usize,
    /// It has the tokens of the players.
    file: Option<PathBuf>,
    /// Told when a room has changed.
    pub changed: Notify,
    /// One for each stream of events that may be open.
    pub streams: Arc<Semaphore>,
}

/// A room, and who hears of its changes.
struct OpenRoom {
    room: Room,
    /// The address that made it, so that nobody takes all places. It is never written.
    maker: Option<IpAddr>,
    changed: watch::Sender<()>,
}

impl OpenRoom {
    fn new(room: Room, maker: Option<IpAddr>) -> OpenRoom {
        let changed = watch::Sender::new(());
        OpenRoom {
            room,
            maker,
            changed,
        }
    }
}

impl Rooms {
    /// The rooms of a file, which is made if it is missing.
    ///
    /// # Errors
    /// If it cannot be read or written. A damaged one is told, and replaced at the next change.
    pub fn open(file: Option<&Path>, most: usize, streams: usize) -> Result<Rooms> {
        let rooms = file.map_or_else(|| Ok(HashMap::new()), read)?;
        let open = rooms.into_iter().take(most);
        let open = open.map(|(id, room)| (id, OpenRoom::new(room, None)));
        Ok(Rooms {
            open: Mutex::new(open.collect()),
            most,
            file: file.map(Path::to_owned),
            changed: Notify::new(),
            streams: Arc::new(Semaphore::new(streams)),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, OpenRoom>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a room and returns its id, which nobody can guess.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn add(&self, room: Room, maker: IpAddr) -> Result<String> {
        let id = format!("{:016x}", getrandom::u64()?);
        let mut open = self.lock();
        open.retain(|_, open| !open.room.is_old());
        while open.len() >= self.most
            && let Some(id) = dispensable(&open)
        {
            open.remove(&id);
        }
        open.insert(id.clone(), OpenRoom::new(room, Some(maker)));
        drop(open);
        self.changed.notify_one();
        Ok(id)
    }

    /// Does what a client asks for in a room. Returns what everybody sees of it then, and the
    /// client's seat.
    ///
    /// # Errors
    /// If there is no such room, or the action is refused.
    pub fn act(
        &self,
        id: &str,
        token: RoomToken,
        action: Action,
        played: (usize, char),
    ) -> Result<(RoomAnswer, Option<Seat>), RoomError> {
        let mut open = self.lock();
        let OpenRoom { room, changed, .. } = open.get_mut(id).ok_or(RoomError::NoRoom)?;
        let seat = room.seat(token, action);
        match seat {
            Some(seat) => {
                let acted = room.act(seat, action, played);
                changed.send_replace(());
                self.changed.notify_one();
                acted?;
            }
            // Everybody may watch.
            None if action == Action::Join => {}
            None => return Err(RoomError::NoSeat),
        }
        Ok((room.answer()?, seat))
    }

    /// What everybody sees of a room.
    ///
    /// # Errors
    /// If there is no such room.
    pub fn answer(&self, id: &str) -> Result<RoomAnswer, RoomError> {
        self.lock().get(id).ok_or(RoomError::NoRoom)?.room.answer()
    }

    /// Tells of the changes of a room, as long as there is one. Who is slow misses some.
    ///
    /// # Errors
    /// If there is no such room.
    pub fn changes(&self, id: &str) -> Result<watch::Receiver<()>, RoomError> {
        let open = self.lock();
        Ok(open.get(id).ok_or(RoomError::NoRoom)?.changed.subscribe())
    }

    /// Removes rooms that were left, and writes the others to the file. What fails is logged.
    pub fn save(&self) {
        let mut open = self.lock();
        open.retain(|_, open| !open.room.is_old());
        let Some(file) = &self.file else {
            return;
        };
        let rooms: HashMap<_, _> = open.iter().map(|(id, open)| (id, &open.room)).collect();
        let text = serde_json::to_vec(&rooms).expect("rooms are JSON");
        drop(rooms);
        drop(open);
        if let Err(failed) = write_private(file, &text, true) {
            let why = reason(failed);
            error!("the rooms cannot be written to {}: {why}", file.display());
        }
    }
}

/// The room that makes place for another: of the clients that made most, first one whose second
/// player has not come, then the one that was left for longest.
fn dispensable(open: &HashMap<String, OpenRoom>) -> Option<String> {
    let mut counts = HashMap::<IpAddr, usize>::new();
    for maker in open.values().filter_map(|open| open.maker) {
        *counts.entry(maker).or_default() += 1;
    }
    let rank = |open: &OpenRoom| {
        let count = open.maker.map_or(1, |maker| counts[&maker]);
        (count, !open.room.is_complete(), open.room.age())
    };
    let found = open.iter().max_by_key(|(_, open)| rank(open));
    found.map(|(id, _)| id.clone())
}

/// The rooms of a file.
fn read(file: &Path) -> Result<HashMap<String, Room>> {
    let name = file.display();
    let text = match fs::read(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let made = write_private(file, b"{}", false);
            made.with_context(|| format!("cannot write {name}"))?;
            return Ok(HashMap::new());
        }
        read => read.with_context(|| format!("cannot read {name}"))?,
    };
    let rooms = serde_json::from_slice::<HashMap<String, Room>>(&text).ok();
    let is_sound = |rooms: &HashMap<_, Room>| rooms.values().all(|room| room.game().is_ok());
    Ok(rooms.filter(is_sound).unwrap_or_else(|| {
        print_message(&format!(
            "warning: {name} is damaged: the server begins without rooms"
        ));
        HashMap::new()
    }))
}
