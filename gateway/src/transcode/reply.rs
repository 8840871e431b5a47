//! Transcodes protobuf to JSON, written directly to the response buffer.
//! Default values are written, 64-bit integers are numbers, absent optional fields become null,
//! `google.protobuf.Struct` becomes a plain object, whole numbers have no fraction.

use std::collections::HashSet;
use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use prost_reflect::{
    DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, ReflectMessage, Value,
};
use proto::catalogue::{Call, is_encrypted};

use crate::refused::Refused;

/// How a call's reply becomes `datas`; built once per route.
pub struct ReplyPlan {
    output: MessageDescriptor,
    /// The field that becomes `datas`; `None`: the whole message.
    datas: Option<FieldDescriptor>,
    /// The field with a message for the caller.
    note: Option<FieldDescriptor>,
    /// Fields to encrypt, as message name and field number; usually empty.
    encrypted: HashSet<(String, u32)>,
}

/// The recipient of encrypted fields.
pub struct Reader<'a> {
    pub token: &'a str,
    pub client_id: &'a str,
    pub kid: &'a str,
    pub user_id: &'a str,
}

/// Largest integer that a double represents exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl ReplyPlan {
    pub fn of(call: &Call) -> Self {
        let output = call.method.output();
        let mut encrypted = HashSet::new();
        let mut seen = HashSet::new();
        find_encrypted(&output, &mut encrypted, &mut seen);
        Self {
            datas: output.get_field_by_json_name(&call.datas),
            note: output.get_field_by_json_name(&call.note),
            output,
            encrypted,
        }
    }

    /// Errors: a reply that is not of the call's type.
    pub fn decode(&self, reply: Bytes) -> Result<DynamicMessage, Refused> {
        DynamicMessage::decode(self.output.clone(), reply)
            .map_err(|error| Refused::Internal(format!("reply does not decode: {error}")))
    }

    /// The message for the caller besides the result.
    pub fn note(&self, message: &DynamicMessage) -> Option<String> {
        let text = message.get_field(self.note.as_ref()?);
        let text = text.as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned)
    }

    /// Writes `datas` of a reply. `reader` is the signed-in caller; without one nothing is encrypted.
    pub fn write(
        &self,
        message: &DynamicMessage,
        reader: Option<&Reader>,
        out: &mut Vec<u8>,
    ) -> Result<(), Refused> {
        if self.output.fields().len() == 0 {
            out.extend_from_slice(b"null");
            return Ok(());
        }
        let writer = Writer {
            plan: self,
            reader: reader.filter(|_| !self.encrypted.is_empty()),
        };
        match &self.datas {
            Some(field) => writer.field(message, field, out),
            None => writer.message(message, out),
        }
    }
}

fn find_encrypted(
    message: &MessageDescriptor,
    found: &mut HashSet<(String, u32)>,
    seen: &mut HashSet<String>,
) {
    if !seen.insert(message.full_name().to_owned()) {
        return;
    }
    for field in message.fields() {
        if is_encrypted(&field) {
            found.insert((message.full_name().to_owned(), field.number()));
        }
        if let Kind::Message(inner) = field.kind() {
            find_encrypted(&inner, found, seen);
        }
    }
}

struct Writer<'a> {
    plan: &'a ReplyPlan,
    reader: Option<&'a Reader<'a>>,
}

impl Writer<'_> {
    fn message(&self, message: &DynamicMessage, out: &mut Vec<u8>) -> Result<(), Refused> {
        let descriptor = message.descriptor();
        if descriptor.full_name() == "google.protobuf.Struct" {
            return write_struct(message, out);
        }
        out.push(b'{');
        let mut first = true;
        for field in descriptor.fields() {
            if !first {
                out.push(b',');
            }
            first = false;
            write_text(field.json_name(), out);
            out.push(b':');
            self.field(message, &field, out)?;
        }
        out.push(b'}');
        Ok(())
    }

    fn field(
        &self,
        message: &DynamicMessage,
        field: &FieldDescriptor,
        out: &mut Vec<u8>,
    ) -> Result<(), Refused> {
        if field.supports_presence() && !message.has_field(field) {
            out.extend_from_slice(b"null");
            return Ok(());
        }
        let value = message.get_field(field);
        if let (Some(reader), Value::String(text)) = (self.reader, value.as_ref()) {
            let name = (message.descriptor().full_name().to_owned(), field.number());
            if self.plan.encrypted.contains(&name) {
                write_text(&encrypt(reader, field, text)?, out);
                return Ok(());
            }
        }
        self.value(&value, &field.kind(), out)
    }

    fn value(&self, value: &Value, kind: &Kind, out: &mut Vec<u8>) -> Result<(), Refused> {
        match value {
            Value::Bool(true) => out.extend_from_slice(b"true"),
            Value::Bool(false) => out.extend_from_slice(b"false"),
            Value::I32(number) => write_display(number, out),
            Value::I64(number) => write_display(number, out),
            Value::U32(number) => write_display(number, out),
            Value::U64(number) => write_display(number, out),
            Value::F32(number) => write_number(f64::from(*number), out),
            Value::F64(number) => write_number(*number, out),
            Value::String(text) => write_text(text, out),
            Value::Bytes(bytes) => write_text(&STANDARD.encode(bytes), out),
            Value::EnumNumber(number) => match kind {
                Kind::Enum(choices) => match choices.get_value(*number) {
                    Some(choice) => write_text(choice.name(), out),
                    None => write_display(number, out),
                },
                _ => write_display(number, out),
            },
            Value::Message(message) => self.message(message, out)?,
            Value::List(items) => {
                out.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    self.value(item, kind, out)?;
                }
                out.push(b']');
            }
            Value::Map(map) => {
                let Kind::Message(entry) = kind else {
                    return Err(Refused::Internal("a map without entries".to_owned()));
                };
                let value_kind = entry.map_entry_value_field().kind();
                let mut entries: Vec<(String, &Value)> =
                    map.iter().map(|(k, v)| (key_text(k), v)).collect();
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                out.push(b'{');
                for (index, (key, value)) in entries.into_iter().enumerate() {
                    if index > 0 {
                        out.push(b',');
                    }
                    write_text(&key, out);
                    out.push(b':');
                    self.value(value, &value_kind, out)?;
                }
                out.push(b'}');
            }
        }
        Ok(())
    }
}

fn encrypt(reader: &Reader, field: &FieldDescriptor, text: &str) -> Result<String, Refused> {
    d3sig::encrypt_credential(
        reader.token,
        reader.client_id,
        reader.kid,
        field.json_name(),
        reader.user_id,
        text,
        &d3sig::fresh_salt(),
    )
    .map_err(|error| Refused::Internal(format!("field not encrypted: {error}")))
}

fn key_text(key: &MapKey) -> String {
    match key {
        MapKey::Bool(key) => key.to_string(),
        MapKey::I32(key) => key.to_string(),
        MapKey::I64(key) => key.to_string(),
        MapKey::U32(key) => key.to_string(),
        MapKey::U64(key) => key.to_string(),
        MapKey::String(key) => key.clone(),
    }
}

/// A JSON string.
pub fn write_text(text: &str, out: &mut Vec<u8>) {
    // Writing text to memory cannot fail.
    let _ = serde_json::to_writer(out, text);
}

fn write_display(number: &impl std::fmt::Display, out: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = write!(out, "{number}");
}

fn write_number(number: f64, out: &mut Vec<u8>) {
    if number.fract() == 0.0 && number.abs() < EXACT {
        write_display(&(number as i64), out);
    } else if number.is_finite() {
        let _ = serde_json::to_writer(out, &number);
    } else {
        // JSON has no such number.
        out.extend_from_slice(b"null");
    }
}

/// A `google.protobuf.Struct` as a plain object, keys in order.
fn write_struct(message: &DynamicMessage, out: &mut Vec<u8>) -> Result<(), Refused> {
    let fields = message.get_field_by_name("fields");
    let Some(Value::Map(map)) = fields.as_deref() else {
        return Err(Refused::Internal("a Struct without fields".to_owned()));
    };
    let mut entries: Vec<(&str, &Value)> = Vec::with_capacity(map.len());
    for (key, value) in map {
        if let MapKey::String(key) = key {
            entries.push((key, value));
        }
    }
    entries.sort_by_key(|(key, _)| *key);
    out.push(b'{');
    for (index, (key, value)) in entries.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        write_text(key, out);
        out.push(b':');
        write_any(value, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// A `google.protobuf.Value`.
fn write_any(value: &Value, out: &mut Vec<u8>) -> Result<(), Refused> {
    let Value::Message(message) = value else {
        return Err(Refused::Internal("not a Value".to_owned()));
    };
    let Some((field, value)) = message.fields().next() else {
        out.extend_from_slice(b"null");
        return Ok(());
    };
    match (field.name(), value) {
        ("number_value", Value::F64(number)) => write_number(*number, out),
        ("string_value", Value::String(text)) => write_text(text, out),
        ("bool_value", Value::Bool(flag)) => write_display(flag, out),
        ("struct_value", Value::Message(inner)) => write_struct(inner, out)?,
        ("list_value", Value::Message(list)) => {
            let values = list.get_field_by_name("values");
            let Some(Value::List(items)) = values.as_deref() else {
                return Err(Refused::Internal("a ListValue without values".to_owned()));
            };
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write_any(item, out)?;
            }
            out.push(b']');
        }
        _ => out.extend_from_slice(b"null"),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use prost::Message;
    use prost_types::value::Kind as Any;
    use proto::catalogue::calls;
    use proto::personal::v1 as personal;
    use proto::process::v1 as process;

    fn datas(id: &str, reply: &impl Message, reader: Option<&Reader>) -> serde_json::Value {
        let call = calls().iter().find(|c| c.id == id).unwrap();
        let mut out = Vec::new();
        let bytes = Bytes::from(reply.encode_to_vec());
        let plan = ReplyPlan::of(call);
        let message = plan.decode(bytes).unwrap();
        plan.write(&message, reader, &mut out).unwrap();
        serde_json::from_slice(&out).unwrap()
    }

    #[test]
    fn defaults_are_written_and_what_is_absent_is_null() {
        let info = personal::UserInfo {
            user_id: "u1".into(),
            nick_name: Some("a\"b\n环".into()),
            create_time: 9_007_199_254_740_993,
            ..Default::default()
        };
        let json = datas("P01", &info, None);
        assert_eq!(json["userId"], "u1");
        assert_eq!(json["nickName"], "a\"b\n环");
        assert_eq!(json["createTime"].as_i64(), Some(9_007_199_254_740_993));
        assert_eq!(json["checkStatus"], 0);
        assert_eq!(json["accountNumber"], "");
        assert!(json["memberStatus"].is_null() && json.get("memberStatus").is_some());
        assert!(json["companyDetailInfo"].is_null());
    }

    #[test]
    fn datas_follows_the_option() {
        assert_eq!(
            datas("P06", &personal::GuideReply { read: true }, None),
            true
        );
        assert_eq!(
            datas("P06", &personal::GuideReply { read: false }, None),
            false
        );
        let none = personal::UploadSettings { settings: vec![] };
        assert_eq!(datas("P44", &none, None), serde_json::json!([]));
        let empty = proto::common::v1::Empty {};
        assert!(datas("P07", &empty, None).is_null());
    }

    #[test]
    fn a_struct_becomes_a_plain_object() {
        let value = |kind| prost_types::Value { kind: Some(kind) };
        let list = prost_types::ListValue {
            values: vec![value(Any::NumberValue(1.5)), value(Any::NullValue(0))],
        };
        let fields = [
            ("triangles".to_owned(), value(Any::NumberValue(120_000.0))),
            ("zero".to_owned(), value(Any::NumberValue(0.0))),
            ("list".to_owned(), value(Any::ListValue(list))),
            ("good".to_owned(), value(Any::BoolValue(true))),
        ];
        let file = process::SourceFile {
            report: Some(prost_types::Struct {
                fields: fields.into_iter().collect(),
            }),
            ..Default::default()
        };
        let json = datas("X02", &file, None);
        assert_eq!(
            json["report"].to_string(),
            r#"{"good":true,"list":[1.5,null],"triangles":120000,"zero":0}"#
        );
        assert!(datas("X02", &process::SourceFile::default(), None)["report"].is_null());
    }

    #[test]
    fn marked_fields_are_encrypted_for_who_is_signed_in() {
        let param = personal::StorageParam {
            ak: Some("key".into()),
            server: "https://store.test".into(),
            expiration: Some(5),
            ..Default::default()
        };
        let reader = Reader {
            token: "t1",
            client_id: "web",
            kid: "k1",
            user_id: "u1",
        };
        let json = datas("P39", &param, Some(&reader));
        for (field, plain) in [("ak", "key"), ("server", "https://store.test")] {
            let value = json[field].as_str().unwrap();
            let opened = d3sig::decrypt_credential("t1", "web", field, "u1", value);
            assert_eq!(opened.as_deref(), Ok(plain));
        }
        assert!(json["sk"].is_null());
        assert_eq!(json["expiration"], 5);
        assert_eq!(datas("P39", &param, None)["server"], "https://store.test");
    }
}
