//! The published contract: OpenAPI 3.0 generated from the descriptors, including their comments.
//!
//! `proto/openapi.json` and, for the operators' console, `proto/openapi-console.json` are the checked-in copies; a test fails when
//! they differ. `cargo run -p xuanlan-proto` prints the first, with the argument `console` the second.

use std::collections::BTreeMap;

use prost_reflect::{Cardinality, FieldDescriptor, FileDescriptor, Kind, MessageDescriptor};
use serde_json::{Map, Value, json};

use crate::catalogue::{
    Access, Body, Call, calls, capitalized, is_encrypted, is_secret, pool, rule, service_of,
};
use crate::pushes;

const PUBLIC: &str = "Every call carries the headers client-id and client-secret and a signature (docs/signature.md): form bodies the field D, JSON bodies the header md5, GET requests the parameter D. Every answer is the envelope {resp_code, resp_msg, datas}; resp_code 60000 is success, docs/errors.md lists the others. Pages receive pushes over /ws (STOMP, /queue/{loginId}): JSON whose field `type` names one of x-pushes.";
const CONSOLE: &str = "Calls of the operators' console, served at its own address only (docs/console.md): JSON bodies, the operator's token in the header Authorization, no signature, from pages of the same origin. x-permission, x-reason, x-fresh are the permission, the reason and the recent confirmation that a call requires besides the token. Every answer is the envelope {resp_code, resp_msg, datas}; resp_code 60000 is success, docs/errors.md lists the others.";

/// The public contract, pretty-printed, with a final newline; without the console.
pub fn document() -> String {
    written("玄览云 Xuanlan", PUBLIC, pushes::FOR_PAGES, |call| {
        !call.is_console()
    })
}

/// The contract of the operators' console.
pub fn console_document() -> String {
    written("玄览云 Xuanlan 运营后台", CONSOLE, &[], Call::is_console)
}

/// `pushes`: type and message of the pushes that pages receive.
fn written(
    title: &str,
    description: &str,
    pushes: &[(&str, &str)],
    which: impl Fn(&Call) -> bool,
) -> String {
    let mut schemas = BTreeMap::new();
    let mut paths = Map::new();
    for call in calls().iter().filter(|call| which(call)) {
        let operation = operation(call, &mut schemas);
        paths.insert(call.path.clone(), json!({ "post": operation }));
    }
    let mut received = Map::new();
    for (kind, message) in pushes {
        if let Some(message) = pool().get_message_by_name(message) {
            let reference = message_reference(&message, &mut schemas);
            received.insert((*kind).to_owned(), reference);
        }
    }
    let mut document = json!({
        "openapi": "3.0.3",
        "info": {
            "title": title,
            "version": env!("CARGO_PKG_VERSION"),
            "description": description
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": { "bearer": { "type": "http", "scheme": "bearer" } }
        }
    });
    if !received.is_empty() {
        document["x-pushes"] = Value::Object(received);
    }
    // Serialising a Value cannot fail.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn operation(call: &Call, schemas: &mut BTreeMap<String, Value>) -> Value {
    let input = call.method.input();
    let output = call.method.output();
    let comment = comment_of(&call.method.parent_file(), call.method.path());
    let mut operation = json!({
        "operationId": operation_id(call),
        "tags": [call.service],
        "summary": comment.lines().next().unwrap_or_default(),
        "description": comment,
        "x-call": call.id,
        "x-access": access_name(call.access),
        "x-effect": if call.writes { "write" } else { "read" },
        "responses": {
            "200": {
                "description": "The envelope",
                "content": { "application/json": { "schema": {
                    "type": "object",
                    "required": ["resp_code", "resp_msg", "datas"],
                    "properties": {
                        "resp_code": { "type": "integer", "description": successes(call) },
                        "resp_msg": { "type": "string" },
                        "datas": datas_schema(call, &output, schemas),
                    }
                } } }
            }
        }
    });
    let reference = message_reference(&input, schemas);
    let kind = match call.body {
        Body::Form => "application/x-www-form-urlencoded",
        Body::Json => "application/json",
    };
    operation["requestBody"] =
        json!({ "required": true, "content": { kind: { "schema": reference } } });
    if let Some(name) = captured(&call.path) {
        let parameter = json!({
            "name": name, "in": "path", "required": true, "schema": { "type": "string" },
        });
        operation["parameters"] = json!([parameter]);
    }
    for (name, kinds) in [("x-reads", &call.reads), ("x-changes", &call.changes)] {
        if !kinds.is_empty() {
            operation[name] = json!(kinds);
        }
    }
    if call.uncached {
        operation["x-uncached"] = json!(true);
    }
    if call.token_endpoint {
        operation["x-token-endpoint"] = json!(true);
    }
    if call.is_console() {
        operation["x-permission"] = json!(call.permission);
        operation["x-reason"] = json!(call.reason);
        operation["x-fresh"] = json!(call.fresh);
        operation["x-audited"] = json!(call.is_audited());
    }
    if matches!(call.access, Access::Login | Access::Operator) {
        operation["security"] = json!([{ "bearer": [] }]);
    }
    operation
}

fn successes(call: &Call) -> String {
    match call.note.is_empty() {
        true => format!("{} is success", call.success),
        false => format!(
            "{} is success; {} too, with a message for the caller",
            call.success,
            crate::code::NOTED
        ),
    }
}

/// The path segment that is a request field: `operation` in `/attention/{operation}`.
fn captured(path: &str) -> Option<&str> {
    Some(path.split_once('{')?.1.split_once('}')?.0)
}

/// `userIsExist` for `UserIsExist`, the base of the names of the frontend's generated hooks; `worksLabelCate` where two services
/// have an RPC of that name.
fn operation_id(call: &Call) -> String {
    let name = call.method.name();
    let is_namesake =
        |other: &&Call| other.method.name() == name && other.is_console() == call.is_console();
    if calls().iter().filter(is_namesake).count() > 1 {
        return format!("{}{name}", call.service);
    }
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

fn access_name(access: Access) -> &'static str {
    match access {
        Access::Public => "public",
        Access::Optional => "optional",
        Access::Login => "login",
        Access::Operator => "operator",
    }
}

fn datas_schema(
    call: &Call,
    output: &MessageDescriptor,
    schemas: &mut BTreeMap<String, Value>,
) -> Value {
    if output.fields().len() == 0 {
        return json!({ "nullable": true, "type": "object" });
    }
    match output.get_field_by_json_name(&call.datas) {
        Some(field) => field_schema(&field, schemas),
        None => message_reference(output, schemas),
    }
}

fn message_reference(message: &MessageDescriptor, schemas: &mut BTreeMap<String, Value>) -> Value {
    if message.full_name() == "google.protobuf.Struct" {
        return json!({ "type": "object", "additionalProperties": true });
    }
    let name = schema_name(message);
    if !schemas.contains_key(&name) {
        // Reserved first: a message may contain itself.
        schemas.insert(name.clone(), Value::Null);
        let mut properties = Map::new();
        for field in message.fields() {
            properties.insert(field.json_name().to_owned(), field_schema(&field, schemas));
        }
        let mut schema = json!({ "type": "object", "properties": properties });
        let comment = comment_of(&message.parent_file(), message.path());
        if !comment.is_empty() {
            schema["description"] = Value::String(comment);
        }
        schemas.insert(name.clone(), schema);
    }
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// `AuthTokenReply` for `xuanlan.auth.v1.TokenReply`.
fn schema_name(message: &MessageDescriptor) -> String {
    let service = capitalized(service_of(message.package_name()));
    format!("{service}{}", message.name())
}

fn field_schema(field: &FieldDescriptor, schemas: &mut BTreeMap<String, Value>) -> Value {
    let mut schema = if let Kind::Message(entry) = field.kind()
        && field.is_map()
    {
        let value = kind_schema(&entry.map_entry_value_field().kind(), schemas);
        json!({ "type": "object", "additionalProperties": value })
    } else {
        let single = kind_schema(&field.kind(), schemas);
        if field.cardinality() == Cardinality::Repeated {
            json!({ "type": "array", "items": single })
        } else {
            single
        }
    };
    // To the compiler, an `optional` field is a oneof with one member. OpenAPI 3.0 ignores siblings of a $ref.
    if schema.get("$ref").is_some() {
        if field.containing_oneof().is_some() {
            return json!({ "allOf": [schema], "nullable": true });
        }
        return schema;
    }
    let mut comment = comment_of(&field.parent_file(), field.path());
    if comment.is_empty() {
        comment = usual_meaning(field.name()).to_owned();
    }
    if is_encrypted(field) {
        comment = format!("{comment} Encrypted for the caller (d3cred/1).")
            .trim()
            .to_owned();
    }
    if !comment.is_empty() {
        schema["description"] = Value::String(comment);
    }
    if is_secret(field) {
        schema["format"] = json!("password");
    }
    if field.containing_oneof().is_some() {
        schema["nullable"] = json!(true);
    }
    if let Some(rule) = rule(field) {
        let (least, most) = match field.is_list() {
            true => ("minItems", "maxItems"),
            false => ("minLength", "maxLength"),
        };
        let length = |bound: u32| (bound > 0).then(|| i64::from(bound));
        let bounds = [
            (least, length(rule.least)),
            (most, length(rule.most)),
            ("minimum", rule.low),
            ("maximum", rule.high),
        ];
        for (name, bound) in bounds {
            if let Some(bound) = bound {
                schema[name] = json!(bound);
            }
        }
    }
    schema
}

fn kind_schema(kind: &Kind, schemas: &mut BTreeMap<String, Value>) -> Value {
    match kind {
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::String => json!({ "type": "string" }),
        Kind::Bytes => json!({ "type": "string", "format": "byte" }),
        Kind::Double | Kind::Float => json!({ "type": "number" }),
        Kind::Message(message) => message_reference(message, schemas),
        Kind::Enum(_) => json!({ "type": "string" }),
        _ => json!({ "type": "integer" }),
    }
}

/// What a field of a list means where its `.proto` file does not say otherwise (`chassis::db::List`).
fn usual_meaning(name: &str) -> &'static str {
    match name {
        "page_no" => "Starts at 1.",
        "page_size" => "At most 200; defaults to 20.",
        _ => "",
    }
}

/// The leading comment of an element of a `.proto` file; empty if there is none.
fn comment_of(file: &FileDescriptor, path: &[i32]) -> String {
    let Some(info) = file.file_descriptor_proto().source_code_info.as_ref() else {
        return String::new();
    };
    for location in &info.location {
        if location.path == path {
            let text = location.leading_comments.as_deref().unwrap_or_default();
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            return lines.join("\n").trim().to_owned();
        }
    }
    String::new()
}
