//! An event as a message of AMQP: its CloudEvents attributes are headers, its body the encoded message.

use lapin::BasicProperties;
use lapin::message::Delivery;
use lapin::types::{AMQPValue, FieldTable};

use crate::messaging::Event;

pub(super) fn text(value: &str) -> AMQPValue {
    AMQPValue::LongString(value.into())
}

/// CloudEvents attributes as headers (AMQP binding), and the trace context.
pub(super) fn properties_of(event: &Event) -> BasicProperties {
    let mut headers = FieldTable::default();
    headers.insert("cloudEvents:specversion".into(), text("1.0"));
    headers.insert("cloudEvents:id".into(), text(&event.id));
    headers.insert("cloudEvents:type".into(), text(&event.key));
    headers.insert("cloudEvents:source".into(), text("xuanlan"));
    headers.insert("cloudEvents:subject".into(), text(&event.aggregate));
    headers.insert(
        "cloudEvents:time".into(),
        AMQPValue::LongLongInt(event.time_ms),
    );
    headers.insert(
        "aggregateversion".into(),
        AMQPValue::LongLongInt(event.version),
    );
    headers.insert("traceparent".into(), text(&event.traceparent));
    BasicProperties::default()
        .with_delivery_mode(2)
        .with_content_type("application/protobuf".into())
        .with_message_id(event.id.as_str().into())
        .with_headers(headers)
}

/// The event of a message. Its key is the header's, since a message that comes out of the dead letters has another routing
/// key.
pub(super) fn event_of(delivery: &Delivery) -> Event {
    let headers = delivery.properties.headers();
    let id = delivery
        .properties
        .message_id()
        .as_ref()
        .map(|id| id.as_str().to_owned());
    let key = text_header(headers, "cloudEvents:type");
    Event {
        id: id.unwrap_or_default(),
        key: match key.is_empty() {
            true => delivery.routing_key.as_str().to_owned(),
            false => key,
        },
        aggregate: text_header(headers, "cloudEvents:subject"),
        version: number_header(headers, "aggregateversion"),
        time_ms: number_header(headers, "cloudEvents:time"),
        traceparent: text_header(headers, "traceparent"),
        body: delivery.data.clone(),
    }
}

fn header<'a>(headers: &'a Option<FieldTable>, name: &str) -> Option<&'a AMQPValue> {
    headers.as_ref()?.inner().get(name)
}

pub(super) fn text_header(headers: &Option<FieldTable>, name: &str) -> String {
    match header(headers, name) {
        Some(AMQPValue::LongString(value)) => value.to_string(),
        _ => String::new(),
    }
}

pub(super) fn number_header(headers: &Option<FieldTable>, name: &str) -> i64 {
    match header(headers, name) {
        Some(AMQPValue::LongLongInt(value)) => *value,
        Some(AMQPValue::LongInt(value)) => i64::from(*value),
        _ => 0,
    }
}
