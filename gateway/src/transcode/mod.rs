//! Between what browsers send and read, and protobuf.

mod form;
mod json;
pub mod reply;

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind};

use crate::input::Input;
use crate::refused::Refused;
use crate::routes::Open;

/// Names that every call tolerates: the signature, and the user id that clients add to each form.
const TOLERATED: [&str; 2] = ["userId", "D"];

/// The encoded request message of a call.
///
/// Errors: a field that the call does not know (calls that write), a field given twice, a value that does not fit.
pub fn request(
    open: &Open,
    input: &Input,
    captured: Option<(&str, &str)>,
) -> Result<Vec<u8>, Refused> {
    let descriptor = open.call.method.input();
    let mut message = DynamicMessage::new(descriptor.clone());
    let strict = open.call.writes;
    match input {
        Input::Json { body, query } => {
            if strict && let Some((name, _)) = query.iter().find(|(n, _)| !is_tolerated(n)) {
                return Err(Refused::UnknownField(shown(name)));
            }
            json::fill_from_bytes(&mut message, body, strict)?;
        }
        Input::Form { form, query, .. } => {
            if strict && let Some((name, _)) = query.iter().find(|(n, _)| !is_tolerated(n)) {
                return Err(Refused::UnknownField(shown(name)));
            }
            form::fill(&mut message, form, strict)?;
        }
        Input::Query { query } => form::fill(&mut message, query, strict)?,
    }
    if let Some((name, text)) = captured
        && let Some(field) = descriptor.get_field_by_json_name(name)
    {
        form::set(&mut message, &field, text)?;
    }
    Ok(message.encode_to_vec())
}

fn is_tolerated(name: &str) -> bool {
    TOLERATED.contains(&name)
}

/// A name from outside, short enough to be shown.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Whether `field` may be given more than once.
fn is_many(field: &FieldDescriptor) -> bool {
    field.is_list()
}

/// What a value of this kind looks like, for messages.
fn kind_name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Bool => "true 或 false",
        Kind::String => "文本",
        Kind::Double | Kind::Float => "数字",
        Kind::Message(_) => "JSON 对象",
        Kind::Bytes => "Base64 文本",
        Kind::Enum(_) => "约定的取值之一",
        _ => "整数",
    }
}

fn wrong(field: &FieldDescriptor) -> Refused {
    Refused::Invalid(format!(
        "参数 {} 应为{}",
        field.json_name(),
        kind_name(&field.kind())
    ))
}

/// Texts with a zero character are refused: PostgreSQL cannot keep them.
fn text_value(field: &FieldDescriptor, text: &str) -> Result<prost_reflect::Value, Refused> {
    if text.contains('\0') {
        return Err(Refused::Invalid(format!(
            "参数 {} 含有不允许的字符",
            field.json_name()
        )));
    }
    Ok(prost_reflect::Value::String(text.to_owned()))
}
