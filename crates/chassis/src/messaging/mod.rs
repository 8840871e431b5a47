//! Events of a service: what they are, the outbox they are written to and the inbox that makes a consumer handle each once.
//!
//! Nothing here knows a bus. [`crate::bus`] and [`crate::stream`] carry events, [`crate::relay`] takes them out of the outbox.

pub mod event;
pub mod inbox;
pub mod outbox;
pub(crate) mod undelivered;

pub use event::{Event, Handler};
pub use outbox::Outbox;
