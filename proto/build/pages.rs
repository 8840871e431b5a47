//! Generates the Rust code for lists: page requests and replies are recognised by their fields, so all list calls are handled the
//! same way, whatever their messages are called.

use prost_reflect::{Cardinality, DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};

use crate::messaging::rust_type;

/// The traits of `crate::pages` for a package's messages that have the fields.
pub fn of_package(pool: &DescriptorPool, package: &str) -> String {
    pool.all_messages()
        .filter(|message| message.package_name() == package)
        .map(|message| asking(&message) + &answering(&message))
        .collect()
}

fn asking(message: &MessageDescriptor) -> String {
    let has = |name: &str, kind: Kind| {
        let field = message.get_field_by_name(name);
        field.is_some_and(|field| single(&field) && field.kind() == kind)
    };
    let name = rust_type(message.full_name());
    let mut text = String::new();
    if has("page_no", Kind::Int32) && has("page_size", Kind::Int32) {
        text += &format!(
            "
impl crate::pages::Numbered for {name} {{
    fn page_no(&self) -> i32 {{
        self.page_no
    }}

    fn page_size(&self) -> i32 {{
        self.page_size
    }}
}}
"
        );
    }
    if has("after", Kind::String) && has("size", Kind::Int32) {
        text += &format!(
            "
impl crate::pages::Following for {name} {{
    fn after(&self) -> &str {{
        &self.after
    }}

    fn size(&self) -> i32 {{
        self.size
    }}
}}
"
        );
    }
    text
}

fn answering(message: &MessageDescriptor) -> String {
    let fields: Vec<FieldDescriptor> = message.fields().collect();
    let [first, second] = fields.as_slice() else {
        return String::new();
    };
    let (rows, other) = match (first.is_list(), second.is_list()) {
        (true, false) => (first, second),
        (false, true) => (second, first),
        _ => return String::new(),
    };
    let Kind::Message(row) = rows.kind() else {
        return String::new();
    };
    let (of, kind) = match (other.name(), other.kind()) {
        ("total_count", Kind::Int64) => ("Counted", "i64"),
        ("next", Kind::String) => ("Followed", "String"),
        _ => return String::new(),
    };
    let (name, row) = (rust_type(message.full_name()), rust_type(row.full_name()));
    let (rows, other) = (rows.name(), other.name());
    format!(
        "
impl crate::pages::{of} for {name} {{
    type Row = {row};

    fn of({rows}: Vec<{row}>, {other}: {kind}) -> Self {{
        Self {{ {rows}, {other} }}
    }}
}}
"
    )
}

fn single(field: &FieldDescriptor) -> bool {
    field.cardinality() != Cardinality::Repeated && !field.supports_presence()
}
