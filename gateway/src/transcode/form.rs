//! Transcodes forms and queries to protobuf.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use d3sig::Pair;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};

use super::{is_many, is_tolerated, json, shown, text_value, wrong};
use crate::refused::Refused;

/// Sets the fields of a message from pairs.
pub fn fill(message: &mut DynamicMessage, pairs: &[Pair], strict: bool) -> Result<(), Refused> {
    let descriptor = message.descriptor();
    let mut given: Vec<u32> = Vec::with_capacity(pairs.len());
    for (name, text) in pairs {
        let Some(field) = descriptor.get_field_by_json_name(name) else {
            if strict && !is_tolerated(name) {
                return Err(Refused::UnknownField(shown(name)));
            }
            continue;
        };
        let again = given.contains(&field.number());
        if again && !is_many(&field) {
            return Err(Refused::Invalid(format!("参数 {} 重复", field.json_name())));
        }
        given.push(field.number());
        set(message, &field, text)?;
    }
    Ok(())
}

/// Sets a field, or appends to it if it is repeated.
pub fn set(
    message: &mut DynamicMessage,
    field: &FieldDescriptor,
    text: &str,
) -> Result<(), Refused> {
    if field.is_map() {
        let parsed = parse_json(field, text)?;
        return json::set(message, field, parsed);
    }
    let Some(value) = value(field, text)? else {
        return Ok(());
    };
    if field.is_list() {
        if let Value::List(items) = message.get_field_mut(field) {
            items.push(value);
        }
    } else {
        message.set_field(field, value);
    }
    Ok(())
}

/// Parses one value; `None` for an empty text in a field that is not a string.
fn value(field: &FieldDescriptor, text: &str) -> Result<Option<Value>, Refused> {
    let kind = field.kind();
    if text.is_empty() && kind != Kind::String {
        return Ok(None);
    }
    let value = match kind {
        Kind::String => text_value(field, text)?,
        Kind::Bool => match text {
            "true" | "1" => Value::Bool(true),
            "false" | "0" => Value::Bool(false),
            _ => return Err(wrong(field)),
        },
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            Value::I32(text.parse().map_err(|_| wrong(field))?)
        }
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
            Value::I64(text.parse().map_err(|_| wrong(field))?)
        }
        Kind::Uint32 | Kind::Fixed32 => Value::U32(text.parse().map_err(|_| wrong(field))?),
        Kind::Uint64 | Kind::Fixed64 => Value::U64(text.parse().map_err(|_| wrong(field))?),
        Kind::Double => Value::F64(number(field, text)?),
        Kind::Float => Value::F32(number(field, text)? as f32),
        Kind::Bytes => Value::Bytes(STANDARD.decode(text).map_err(|_| wrong(field))?.into()),
        Kind::Enum(_) | Kind::Message(_) => {
            let parsed = match kind {
                Kind::Enum(_) => serde_json::Value::String(text.to_owned()),
                _ => parse_json(field, text)?,
            };
            return json::single(field, &kind, parsed).map(Some);
        }
    };
    Ok(Some(value))
}

fn number(field: &FieldDescriptor, text: &str) -> Result<f64, Refused> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(wrong(field)),
    }
}

fn parse_json(field: &FieldDescriptor, text: &str) -> Result<serde_json::Value, Refused> {
    serde_json::from_str(text).map_err(|_| wrong(field))
}
