//! From the outbox to those who carry events on: to the bus, and to topics where the service has some.
//!
//! A relay looks for rows without a mark, never for rows past a cursor: transactions do not commit in the order of their
//! rows. A row is marked only after it has been confirmed, so an event is published at least once.

mod bus;
pub(crate) mod health;
mod lag;
mod rounds;
#[cfg(feature = "servers")]
mod topics;

use crate::Context;
use crate::messaging::Outbox;
pub use health::{RelayHealth, Waiting};

impl Outbox {
    /// Starts the relay of this outbox to the bus, the one to the topics where the service has some, and the measurement of
    /// what waits for them.
    pub fn spawn_relays(&self, context: &Context) {
        let streams = context.stream.carries(context.service);
        #[cfg(feature = "servers")]
        if streams {
            topics::spawn(context, self.commits());
        }
        lag::spawn(context, streams);
        bus::spawn(self.clone(), context, streams);
    }
}

/// The tables that a relay needs.
#[cfg(test)]
struct Tables;

#[cfg(test)]
impl sea_orm_migration::MigratorTrait for Tables {
    fn migrations() -> Vec<Box<dyn sea_orm_migration::MigrationTrait>> {
        use crate::db::migration::{InboxAge, Messaging, Streaming, Undelivered};
        vec![
            Box::new(Messaging),
            Box::new(Streaming),
            Box::new(InboxAge),
            Box::new(Undelivered),
        ]
    }
}
