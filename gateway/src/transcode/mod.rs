//! Transcoding between the browsers' formats and protobuf.

mod form;
mod json;
pub mod reply;

use prost::Message;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind};

use crate::input::Input;
use crate::refused::Refused;
use crate::routes::Open;

/// Names tolerated in every call: the signature, and the user id that clients add to each form.
const TOLERATED: [&str; 2] = ["userId", "D"];

/// The encoded request message of a call.
/// Errors: an unknown field (calls that write), a repeated field, an invalid value.
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

/// An external name, truncated for display.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(40).collect()
}

/// Whether `field` may occur more than once.
fn is_many(field: &FieldDescriptor) -> bool {
    field.is_list()
}

/// The expected form of a value of this kind, for messages.
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

/// Rejects texts with a NUL character: PostgreSQL cannot store them.
fn text_value(field: &FieldDescriptor, text: &str) -> Result<prost_reflect::Value, Refused> {
    if text.contains('\0') {
        return Err(Refused::Invalid(format!(
            "参数 {} 含有不允许的字符",
            field.json_name()
        )));
    }
    Ok(prost_reflect::Value::String(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use proto::catalogue::calls;
    use proto::personal::v1::{GuideRequest, PopupRequest};
    use proto::process::v1::ModelCheckingRequest;

    const FORM: Option<&str> = Some("application/x-www-form-urlencoded");
    const JSON: Option<&str> = Some("application/json");

    fn open(id: &str) -> Open {
        let call = calls().iter().find(|c| c.id == id).unwrap();
        Open {
            call,
            address: call.address.parse().unwrap(),
            reply: reply::ReplyPlan::of(call),
        }
    }

    fn read<M: Message + Default>(id: &str, kind: Option<&str>, body: &str) -> Result<M, Refused> {
        let body = Bytes::from(body.to_owned());
        let input = Input::read("POST", kind, "", &body)?;
        let bytes = request(&open(id), &input, None)?;
        Ok(M::decode(bytes.as_slice()).unwrap())
    }

    #[test]
    fn forms_and_json_say_the_same() {
        let form: ModelCheckingRequest = read(
            "R02",
            FORM,
            "fileName=%E7%8E%AF.glb&fileSize=5368709120&modelType=1&D=x&userId=u1",
        )
        .unwrap();
        let json: ModelCheckingRequest = read(
            "R02",
            JSON,
            r#"{"fileName":"环.glb","fileSize":"5368709120","modelType":1,"userId":"u1","isJson":true,"sha256":null}"#,
        )
        .unwrap();
        assert_eq!(form, json);
        assert_eq!(form.file_size, 5_368_709_120);
    }

    #[test]
    fn what_a_call_that_writes_does_not_know_is_refused() {
        let refused = read::<GuideRequest>("P07", FORM, "location=1&hack=1");
        assert_eq!(refused, Err(Refused::UnknownField("hack".into())));
        let refused = read::<GuideRequest>("P07", JSON, r#"{"location":1,"user_id":"u1"}"#);
        assert_eq!(refused, Err(Refused::UnknownField("user_id".into())));
        assert!(read::<GuideRequest>("P06", FORM, "location=1&hack=1").is_ok());
    }

    #[test]
    fn wrong_values_are_named() {
        let wrong = |body: &str| match read::<ModelCheckingRequest>("R02", FORM, body) {
            Err(Refused::Invalid(message)) => message,
            other => panic!("{other:?}"),
        };
        assert_eq!(wrong("fileSize=big"), "参数 fileSize 应为整数");
        assert_eq!(wrong("modelType=99999999999"), "参数 modelType 应为整数");
        assert_eq!(wrong("fileName=a&fileName=b"), "参数 fileName 重复");
        assert_eq!(wrong("fileName=a%00b"), "参数 fileName 含有不允许的字符");
        assert_eq!(wrong("fileName=%FF"), "提交的内容不是有效的 UTF-8 文本");
        let deep = "[".repeat(5000);
        for body in ["{", "[]", "1", "{\"fileName\":1}", deep.as_str()] {
            let refused = read::<ModelCheckingRequest>("R02", JSON, body);
            assert!(matches!(refused, Err(Refused::Invalid(_))), "{body:.20}");
        }
    }

    #[test]
    fn an_empty_number_is_an_absent_one() {
        let absent: PopupRequest = read("P40", FORM, "type=").unwrap();
        assert_eq!(absent.r#type, None);
        let zero: PopupRequest = read("P40", FORM, "type=0").unwrap();
        assert_eq!(zero.r#type, Some(0));
    }
}
