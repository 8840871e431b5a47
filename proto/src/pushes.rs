//! Pushes: messages delivered at most once, to the pages and processes that listen at that moment. Types and readers are generated
//! from the option `push` of the messages in `pushes.proto`.

use prost::Message;
use prost_reflect::{DeserializeOptions, DynamicMessage};
use serde_json::Value;

use crate::catalogue::pool;
use crate::json::{self, JsonError};

/// Address of pushes to all pages.
pub const EVERYBODY: &str = "#everybody";

/// A push message. It is sent as JSON with its type.
pub trait Pushed: Message + Default {
    /// Field `type` of the JSON.
    const TYPE: &'static str;
    /// Full name of the message.
    const MESSAGE: &'static str;
}

/// Received by browser pages of one user, or of all users.
pub trait ForPages: Pushed {}

/// Received by our own processes.
pub trait ForProcesses: Pushed {
    /// Address that they listen at.
    const ADDRESS: &'static str;
}

include!(concat!(env!("OUT_DIR"), "/pushes.rs"));

/// The JSON of a push.
///
/// Errors: it cannot be written as JSON.
pub fn write<P: Pushed>(push: &P) -> Result<String, JsonError> {
    let text = json::of(P::MESSAGE, &push.encode_to_vec())?;
    let mut value: Value = serde_json::from_slice(&text).map_err(JsonError::Unwritable)?;
    if let Some(fields) = value.as_object_mut() {
        fields.insert("type".to_owned(), P::TYPE.into());
    }
    Ok(value.to_string())
}

/// Parses a push from JSON; `None` if it is of another type. Fields added by newer versions are ignored.
///
/// Errors: the text is not JSON, or not that message.
pub fn read<P: Pushed>(text: &str) -> Result<Option<P>, JsonError> {
    let value: Value = serde_json::from_str(text).map_err(JsonError::Unwritable)?;
    if value.get("type").and_then(Value::as_str) != Some(P::TYPE) {
        return Ok(None);
    }
    let descriptor = pool()
        .get_message_by_name(P::MESSAGE)
        .ok_or_else(|| JsonError::Unknown(P::MESSAGE.to_owned()))?;
    let options = DeserializeOptions::new().deny_unknown_fields(false);
    let message = DynamicMessage::deserialize_with_options(descriptor, value, &options)
        .map_err(JsonError::Unwritable)?;
    message
        .transcode_to()
        .map(Some)
        .map_err(JsonError::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::v1::{CaptchaMade, TokensRevoked};
    use crate::content::v1::ContentChanged;
    use crate::personal::v1::{MessagesChanged, UnreadCounts};

    #[test]
    fn a_push_is_read_as_it_was_written() {
        let revoked = TokensRevoked {
            login_id: "1001".to_owned(),
            token_hashes: vec!["ab".to_owned()],
        };
        let text = write(&revoked).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["type"], "REVOKED");
        assert_eq!(value["loginId"], "1001");
        assert_eq!(read(&text).unwrap(), Some(revoked));
        assert_eq!(read::<ContentChanged>(&text).unwrap(), None);
        assert!(read::<TokensRevoked>("{").is_err());
        assert!(read::<TokensRevoked>(r#"{"type":"REVOKED","loginId":1}"#).is_err());
        let newer = r#"{"type":"REVOKED","loginId":"1","more":{}}"#;
        assert_eq!(read::<TokensRevoked>(newer).unwrap().unwrap().login_id, "1");
    }

    #[test]
    fn pages_get_numbers_as_numbers_and_nothing_for_what_is_absent() {
        let unread = UnreadCounts {
            total: 2,
            groups: [("system".to_owned(), 2)].into(),
        };
        let arrived = MessagesChanged {
            id: "7".to_owned(),
            group: "system".to_owned(),
            unread: Some(unread),
        };
        let value: Value = serde_json::from_str(&write(&arrived).unwrap()).unwrap();
        assert_eq!(value["unread"]["total"], 2);
        assert_eq!(value["unread"]["groups"]["system"], 2);
        let announced = MessagesChanged {
            unread: None,
            ..arrived
        };
        let value: Value = serde_json::from_str(&write(&announced).unwrap()).unwrap();
        assert!(value.get("unread").is_none_or(Value::is_null), "{value}");
        let solved = CaptchaMade {
            expires_at: 1_795_312_800_123,
            ..CaptchaMade::default()
        };
        let text = write(&solved).unwrap();
        assert_eq!(read::<CaptchaMade>(&text).unwrap().unwrap(), solved);
    }
}
