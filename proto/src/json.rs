//! Messages as JSON, for external readers without protobuf: proto3's mapping, but 64-bit numbers as numbers, and unset fields
//! included.

use prost_reflect::{DynamicMessage, SerializeOptions};

use crate::catalogue::pool;

#[derive(Debug)]
pub enum JsonError {
    /// `proto/` has no message of this name.
    Unknown(String),
    /// The bytes are not that message.
    Malformed(prost::DecodeError),
    /// The JSON could not be written, or not be read.
    Unwritable(serde_json::Error),
}

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "no message {name}"),
            Self::Malformed(error) => error.fmt(f),
            Self::Unwritable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for JsonError {}

/// The JSON of an encoded message, by its full name (`xuanlan.order.v1.OrderPaid`).
pub fn of(message: &str, encoded: &[u8]) -> Result<Vec<u8>, JsonError> {
    let descriptor = pool()
        .get_message_by_name(message)
        .ok_or_else(|| JsonError::Unknown(message.to_owned()))?;
    let decoded = DynamicMessage::decode(descriptor, encoded).map_err(JsonError::Malformed)?;
    let options = SerializeOptions::new()
        .stringify_64_bit_integers(false)
        .skip_default_fields(false);
    let mut json = Vec::new();
    decoded
        .serialize_with_options(&mut serde_json::Serializer::new(&mut json), &options)
        .map_err(JsonError::Unwritable)?;
    Ok(json)
}
