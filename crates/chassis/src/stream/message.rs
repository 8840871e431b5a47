//! An event as a message of Kafka: a CloudEvent with a JSON body.

use super::{Stream, StreamError};
use crate::messaging::Event;

/// An event as it leaves: topic, headers and body.
pub(crate) struct Message {
    pub(super) topic: String,
    pub(super) key: String,
    pub(super) time_ms: i64,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Vec<u8>,
}

impl Message {
    /// CloudEvents 1.0 in binary mode, as the protocol binding for Kafka says.
    pub(crate) fn of(stream: &Stream, event: &Event) -> Result<Option<Self>, StreamError> {
        let streamed = proto::events::of_key(&event.key).and_then(|info| Some((info, info.topic?)));
        let Some((info, topic)) = streamed else {
            return Ok(None);
        };
        let body =
            proto::json::of(info.message, &event.body).map_err(|cause| StreamError::Event {
                id: event.id.clone(),
                cause,
            })?;
        let mut headers = vec![
            ("ce_specversion", "1.0".to_owned()),
            ("ce_id", event.id.clone()),
            (
                "ce_source",
                format!("/{}/{}", stream.config.namespace, info.publisher),
            ),
            ("ce_type", event.key.clone()),
            ("ce_time", rfc3339(event.time_ms)),
            ("ce_subject", event.aggregate.clone()),
            ("ce_version", event.version.to_string()),
            ("content-type", "application/json".to_owned()),
        ];
        if !event.traceparent.is_empty() {
            headers.push(("traceparent", event.traceparent.clone()));
        }
        Ok(Some(Self {
            topic: stream.topic(topic),
            key: event.aggregate.clone(),
            time_ms: event.time_ms,
            headers,
            body,
        }))
    }
}

/// In UTC, to the millisecond; empty for a time no calendar has.
fn rfc3339(unix_ms: i64) -> String {
    let nanoseconds = i128::from(unix_ms) * 1_000_000;
    time::OffsetDateTime::from_unix_timestamp_nanos(nanoseconds)
        .ok()
        .and_then(|moment| {
            moment
                .format(&time::format_description::well_known::Rfc3339)
                .ok()
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use prost::Message as _;

    use super::*;
    use crate::Settings;

    fn stream(url: &str) -> Result<Stream, StreamError> {
        let text = format!("[stream]\nurl = \"{url}\"");
        Stream::open(&Settings::load_from(&[&text], None, Vec::new()).unwrap())
    }

    #[test]
    fn an_event_becomes_a_cloud_event_with_a_json_body() {
        let stream = stream("kafka://a:1").unwrap();
        let ended = proto::order::v1::OrderEnded {
            order_id: "o1".into(),
            owner: "u1".into(),
            state: "expired".into(),
            ended_at_ms: 9_007_199_254_740_993,
            order_no: String::new(),
        };
        let event = Event {
            id: "e1".into(),
            key: "order.order.ended".into(),
            aggregate: "o1".into(),
            version: 3,
            time_ms: 1_700_000_000_123,
            traceparent: String::new(),
            body: ended.encode_to_vec(),
        };
        let message = Message::of(&stream, &event).unwrap().unwrap();
        assert_eq!(
            (message.topic.as_str(), message.key.as_str()),
            ("xuanlan.orders", "o1")
        );
        assert!(
            message
                .headers
                .contains(&("ce_time", "2023-11-14T22:13:20.123Z".to_owned()))
        );
        assert!(
            !message
                .headers
                .iter()
                .any(|(name, _)| *name == "traceparent")
        );
        let text = String::from_utf8(message.body).unwrap();
        assert!(text.contains("\"endedAtMs\":9007199254740993"), "{text}");
        let inner = Event {
            key: "auth.account.registered".into(),
            ..event.clone()
        };
        assert!(Message::of(&stream, &inner).unwrap().is_none());
        let broken = Event {
            body: vec![0xff],
            ..event
        };
        assert!(Message::of(&stream, &broken).is_err());
    }
}
