//! Generates the Rust code for field rules: a request message with rules derives `garde::Validate` and provides the texts of its
//! refusals.

use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};

use crate::messaging::{option, rust_type, text};

/// Whether a message has a field with a rule.
pub fn has_rules(message: &MessageDescriptor) -> bool {
    message.fields().any(|field| rule(&field).is_some())
}

/// Attributes of generated types: path of a message or field, and its attribute.
/// Error: a rule that does not fit its field.
pub fn attributes(pool: &DescriptorPool) -> Result<Vec<(String, String)>, String> {
    let mut attributes = Vec::new();
    for message in pool.all_messages().filter(has_rules) {
        attributes.push((
            message.full_name().to_owned(),
            "#[derive(::garde::Validate)]\n#[garde(allow_unvalidated)]".to_owned(),
        ));
        for field in message.fields() {
            if let Some(rule) = rule(&field) {
                attributes.push((field.full_name().to_owned(), attribute(&field, &rule)?));
            }
        }
    }
    Ok(attributes)
}

fn attribute(field: &FieldDescriptor, rule: &DynamicMessage) -> Result<String, String> {
    let bounds = |lower: &str, upper: &str| {
        let bound = |name: &str, as_: &str| number(rule, name).map(|n| format!("{as_} = {n}"));
        let both: Vec<String> = [bound(lower, "min"), bound(upper, "max")]
            .into_iter()
            .flatten()
            .collect();
        both.join(", ")
    };
    let (lengths, range) = (bounds("least", "most"), bounds("low", "high"));
    let is_text = field.is_list() || field.kind() == Kind::String;
    let is_number = matches!(field.kind(), Kind::Int32 | Kind::Int64) && !field.is_list();
    let name = field.full_name();
    let mut checks = Vec::new();
    if flag(rule, "present") {
        if !field.supports_presence() {
            return Err(format!("{name}: it is always present"));
        }
        checks.push("required".to_owned());
    }
    match (lengths.as_str(), range.as_str()) {
        ("", "") => {}
        (lengths, "") if is_text => checks.push(match field.is_list() {
            true => format!("length({lengths})"),
            false => format!("length(chars, {lengths})"),
        }),
        ("", range) if is_number => checks.push(format!("range({range})")),
        _ => return Err(format!("{name}: its rule is for a field of another type")),
    }
    if checks.is_empty() {
        return Err(format!("{name}: its rule asks for nothing"));
    }
    Ok(format!("#[garde({})]", checks.join(", ")))
}

/// Code for a package's messages with rules: trimming before the check, and the texts of refusals.
pub fn of_package(pool: &DescriptorPool, package: &str) -> String {
    pool.all_messages()
        .filter(|message| message.package_name() == package && has_rules(message))
        .map(|message| ruled(&message))
        .collect()
}

fn ruled(message: &MessageDescriptor) -> String {
    let (mut trims, mut words) = (String::new(), String::new());
    for field in message.fields() {
        let Some(rule) = rule(&field) else { continue };
        let name = field.name();
        if field.kind() == Kind::String && !field.is_list() {
            let name = ident(name);
            trims += &match field.supports_presence() {
                true => format!("        self.{name}.iter_mut().for_each(crate::rules::trim);\n"),
                false => format!("        crate::rules::trim(&mut self.{name});\n"),
            };
        }
        let unit = match field.is_list() {
            true => "项",
            false => "个字符",
        };
        words += &format!(
            "        crate::rules::Words {{ field: {name:?}, called: {:?}, unit: {unit:?}, missing: {:?}, says: {:?} }},\n",
            text(&rule, "called"),
            text(&rule, "missing"),
            text(&rule, "says"),
        );
    }
    format!(
        "
impl crate::rules::Ruled for {} {{
    const WORDS: &'static [crate::rules::Words] = &[
{words}    ];

    fn trim(&mut self) {{
{trims}    }}
}}
",
        rust_type(message.full_name())
    )
}

fn rule(field: &FieldDescriptor) -> Option<DynamicMessage> {
    match option(field.parent_pool(), "rule", field.options()) {
        Some(Value::Message(rule)) => Some(rule),
        _ => None,
    }
}

/// Name of a field in Rust.
fn ident(name: &str) -> String {
    match name {
        "type" | "match" | "ref" | "use" | "in" | "as" | "move" | "where" => format!("r#{name}"),
        name => name.to_owned(),
    }
}

fn flag(rule: &DynamicMessage, name: &str) -> bool {
    rule.get_field_by_name(name)
        .and_then(|value| value.as_bool())
        .unwrap_or(false)
}

/// A bound of the rule.
fn number(rule: &DynamicMessage, name: &str) -> Option<i64> {
    let field = rule.descriptor().get_field_by_name(name)?;
    if !rule.has_field(&field) {
        return None;
    }
    match rule.get_field(&field).as_ref() {
        Value::U32(bound) => Some(i64::from(*bound)),
        Value::I64(bound) => Some(*bound),
        _ => None,
    }
}
