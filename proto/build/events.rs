//! Generates the Rust code for events: the key of each message, the traits of the consumers, and the table of all events.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::messaging::{Event, Messaging, camel, method_of_key, owner, rust_type};

/// Code for the events of a package, and for those that its service consumes.
pub fn of_package(messaging: &Messaging, package: &str) -> String {
    let mut text = String::new();
    for event in &messaging.events {
        if event.message.starts_with(&format!("{package}.")) {
            text += &published(event);
        }
    }
    let service = owner(package);
    let consumed: Vec<&Event> = messaging
        .events
        .iter()
        .filter(|event| event.consumers.contains(&service))
        .collect();
    if !consumed.is_empty() {
        text += &consumer(&service, &consumed);
    }
    text
}

fn published(event: &Event) -> String {
    let (message, key) = (rust_type(&event.message), &event.key);
    let reach = match event.topic.is_empty() {
        true => "Internal",
        false => "Streamed",
    };
    format!(
        "impl crate::events::Published for {message} {{\n    const KEY: &'static str = {key:?};\n}}\n\
         impl crate::events::{reach} for {message} {{}}\n"
    )
}

/// A trait with one method per event, and the consumer that decodes and dispatches events.
fn consumer(service: &str, consumed: &[&Event]) -> String {
    let name = camel(service);
    let mut methods = String::new();
    let mut arms = String::new();
    for event in consumed {
        let (method, message) = (method_of_key(&event.key), rust_type(&event.message));
        let _ = write!(
            methods,
            "
    /// Handles `{key}`. An error rolls back, and the event is delivered again.
    fn {method}(
        &self,
        transaction: &Transaction,
        event: {message},
    ) -> impl Future<Output = anyhow::Result<()>> + Send;
",
            key = event.key
        );
        let _ = write!(
            arms,
            "
            {key:?} => {{
                let event = <{message} as prost::Message>::decode(body)?;
                self.0.{method}(transaction, event).await
            }}",
            key = event.key
        );
    }
    format!(
        "
/// The events that {service} handles: those that name it as a consumer in their events.proto.
pub trait {name}Events<Transaction: Sync>: Send + Sync {{{methods}}}

/// Decodes the events of {service} and passes each to its method of [`{name}Events`].
pub struct {name}Consumer<Handler>(pub Handler);

impl<Transaction, Handler> crate::events::Consumer<Transaction> for {name}Consumer<Handler>
where
    Transaction: Sync,
    Handler: {name}Events<Transaction>,
{{
    const NAME: &'static str = {service:?};

    async fn handle(&self, transaction: &Transaction, key: &str, body: &[u8]) -> anyhow::Result<()> {{
        match key {{{arms}
            // A key that the binding of another version still delivers.
            _ => Ok(()),
        }}
    }}
}}
"
    )
}

/// Table of all events and consumers, for carriers that do not know the messages.
pub fn table(messaging: &Messaging) -> String {
    let mut text = String::from(
        "/// Every event, in the order of the files.\npub const EVENTS: &[EventInfo] = &[\n",
    );
    for event in &messaging.events {
        let _ = writeln!(
            text,
            "    EventInfo {{ key: {:?}, message: {:?}, publisher: {:?}, topic: {:?}, consumers: &{:?} }},",
            event.key,
            event.message,
            event.publisher,
            Some(&event.topic).filter(|topic| !topic.is_empty()),
            event.consumers
        );
    }
    text += "];\n\n/// Every consumer with its keys, by name.\npub const CONSUMERS: &[ConsumerInfo] = &[\n";
    let names: BTreeSet<&String> = messaging.events.iter().flat_map(|e| &e.consumers).collect();
    for name in names {
        let consumed = messaging
            .events
            .iter()
            .filter(|e| e.consumers.contains(name));
        let keys: Vec<&String> = consumed.map(|event| &event.key).collect();
        let _ = writeln!(
            text,
            "    ConsumerInfo {{ name: {name:?}, keys: &{keys:?} }},"
        );
    }
    text + "];\n"
}
