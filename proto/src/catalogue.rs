//! The call catalogue: one entry for each RPC that has an HTTP face, read from the options in the descriptors.

use std::collections::HashMap;
use std::sync::LazyLock;

use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor, Value};

/// Who may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Public,
    Optional,
    Login,
    Operator,
}

/// How the request travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    Form,
    Json,
    Query,
}

/// Which budget of the rate limiter a call draws on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Rate {
    Normal,
    SignIn,
    Sms,
    Heavy,
}

/// One call: its HTTP face, its policy and its RPC.
#[derive(Debug, Clone)]
pub struct Call {
    /// Row of proto/catalogue.tsv.
    pub id: String,
    /// HTTP path, from the root.
    pub path: String,
    /// The HTTP method, `GET` or `POST`.
    pub http_method: &'static str,
    pub access: Access,
    pub body: Body,
    /// Whether the call changes state.
    pub writes: bool,
    pub rate: Rate,
    /// JSON name of the request field that has to equal the token's user; none if empty.
    pub owner: String,
    /// JSON name of the reply field that becomes `datas`; the whole message if empty.
    pub datas: String,
    /// JSON name of the reply field whose text, where there is one, makes the answer a [`crate::code::NOTED`]; empty: none.
    pub note: String,
    /// `resp_code` of success.
    pub success: i32,
    /// The Authorization header is not looked at.
    pub token_endpoint: bool,
    /// The browser is told to forget what it kept.
    pub ends_session: bool,
    /// What an operator's roles have to permit; empty: every operator may.
    pub permission: String,
    /// The request's field `reason` must not be empty.
    pub reason: bool,
    /// The operator's second factor has to be fresh.
    pub fresh: bool,
    /// A read that leaves an audit entry.
    pub audited_read: bool,
    /// Largest body of a signed-in operator in bytes; 0: as of everybody.
    pub body_limit: usize,
    /// Service that answers: second part of the package, for example `auth` of `xuanlan.auth.v1`.
    pub service: String,
    /// Path of the RPC in its own gRPC service, for example `/xuanlan.personal.v1.ProfileApi/QueryInfo`.
    pub grpc_path: String,
    /// Path at which the gateway calls it, for example `/xuanlan.personal.v1.PersonalApi/QueryInfo`: package and RPC
    /// alone. It stays the same when an RPC moves to another gRPC service of its package, because during an upgrade
    /// gateways and services of two versions call each other.
    pub address: String,
    pub method: MethodDescriptor,
}

/// Where the paths of the operators' console begin.
pub const CONSOLE: &str = "/api-console/";

impl Call {
    /// Whether it is a call of the operators' console, which the public listener does not know.
    pub fn is_console(&self) -> bool {
        self.path.starts_with(CONSOLE)
    }

    /// Whether it leaves an audit entry.
    pub fn is_audited(&self) -> bool {
        self.is_console() && (self.writes || self.audited_read)
    }
}

/// The call behind a gRPC path, be it the RPC's own or its address; `None`: it has no HTTP face.
pub fn at_grpc_path(path: &str) -> Option<&'static Call> {
    static BY_PATH: LazyLock<HashMap<&'static str, &'static Call>> = LazyLock::new(|| {
        let both = |call: &'static Call| {
            let paths = [call.grpc_path.as_str(), call.address.as_str()];
            paths.map(|path| (path, call))
        };
        calls().iter().flat_map(both).collect()
    });
    BY_PATH.get(path).copied()
}

/// All descriptors of the product.
pub fn pool() -> &'static DescriptorPool {
    static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
        // The bytes come from this crate's own build; a test decodes them.
        DescriptorPool::decode(crate::DESCRIPTORS).expect("descriptors made by the build decode")
    });
    &POOL
}

/// Whether a service of this name has a package of its own.
pub fn has_service(name: &str) -> bool {
    let package = format!("xuanlan.{name}.v1");
    pool().files().any(|file| file.package_name() == package)
}

/// Every call with an HTTP face, in the order of the `.proto` files.
pub fn calls() -> &'static [Call] {
    static CALLS: LazyLock<Vec<Call>> = LazyLock::new(|| {
        let mut calls = Vec::new();
        for service in pool().services() {
            for method in service.methods() {
                if let Some(call) = read_call(&method) {
                    calls.push(call);
                }
            }
        }
        calls
    });
    &CALLS
}

/// Whether a reply field is encrypted for the caller.
pub fn is_encrypted(field: &prost_reflect::FieldDescriptor) -> bool {
    face_flag(field, "encrypted")
}

/// Whether a field must never be logged.
pub fn is_secret(field: &prost_reflect::FieldDescriptor) -> bool {
    face_flag(field, "secret")
}

fn face_flag(field: &prost_reflect::FieldDescriptor, flag: &str) -> bool {
    let Some(extension) = pool().get_extension_by_name("xuanlan.options.v1.face") else {
        return false;
    };
    let options = field.options();
    if !options.has_extension(&extension) {
        return false;
    }
    let value = options.get_extension(&extension).into_owned();
    let Value::Message(face) = value else {
        return false;
    };
    bool_field(&face, flag)
}

fn read_call(method: &MethodDescriptor) -> Option<Call> {
    let http = option_message(method, "google.api.http")?;
    let policy = option_message(method, "xuanlan.options.v1.call")?;
    let post = string_field(&http, "post");
    let get = string_field(&http, "get");
    let (http_method, path) = if post.is_empty() {
        ("GET", get)
    } else {
        ("POST", post)
    };
    let service = method.parent_service();
    let package = service.package_name().to_owned();
    let owner = owner_of(&package);
    Some(Call {
        id: string_field(&policy, "id"),
        path,
        http_method,
        access: match int_field(&policy, "access") {
            1 => Access::Public,
            2 => Access::Optional,
            4 => Access::Operator,
            // What does not say its access is closed.
            _ => Access::Login,
        },
        body: match int_field(&policy, "body") {
            2 => Body::Json,
            3 => Body::Query,
            _ => Body::Form,
        },
        writes: int_field(&policy, "effect") != 1,
        rate: match int_field(&policy, "rate") {
            2 => Rate::SignIn,
            3 => Rate::Sms,
            4 => Rate::Heavy,
            _ => Rate::Normal,
        },
        owner: string_field(&policy, "owner"),
        datas: string_field(&policy, "datas"),
        note: string_field(&policy, "note"),
        success: match int_field(&policy, "success") {
            0 => crate::code::SUCCESS,
            code => code,
        },
        token_endpoint: bool_field(&policy, "token_endpoint"),
        ends_session: bool_field(&policy, "ends_session"),
        permission: string_field(&policy, "permission"),
        reason: bool_field(&policy, "reason"),
        fresh: bool_field(&policy, "fresh"),
        audited_read: bool_field(&policy, "audited_read"),
        body_limit: usize::try_from(int_field(&policy, "body_kb")).unwrap_or_default() * 1024,
        service: owner.to_owned(),
        grpc_path: format!("/{}/{}", service.full_name(), method.name()),
        address: format!("/{package}.{}Api/{}", capitalized(owner), method.name()),
        method: method.clone(),
    })
}

/// The service of a package: `auth` for `xuanlan.auth.v1`.
pub(crate) fn owner_of(package: &str) -> &str {
    package.split('.').nth(1).unwrap_or_default()
}

/// `Auth` for `auth`.
pub(crate) fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn option_message(method: &MethodDescriptor, name: &str) -> Option<DynamicMessage> {
    let extension = pool().get_extension_by_name(name)?;
    let options = method.options();
    if !options.has_extension(&extension) {
        return None;
    }
    match options.get_extension(&extension).into_owned() {
        Value::Message(message) => Some(message),
        _ => None,
    }
}

fn value_of(message: &DynamicMessage, name: &str) -> Option<Value> {
    Some(message.get_field_by_name(name)?.into_owned())
}

fn string_field(message: &DynamicMessage, name: &str) -> String {
    match value_of(message, name) {
        Some(Value::String(text)) => text,
        _ => String::new(),
    }
}

fn int_field(message: &DynamicMessage, name: &str) -> i32 {
    match value_of(message, name) {
        Some(Value::EnumNumber(number) | Value::I32(number)) => number,
        _ => 0,
    }
}

fn bool_field(message: &DynamicMessage, name: &str) -> bool {
    matches!(value_of(message, name), Some(Value::Bool(true)))
}
