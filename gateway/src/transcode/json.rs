//! Transcodes JSON to protobuf.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, ReflectMessage, Value};
use serde_json::Value as Json;

use super::{is_tolerated, shown, text_value, wrong};
use crate::refused::Refused;

/// A marker that clients put into JSON bodies.
const MARK: &str = "isJson";

/// Sets the fields of a message from a JSON body; an empty body means an empty object.
pub fn fill_from_bytes(
    message: &mut DynamicMessage,
    body: &[u8],
    strict: bool,
) -> Result<(), Refused> {
    if body.is_empty() {
        return Ok(());
    }
    // The parser limits the depth to 128.
    let json: Json = serde_json::from_slice(body)
        .map_err(|_| Refused::Invalid("提交的 JSON 无法解析".to_owned()))?;
    let Json::Object(object) = json else {
        return Err(Refused::Invalid("提交的 JSON 应为对象".to_owned()));
    };
    fill(message, object, strict)
}

fn fill(
    message: &mut DynamicMessage,
    object: serde_json::Map<String, Json>,
    strict: bool,
) -> Result<(), Refused> {
    let descriptor = message.descriptor();
    for (name, json) in object {
        match descriptor.get_field_by_json_name(&name) {
            Some(field) => set(message, &field, json)?,
            None if strict && !is_tolerated(&name) && name != MARK => {
                return Err(Refused::UnknownField(shown(&name)));
            }
            None => {}
        }
    }
    Ok(())
}

/// Sets a field; null leaves it unset.
pub fn set(
    message: &mut DynamicMessage,
    field: &FieldDescriptor,
    json: Json,
) -> Result<(), Refused> {
    if json.is_null() {
        return Ok(());
    }
    if field.is_map() {
        return set_map(message, field, json);
    }
    let kind = field.kind();
    if !field.is_list() {
        let value = single(field, &kind, json)?;
        message.set_field(field, value);
        return Ok(());
    }
    let Json::Array(items) = json else {
        return Err(Refused::Invalid(format!(
            "参数 {} 应为数组",
            field.json_name()
        )));
    };
    let mut values = Vec::with_capacity(items.len());
    for item in items {
        values.push(single(field, &kind, item)?);
    }
    message.set_field(field, Value::List(values));
    Ok(())
}

fn set_map(
    message: &mut DynamicMessage,
    field: &FieldDescriptor,
    json: Json,
) -> Result<(), Refused> {
    let (Json::Object(object), Kind::Message(entry)) = (json, field.kind()) else {
        return Err(wrong(field));
    };
    let key_kind = entry.map_entry_key_field().kind();
    let value_field = entry.map_entry_value_field();
    let mut map = std::collections::HashMap::new();
    for (name, json) in object {
        let key = match key_kind {
            Kind::String => MapKey::String(name),
            _ => return Err(wrong(field)),
        };
        map.insert(key, single(&value_field, &value_field.kind(), json)?);
    }
    message.set_field(field, Value::Map(map));
    Ok(())
}

/// Converts one JSON value; integers may come as strings of digits.
pub fn single(field: &FieldDescriptor, kind: &Kind, json: Json) -> Result<Value, Refused> {
    let value = match kind {
        Kind::String => match &json {
            Json::String(text) => text_value(field, text)?,
            _ => return Err(wrong(field)),
        },
        Kind::Bool => match json {
            Json::Bool(value) => Value::Bool(value),
            _ => return Err(wrong(field)),
        },
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => {
            let number = integer(field, &json)?;
            Value::I32(number.try_into().map_err(|_| wrong(field))?)
        }
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => {
            let number = integer(field, &json)?;
            Value::I64(number.try_into().map_err(|_| wrong(field))?)
        }
        Kind::Uint32 | Kind::Fixed32 => {
            let number = integer(field, &json)?;
            Value::U32(number.try_into().map_err(|_| wrong(field))?)
        }
        Kind::Uint64 | Kind::Fixed64 => {
            let number = integer(field, &json)?;
            Value::U64(number.try_into().map_err(|_| wrong(field))?)
        }
        Kind::Double => Value::F64(json.as_f64().ok_or_else(|| wrong(field))?),
        Kind::Float => Value::F32(json.as_f64().ok_or_else(|| wrong(field))? as f32),
        Kind::Bytes => {
            let text = json.as_str().ok_or_else(|| wrong(field))?;
            Value::Bytes(STANDARD.decode(text).map_err(|_| wrong(field))?.into())
        }
        Kind::Enum(choices) => {
            let text = json.as_str().ok_or_else(|| wrong(field))?;
            let choice = choices
                .get_value_by_name(text)
                .ok_or_else(|| wrong(field))?;
            Value::EnumNumber(choice.number())
        }
        Kind::Message(descriptor) => {
            let mut inner = DynamicMessage::new(descriptor.clone());
            if descriptor.full_name() == "google.protobuf.Struct" {
                fill_struct(field, &mut inner, json)?;
            } else {
                let Json::Object(object) = json else {
                    return Err(wrong(field));
                };
                fill(&mut inner, object, true)?;
            }
            Value::Message(inner)
        }
    };
    Ok(value)
}

fn fill_struct(
    field: &FieldDescriptor,
    message: &mut DynamicMessage,
    json: Json,
) -> Result<(), Refused> {
    // prost-reflect handles the well-known types; few calls use them.
    let parsed = DynamicMessage::deserialize(message.descriptor(), json);
    *message = parsed.map_err(|_| wrong(field))?;
    Ok(())
}

fn integer(field: &FieldDescriptor, json: &Json) -> Result<i128, Refused> {
    let number = match json {
        Json::Number(number) => number
            .as_i64()
            .map(i128::from)
            .or_else(|| number.as_u64().map(i128::from)),
        Json::String(text) => text.parse::<i64>().ok().map(i128::from),
        _ => None,
    };
    number.ok_or_else(|| wrong(field))
}
