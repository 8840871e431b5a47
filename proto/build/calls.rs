//! Generates the Rust code for calls: per gRPC service a trait with a method per call, and a server that dispatches to them.

use prost_reflect::{
    Cardinality, DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MethodDescriptor,
    ServiceDescriptor, Value,
};

use crate::messaging::{function, is_commands, option, rust_type, text};
use crate::rows::Rows;
use crate::rules::has_rules;

/// Traits and servers of the gRPC services of a package.
/// Error: a call has no row in the catalogues.
pub fn of_package(pool: &DescriptorPool, rows: &Rows, package: &str) -> Result<String, String> {
    pool.services()
        .filter(|service| service.package_name() == package && !is_commands(service))
        .map(|service| of_service(&service, rows))
        .collect()
}

/// `ProfileCalls` of `ProfileApi`.
fn of_service(service: &ServiceDescriptor, rows: &Rows) -> Result<String, String> {
    let short = service.name();
    let name = format!("{}Calls", short.strip_suffix("Api").unwrap_or(short));
    let (mut methods, mut arms) = (String::new(), String::new());
    for call in service.methods() {
        let (declared, arm) = one(&call, rows)?;
        methods += &declared;
        arms += &arm;
    }
    let calls: Vec<String> = service.methods().map(|c| c.name().to_owned()).collect();
    Ok(format!(
        "
/// Answers the calls of `{service}`.
pub trait {name}<Error>: Send + Sync {{{methods}}}

/// Decodes the calls of `{service}` and passes each to its method of [`{name}`].
pub struct {name}Server<Handler>(pub Handler);

impl<Error, Handler> crate::calls::Server<Error> for {name}Server<Handler>
where
    Error: From<crate::calls::Refusal> + Send,
    Handler: {name}<Error>,
{{
    const METHODS: &'static [&'static str] = &{calls:?};

    // A service may have no call yet.
    #[allow(unused_variables, clippy::match_single_binding)]
    async fn answer(
        &self,
        method: &str,
        caller: crate::calls::Caller,
        body: &[u8],
    ) -> Result<Vec<u8>, Error> {{
        match method {{{arms}
            _ => Err(crate::calls::Refusal::Unknown.into()),
        }}
    }}
}}
",
        service = service.full_name(),
    ))
}

/// The declaration of a method, and the match arm that calls it.
fn one(call: &MethodDescriptor, rows: &Rows) -> Result<(String, String), String> {
    let (name, method) = (call.name(), function(call.name()));
    let request = rust_type(call.input().full_name());
    let (row, CallerType { called, of, made }) = policy(call, rows)?;
    let result = Unwrapped::of(call);
    let declared = format!(
        "
    /// {row}
    fn {method}(
        &self,
        {called}: &crate::calls::{of},
        request: {request},
    ) -> impl Future<Output = Result<{result}, Error>> + Send;
",
        result = result.name,
    );
    let arm = format!(
        "
            {name:?} => {{
                {kept}self.0.{method}(&{made}, {decoded}?).await?;
                Ok({encoded})
            }}",
        kept = result.kept,
        decoded = match has_rules(&call.input()) {
            true => "crate::rules::checked(crate::calls::decode(body)?)",
            false => "crate::calls::decode(body)",
        },
        encoded = result.encoded,
    );
    Ok((declared, arm))
}

/// Caller type of a call.
struct CallerType {
    /// Name of the parameter.
    called: &'static str,
    of: &'static str,
    /// Expression that makes one from the incoming caller.
    made: &'static str,
}

const ORIGIN: CallerType = CallerType {
    called: "from",
    of: "Origin",
    made: "caller",
};
const CALLER: CallerType = CallerType {
    called: "caller",
    of: "Caller",
    made: "caller",
};
const SIGNED_IN: CallerType = CallerType {
    called: "caller",
    of: "SignedIn",
    made: "crate::calls::SignedIn::try_from(caller)?",
};
const OPERATOR: CallerType = CallerType {
    called: "operator",
    of: "Operator",
    made: "crate::calls::Operator::try_from(caller)?",
};

/// The row of the contract, and the caller type. An RPC without an HTTP face is called by the gateway itself, without a caller.
fn policy(call: &MethodDescriptor, rows: &Rows) -> Result<(String, CallerType), String> {
    let Some(Value::Message(policy)) = option(call.parent_pool(), "call", call.options()) else {
        return Ok((format!("`{}`, of the gateway itself.", call.name()), ORIGIN));
    };
    let id = text(&policy, "id");
    let console = rows.is_console(&id, call.full_name())?;
    let caller = match (number(&policy, "access"), console) {
        (1, _) => ORIGIN,
        (2, _) => CALLER,
        (_, true) => OPERATOR,
        (_, false) => SIGNED_IN,
    };
    Ok((format!("{id}, `{}`.", call.name()), caller))
}

fn number(message: &DynamicMessage, field: &str) -> i32 {
    match message.get_field_by_name(field).as_deref() {
        Some(Value::EnumNumber(number) | Value::I32(number)) => *number,
        _ => 0,
    }
}

/// Return type of a method: `()` for an empty reply, the field's value for a reply that consists of its `datas` only.
struct Unwrapped {
    name: String,
    kept: &'static str,
    /// Expression that encodes the reply.
    encoded: String,
}

impl Unwrapped {
    fn of(call: &MethodDescriptor) -> Self {
        let reply = call.output();
        let name = rust_type(reply.full_name());
        let fields: Vec<FieldDescriptor> = reply.fields().collect();
        let datas = match option(call.parent_pool(), "call", call.options()) {
            Some(Value::Message(policy)) => text(&policy, "datas"),
            _ => String::new(),
        };
        match fields.as_slice() {
            [] => Self {
                name: "()".to_owned(),
                kept: "",
                encoded: "Vec::new()".to_owned(),
            },
            [field] if field.json_name() == datas => Self {
                kept: "let answer = ",
                encoded: encoded(&format!("{name} {{ {}: answer }}", function(field.name()))),
                name: field_type(field),
            },
            _ => Self {
                kept: "let answer = ",
                encoded: encoded("answer"),
                name,
            },
        }
    }
}

fn encoded(message: &str) -> String {
    format!("prost::Message::encode_to_vec(&{message})")
}

/// The Rust type of a field, as prost generates it.
fn field_type(field: &FieldDescriptor) -> String {
    let kind = match field.kind() {
        Kind::Double => "f64".to_owned(),
        Kind::Float => "f32".to_owned(),
        Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 | Kind::Enum(_) => "i32".to_owned(),
        Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => "i64".to_owned(),
        Kind::Uint32 | Kind::Fixed32 => "u32".to_owned(),
        Kind::Uint64 | Kind::Fixed64 => "u64".to_owned(),
        Kind::Bool => "bool".to_owned(),
        Kind::String => "String".to_owned(),
        Kind::Bytes => "Vec<u8>".to_owned(),
        Kind::Message(message) => rust_type(message.full_name()),
    };
    let is_message = matches!(field.kind(), Kind::Message(_));
    match field.cardinality() {
        Cardinality::Repeated => format!("Vec<{kind}>"),
        _ if is_message || field.supports_presence() => format!("Option<{kind}>"),
        _ => kind,
    }
}
