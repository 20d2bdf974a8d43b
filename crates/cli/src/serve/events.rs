//! Answers as a stream of server-sent events, which work sends as it learns more.

use std::convert::Infallible;

use axum::http::{HeaderName, HeaderValue};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use krou_answers::ErrorAnswer;
use serde::Serialize;
use tokio::sync::mpsc::{Sender, channel};
use tracing::{Instrument, Span};

use super::access_log;
use super::errors::ApiError;

/// Events that wait to be written; a worker that is ahead of the client waits too.
const QUEUED: usize = 16;

/// Where the work of an answer sends its events.
#[derive(Clone)]
pub struct EventSender(Sender<Event>);

impl EventSender {
    /// Sends an event from a task; nothing if the client has gone.
    pub async fn send(&self, name: &str, data: &impl Serialize) {
        let _ = self.0.send(event(name, data)).await;
    }

    /// Sends an event from a thread that may wait; nothing if the client has gone.
    pub fn blocking_send(&self, name: &str, data: &impl Serialize) {
        let _ = self.0.blocking_send(event(name, data));
    }
}

fn event(name: &str, data: &impl Serialize) -> Event {
    let event = Event::default().event(name);
    event
        .json_data(data)
        .expect("an answer is JSON on one line")
}

/// Answers with the events of this work. It is dropped when the client goes away; if it
/// fails, the last event is the error.
pub fn respond<W>(work: impl FnOnce(EventSender) -> W) -> Response
where
    W: Future<Output = Result<(), ApiError>> + Send + 'static,
{
    let (sender, mut receiver) = channel(QUEUED);
    let events = EventSender(sender);
    let work = work(events.clone());
    let span = Span::current();
    let work = async move {
        let done = tokio::select! {
            () = events.0.closed() => return,
            done = work => done,
        };
        if let Err(error) = done {
            access_log::partial_failure(&error);
            events.send("error", &ErrorAnswer::from(error)).await;
        }
    };
    tokio::spawn(work.instrument(span));
    let events = stream::poll_fn(move |context| {
        let next = receiver.poll_recv(context);
        next.map(|event| event.map(Ok::<_, Infallible>))
    });
    let mut response = Sse::new(events).into_response();
    // Proxies such as nginx would collect the events otherwise.
    let unbuffered = HeaderName::from_static("x-accel-buffering");
    let headers = response.headers_mut();
    headers.insert(unbuffered, HeaderValue::from_static("no"));
    response
}
