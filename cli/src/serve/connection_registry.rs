//! The open connections: whose they are, and which of them wait for a request.
//!
//! One client cannot take all connections. If all are taken, the one that has waited
//! longest for a request is closed for a new one: a client that sends nothing, or a byte
//! now and then, is worth less than one that asks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use super::client::Client;

/// All open connections.
#[derive(Debug, Default)]
pub struct ConnectionRegistry(Mutex<Connections>);

#[derive(Debug, Default)]
struct Connections {
    last: u64,
    open: HashMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    client: Client,
    /// Since when it waits for a request; `None` while it is answered.
    waiting_since: Option<Instant>,
    close: Arc<Notify>,
}

/// An open connection; it is removed when the last reference is dropped.
#[derive(Debug)]
pub struct Connection {
    registry: Arc<ConnectionRegistry>,
    number: u64,
    close: Arc<Notify>,
}

/// An answer in progress on a connection.
#[derive(Debug)]
pub struct Answering(Arc<Connection>);

impl ConnectionRegistry {
    fn lock(&self) -> MutexGuard<'_, Connections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a connection of a client; `None` if they have `limit` of them already.
    pub fn add(self: &Arc<Self>, client: Client, limit: usize) -> Option<Arc<Connection>> {
        let mut connections = self.lock();
        let entries = connections.open.values();
        if entries.filter(|entry| entry.client == client).count() >= limit {
            return None;
        }
        let close = Arc::new(Notify::new());
        let entry = Entry {
            client,
            waiting_since: Some(Instant::now()),
            close: close.clone(),
        };
        connections.last += 1;
        let number = connections.last;
        connections.open.insert(number, entry);
        Some(Arc::new(Connection {
            registry: self.clone(),
            number,
            close,
        }))
    }

    /// Closes the connection that has waited longest for a request, if it has waited for
    /// so long at least. Returns whether there was one.
    pub fn close_longest_waiting(&self, least: Duration) -> bool {
        let mut connections = self.lock();
        let now = Instant::now();
        let waiting = connections.open.values_mut().filter_map(|entry| {
            let since = entry.waiting_since?;
            (now.duration_since(since) >= least).then_some((since, entry))
        });
        let Some((_, entry)) = waiting.min_by_key(|(since, _)| *since) else {
            return false;
        };
        entry.waiting_since = None;
        entry.close.notify_one();
        true
    }

    fn set_waiting(&self, number: u64, since: Option<Instant>) {
        if let Some(entry) = self.lock().open.get_mut(&number) {
            entry.waiting_since = since;
        }
    }
}

impl Connection {
    /// Completes when the connection is to be closed.
    pub async fn closed(&self) {
        self.close.notified().await;
    }

    /// A request has come; it is being answered until the result is dropped.
    pub fn answering(self: &Arc<Self>) -> Answering {
        self.registry.set_waiting(self.number, None);
        Answering(self.clone())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.registry.lock().open.remove(&self.number);
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        let Connection {
            registry, number, ..
        } = &*self.0;
        registry.set_waiting(*number, Some(Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use futures_util::FutureExt;

    use super::*;

    fn client(n: u8) -> Client {
        Client::from(IpAddr::from([192, 0, 2, n]))
    }

    fn is_closed(connection: &Connection) -> bool {
        connection.closed().now_or_never().is_some()
    }

    #[test]
    fn a_client_has_a_limited_number_of_connections() {
        let registry = Arc::new(ConnectionRegistry::default());
        let first = registry.add(client(1), 2).unwrap();
        let _second = registry.add(client(1), 2).unwrap();
        assert!(registry.add(client(1), 2).is_none());
        let _other = registry.add(client(2), 2).unwrap();
        drop(first);
        assert!(registry.add(client(1), 2).is_some());
    }

    #[test]
    fn the_longest_waiting_connection_is_closed_first() {
        let registry = Arc::new(ConnectionRegistry::default());
        let add = |n| registry.add(client(n), 1).unwrap();
        let connections = [add(1), add(2), add(3)];
        // The first is being answered, so the second waits longest.
        let answering = connections[0].answering();
        assert!(!registry.close_longest_waiting(Duration::from_hours(1)));
        assert!(registry.close_longest_waiting(Duration::ZERO));
        let closed = |n: usize| is_closed(&connections[n]);
        assert_eq!([0, 1, 2].map(closed), [false, true, false]);
        assert!(registry.close_longest_waiting(Duration::ZERO));
        assert!(closed(2));
        assert!(!registry.close_longest_waiting(Duration::ZERO));
        drop(answering);
        assert!(registry.close_longest_waiting(Duration::ZERO));
        assert!(closed(0));
    }
}
