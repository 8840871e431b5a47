//! JSON text of a database's column as a message of the contract.

/// Whole numbers below this one are exact in a message.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The object of a JSON text; none when it is no object.
pub fn object_of(text: &str) -> Option<prost_types::Struct> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    match to_proto(value).kind? {
        prost_types::value::Kind::StructValue(object) => Some(object),
        _ => None,
    }
}

/// An object of the contract as JSON. What is no number of JSON's is null.
pub fn value_of(object: prost_types::Struct) -> serde_json::Value {
    let fields = object.fields.into_iter();
    serde_json::Value::Object(
        fields
            .map(|(name, value)| (name, from_proto(value)))
            .collect(),
    )
}

fn from_proto(value: prost_types::Value) -> serde_json::Value {
    use prost_types::value::Kind;
    match value.kind {
        None | Some(Kind::NullValue(_)) => serde_json::Value::Null,
        Some(Kind::BoolValue(value)) => value.into(),
        Some(Kind::NumberValue(value)) if value.fract() == 0.0 && value.abs() < EXACT => {
            (value as i64).into()
        }
        Some(Kind::NumberValue(value)) => value.into(),
        Some(Kind::StringValue(value)) => value.into(),
        Some(Kind::ListValue(list)) => list.values.into_iter().map(from_proto).collect(),
        Some(Kind::StructValue(object)) => value_of(object),
    }
}

fn to_proto(value: serde_json::Value) -> prost_types::Value {
    use prost_types::value::Kind;
    let kind = match value {
        serde_json::Value::Null => Kind::NullValue(0),
        serde_json::Value::Bool(value) => Kind::BoolValue(value),
        serde_json::Value::Number(value) => Kind::NumberValue(value.as_f64().unwrap_or_default()),
        serde_json::Value::String(value) => Kind::StringValue(value),
        serde_json::Value::Array(values) => {
            let values = values.into_iter().map(to_proto).collect();
            Kind::ListValue(prost_types::ListValue { values })
        }
        serde_json::Value::Object(fields) => {
            let fields = fields
                .into_iter()
                .map(|(name, value)| (name, to_proto(value)))
                .collect();
            Kind::StructValue(prost_types::Struct { fields })
        }
    };
    prost_types::Value { kind: Some(kind) }
}
