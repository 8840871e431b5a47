//! Reads the events and commands declared in the descriptors and checks their rules: a violation fails the build with a sentence
//! that names the message.

use std::collections::BTreeSet;

use prost_reflect::{
    DescriptorPool, DynamicMessage, Kind, MessageDescriptor, MethodDescriptor, ServiceDescriptor,
    Value,
    prost_types::{MethodOptions, method_options::IdempotencyLevel},
};

/// A message with the option `event`.
pub struct Event {
    pub key: String,
    /// For example `xuanlan.order.v1.OrderPaid`.
    pub message: String,
    /// The service of its package.
    pub publisher: String,
    /// Empty if it stays within the system.
    pub topic: String,
    pub consumers: Vec<String>,
}

/// A service with the option `commands`.
pub struct Commands {
    /// For example `xuanlan.order.v1.OrderCommands`.
    pub full_name: String,
    /// The service that handles them: `order`.
    pub service: String,
    pub commands: Vec<Command>,
}

pub struct Command {
    /// As sent: `Begin`.
    pub name: String,
    /// Full names of the messages.
    pub request: String,
    pub reply: String,
    /// It changes nothing: `idempotency_level = NO_SIDE_EFFECTS`.
    pub reads: bool,
}

pub struct Messaging {
    pub events: Vec<Event>,
    pub commands: Vec<Commands>,
}

/// Reads events and commands, in the order of the files. Error: the violated rule, and the offending message.
pub fn read(pool: &DescriptorPool) -> Result<Messaging, String> {
    let commands = pool
        .services()
        .filter(is_commands)
        .map(|service| read_commands(&service))
        .collect::<Result<_, _>>()?;
    let mut events = Vec::new();
    for message in pool.all_messages() {
        if let Some(event) = read_event(&message)? {
            events.push(event);
        }
    }
    let services = services(pool);
    for event in &events {
        check_event(event, &services)?;
    }
    check_unique(&events)?;
    check_parts(pool)?;
    Ok(Messaging { events, commands })
}

/// Services: packages with gRPC calls.
fn services(pool: &DescriptorPool) -> BTreeSet<String> {
    pool.services()
        .filter(|service| !is_commands(service))
        .map(|service| owner(service.package_name()))
        .collect()
}

/// `order` of `xuanlan.order.v1`.
pub fn owner(package: &str) -> String {
    package.split('.').nth(1).unwrap_or_default().to_owned()
}

fn read_event(message: &MessageDescriptor) -> Result<Option<Event>, String> {
    let Some(option) = option(message.parent_pool(), "event", message.options()) else {
        return Ok(None);
    };
    let Value::Message(option) = option else {
        return Ok(None);
    };
    let name = message.full_name();
    if !in_events_file(message) || message.parent_message().is_some() {
        return Err(format!(
            "{name}: events are messages of the first level in an events.proto"
        ));
    }
    let event = Event {
        key: text(&option, "key"),
        message: name.to_owned(),
        publisher: owner(message.package_name()),
        topic: text(&option, "topic"),
        consumers: texts(&option, "consumers"),
    };
    let routed = !event.topic.is_empty() || !event.consumers.is_empty();
    let reason = text(&option, "unrouted");
    if !routed && reason.is_empty() {
        return Err(format!(
            "{name}: an event needs a consumer or a topic, or `unrouted` has to say why it has neither"
        ));
    }
    if routed && !reason.is_empty() {
        return Err(format!(
            "{name}: it has a consumer or a topic, so it is not `unrouted`"
        ));
    }
    Ok(Some(event))
}

fn check_event(event: &Event, services: &BTreeSet<String>) -> Result<(), String> {
    let Event {
        key,
        message,
        publisher,
        topic,
        consumers,
    } = event;
    let parts: Vec<&str> = key.split('.').collect();
    let plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    if parts.len() != 3 || !parts.iter().all(|part| plain(part)) {
        return Err(format!(
            "{message}: the key {key:?} is not <publisher>.<thing>.<fact> in lower-case letters"
        ));
    }
    if !services.contains(publisher) {
        return Err(format!(
            "{message}: its publisher {publisher:?} is no service"
        ));
    }
    if parts[0] != publisher {
        return Err(format!(
            "{message}: the key {key:?} does not begin with its publisher {publisher:?}"
        ));
    }
    if !topic.is_empty() && !plain(topic) {
        return Err(format!("{message}: {topic:?} is no name of a topic"));
    }
    if let Some(consumer) = consumers.iter().find(|name| !services.contains(*name)) {
        return Err(format!(
            "{message}: its consumer {consumer:?} is no service"
        ));
    }
    if consumers.iter().collect::<BTreeSet<_>>().len() < consumers.len() {
        return Err(format!("{message}: it names a consumer twice"));
    }
    Ok(())
}

/// No two events may share a key or a handler name.
fn check_unique(events: &[Event]) -> Result<(), String> {
    for (at, event) in events.iter().enumerate() {
        let twin = events[..at]
            .iter()
            .find(|other| method_of_key(&other.key) == method_of_key(&event.key));
        if let Some(twin) = twin {
            return Err(format!(
                "{} and {} share the key {:?}",
                twin.message, event.message, event.key
            ));
        }
    }
    Ok(())
}

/// Every message of an events.proto must be an event or part of one, so that a forgotten option is noticed.
fn check_parts(pool: &DescriptorPool) -> Result<(), String> {
    let used: BTreeSet<String> = pool
        .all_messages()
        .flat_map(|message| message.fields().collect::<Vec<_>>())
        .filter_map(|field| match field.kind() {
            Kind::Message(part) => Some(part.full_name().to_owned()),
            _ => None,
        })
        .collect();
    for message in pool.all_messages() {
        let is_event = option(pool, "event", message.options()).is_some();
        let inner = message.parent_message().is_some();
        if in_events_file(&message) && !inner && !is_event && !used.contains(message.full_name()) {
            return Err(format!(
                "{}: neither an event nor a part of one; is its option `event` missing?",
                message.full_name()
            ));
        }
    }
    Ok(())
}

fn in_events_file(message: &MessageDescriptor) -> bool {
    message.parent_file().name().ends_with("/events.proto")
}

pub fn is_commands(service: &ServiceDescriptor) -> bool {
    let value = option(service.parent_pool(), "commands", service.options());
    matches!(value, Some(Value::Bool(true)))
}

fn read_commands(service: &ServiceDescriptor) -> Result<Commands, String> {
    let name = service.full_name();
    let owner = owner(service.package_name());
    if !services(service.parent_pool()).contains(&owner) {
        return Err(format!(
            "{name}: {owner:?}, which would handle it, is no service"
        ));
    }
    if service.name() != format!("{}Commands", camel(&owner)) {
        return Err(format!(
            "{name}: its name should be {}Commands",
            camel(&owner)
        ));
    }
    let read = |method: MethodDescriptor| {
        if method.is_client_streaming() || method.is_server_streaming() {
            return Err(format!("{}: a command is no stream", method.full_name()));
        }
        Ok(Command {
            name: method.name().to_owned(),
            request: method.input().full_name().to_owned(),
            reply: method.output().full_name().to_owned(),
            reads: has_no_side_effects(&method),
        })
    };
    Ok(Commands {
        full_name: name.to_owned(),
        service: owner,
        commands: service.methods().map(read).collect::<Result<_, _>>()?,
    })
}

fn has_no_side_effects(method: &MethodDescriptor) -> bool {
    let level = method
        .method_descriptor_proto()
        .options
        .as_ref()
        .map(MethodOptions::idempotency_level);
    level == Some(IdempotencyLevel::NoSideEffects)
}

/// The value of an option of `xuanlan.options.v1`; `None` if not set.
pub fn option(pool: &DescriptorPool, name: &str, options: DynamicMessage) -> Option<Value> {
    let extension = pool.get_extension_by_name(&format!("xuanlan.options.v1.{name}"))?;
    options
        .has_extension(&extension)
        .then(|| options.get_extension(&extension).into_owned())
}

pub fn text(message: &DynamicMessage, field: &str) -> String {
    match message.get_field_by_name(field).as_deref() {
        Some(Value::String(text)) => text.clone(),
        _ => String::new(),
    }
}

fn texts(message: &DynamicMessage, field: &str) -> Vec<String> {
    match message.get_field_by_name(field).as_deref() {
        Some(Value::List(values)) => values
            .iter()
            .filter_map(|value| value.as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    }
}

/// `payment_attempt_succeeded`: the method that handles a key.
pub fn method_of_key(key: &str) -> String {
    key.replace('.', "_")
}

/// `Order` for `order`.
pub fn camel(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// `begin_again` for `BeginAgain`.
pub fn snake(name: &str) -> String {
    let mut text = String::new();
    for (at, letter) in name.chars().enumerate() {
        if letter.is_ascii_uppercase() && at > 0 {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

/// The Rust function of an RPC; a Rust keyword becomes a raw identifier.
pub fn function(rpc: &str) -> String {
    let name = snake(rpc);
    match name.as_str() {
        "loop" | "match" | "move" | "return" | "type" | "use" => format!("r#{name}"),
        _ => name,
    }
}

/// The Rust type of a message: `crate::order::v1::OrderPaid` for `xuanlan.order.v1.OrderPaid`.
pub fn rust_type(message: &str) -> String {
    let path = message.split('.').skip(1).collect::<Vec<_>>();
    format!("crate::{}", path.join("::"))
}
