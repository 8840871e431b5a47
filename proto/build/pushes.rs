//! Generates the Rust code for pushes: type and readers of each message, and the table of those for pages.

use std::collections::BTreeSet;
use std::fmt::Write;

use prost_reflect::{DescriptorPool, Kind, MessageDescriptor, Value};

use crate::messaging::{option, owner, rust_type, text};

/// A message with the option `push`.
pub struct Push {
    /// For example `xuanlan.order.v1.OrderMoved`.
    pub message: String,
    /// Field `type` of its JSON.
    kind: String,
    /// Address that it is sent to; `None`: pages.
    address: Option<String>,
}

/// Reads the pushes. Error: the violated rule, and the offending message.
pub fn read(pool: &DescriptorPool) -> Result<Vec<Push>, String> {
    let mut pushes: Vec<Push> = Vec::new();
    let parts = parts(pool);
    for message in pool.all_messages() {
        let name = message.full_name();
        let in_file = message.parent_file().name().ends_with("/pushes.proto");
        let Some(push) = read_push(&message) else {
            if in_file && !parts.contains(name) {
                return Err(format!(
                    "{name}: neither a push nor a part of one; is its option `push` missing?"
                ));
            }
            continue;
        };
        if !in_file {
            return Err(format!("{name}: pushes are messages of a pushes.proto"));
        }
        if push.kind.is_empty() || message.get_field_by_json_name("type").is_some() {
            return Err(format!(
                "{name}: a push has a type, and no field of that name"
            ));
        }
        let twin = |other: &&Push| other.kind == push.kind;
        if let Some(twin) = pushes.iter().find(twin) {
            return Err(format!("{} and {name} share a type", twin.message));
        }
        pushes.push(push);
    }
    Ok(pushes)
}

fn parts(pool: &DescriptorPool) -> BTreeSet<String> {
    let fields = pool
        .all_messages()
        .flat_map(|message| message.fields().collect::<Vec<_>>());
    let parts = fields.filter_map(|field| match field.kind() {
        Kind::Message(part) => Some(part.full_name().to_owned()),
        _ => None,
    });
    parts.collect()
}

fn read_push(message: &MessageDescriptor) -> Option<Push> {
    let option = option(message.parent_pool(), "push", message.options())?;
    let Value::Message(option) = option else {
        return None;
    };
    let readers = match option.get_field_by_name("readers").as_deref() {
        Some(Value::EnumNumber(number)) => *number,
        _ => 0,
    };
    Some(Push {
        message: message.full_name().to_owned(),
        kind: text(&option, "type"),
        address: match readers {
            1 => Some("#gateway".to_owned()),
            2 => Some("#sandbox".to_owned()),
            3 => Some(format!("#{}", owner(message.package_name()))),
            _ => None,
        },
    })
}

/// Code for the pushes of a package.
pub fn of_package(pushes: &[Push], package: &str) -> String {
    let mut text = String::new();
    for push in pushes {
        if !push.message.starts_with(&format!("{package}.")) {
            continue;
        }
        let (name, kind) = (rust_type(&push.message), &push.kind);
        let _ = write!(
            text,
            "impl crate::pushes::Pushed for {name} {{
    const TYPE: &'static str = {kind:?};
    const MESSAGE: &'static str = {:?};
}}
",
            push.message
        );
        text += &match &push.address {
            None => format!("impl crate::pushes::ForPages for {name} {{}}\n"),
            Some(address) => format!(
                "impl crate::pushes::ForProcesses for {name} {{
    const ADDRESS: &'static str = {address:?};
}}
"
            ),
        };
    }
    text
}

/// The pushes that pages receive.
pub fn table(pushes: &[Push]) -> String {
    let mut text = String::from(
        "/// Type and message of every push for pages, in the order of the files.\npub const FOR_PAGES: &[(&str, &str)] = &[\n",
    );
    for push in pushes.iter().filter(|push| push.address.is_none()) {
        let _ = writeln!(text, "    ({:?}, {:?}),", push.kind, push.message);
    }
    text + "];\n"
}
