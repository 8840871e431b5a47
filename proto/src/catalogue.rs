//! The call catalogue: one entry per RPC with an HTTP face, read from the options in the descriptors.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use prost_reflect::{
    DescriptorPool, DynamicMessage, ExtensionDescriptor, FieldDescriptor, MethodDescriptor,
    ServiceDescriptor, Value,
};

use crate::contract::{self, Row};
pub use crate::contract::{Access, Body, CONSOLE};
pub use crate::options::v1::Rate;
use crate::options::v1::{self as options, Effect, Face, Rule};

/// One call: its HTTP face, its policy and its RPC.
#[derive(Debug, Clone)]
pub struct Call {
    /// Row of proto/catalogue.tsv.
    pub id: String,
    /// HTTP path, from the root.
    pub path: String,
    pub access: Access,
    pub body: Body,
    /// Whether the call changes state.
    pub writes: bool,
    pub rate: Rate,
    /// JSON name of the request field that must equal the token's user; empty: none.
    pub owner: String,
    /// JSON name of the reply field that becomes `datas`; empty: the whole message.
    pub datas: String,
    /// JSON name of the reply field whose text, unless empty, turns the answer into a [`crate::code::NOTED`]; empty: none.
    pub note: String,
    /// `resp_code` of success.
    pub success: i32,
    /// The Authorization header is ignored.
    pub token_endpoint: bool,
    /// The response makes the browser drop its cached answers.
    pub ends_session: bool,
    /// Kinds of cached data that the answer belongs to.
    pub reads: Vec<String>,
    /// Kinds of cached data that the call makes stale.
    pub changes: Vec<String>,
    /// The answer is never served from a cache.
    pub uncached: bool,
    /// Permission that the operator's roles must grant; empty: any operator may call.
    pub permission: String,
    /// The request field `reason` must not be empty.
    pub reason: bool,
    /// The operator's second factor must be fresh.
    pub fresh: bool,
    /// A read that writes an audit entry.
    pub audited_read: bool,
    /// Body limit in bytes for a signed-in operator; 0: the general limit.
    pub body_limit: usize,
    /// The answering service: second part of the package, for example `auth` of `xuanlan.auth.v1`.
    pub service: String,
    /// Path at which the gateway calls it, for example `/xuanlan.personal.v1.PersonalApi/QueryInfo`: built from package and RPC
    /// only. It stays the same when an RPC moves to another gRPC service of its package, because gateways and services of two
    /// versions call each other during an upgrade.
    pub address: String,
    pub method: MethodDescriptor,
}

impl Call {
    /// Whether it is a call of the operators' console, which the public listener does not serve.
    pub fn is_console(&self) -> bool {
        self.path.starts_with(CONSOLE)
    }

    /// Whether it writes an audit entry.
    pub fn is_audited(&self) -> bool {
        self.is_console() && (self.writes || self.audited_read)
    }
}

/// All RPCs of a service's package except commands, including those without an HTTP face.
pub fn methods(service: &str) -> impl Iterator<Item = MethodDescriptor> {
    services(service)
        .filter(|service| !is_commands(service))
        .flat_map(|service| service.methods().collect::<Vec<_>>())
}

/// Whether a service handles commands.
pub fn has_commands(service: &str) -> bool {
    services(service).any(|service| is_commands(&service))
}

fn services(name: &str) -> impl Iterator<Item = ServiceDescriptor> {
    pool()
        .services()
        .filter(move |service| service_of(service.package_name()) == name)
}

fn is_commands(service: &ServiceDescriptor) -> bool {
    extension("commands").is_some_and(|extension| {
        let options = service.options();
        let value = options.get_extension(&extension);
        matches!(value.as_ref(), Value::Bool(true))
    })
}

/// The call of a service's RPC; `None` if it has no HTTP face.
pub fn of_method(service: &str, method: &str) -> Option<&'static Call> {
    static BY_METHOD: LazyLock<HashMap<(&str, &str), &'static Call>> = LazyLock::new(|| {
        let named = |call: &'static Call| ((call.service.as_str(), call.method.name()), call);
        calls().iter().map(named).collect()
    });
    BY_METHOD.get(&(service, method)).copied()
}

/// Descriptors of all interfaces.
pub fn pool() -> &'static DescriptorPool {
    static POOL: LazyLock<DescriptorPool> = LazyLock::new(|| {
        // The bytes come from this crate's own build; a test decodes them.
        DescriptorPool::decode(crate::DESCRIPTORS).expect("descriptors made by the build decode")
    });
    &POOL
}

/// Whether a service of this name has its own package.
pub fn has_service(name: &str) -> bool {
    let package = format!("xuanlan.{name}.v1");
    pool().files().any(|file| file.package_name() == package)
}

/// The names of all services.
pub fn all_services() -> BTreeSet<&'static str> {
    pool()
        .files()
        .filter(|file| file.services().len() > 0)
        .filter_map(|file| {
            let name = service_of(file.package_name()).to_owned();
            calls().iter().find(|call| call.service == name)
        })
        .map(|call| call.service.as_str())
        .collect()
}

/// All calls with an HTTP face, in the order of the `.proto` files.
pub fn calls() -> &'static [Call] {
    static CALLS: LazyLock<Vec<Call>> = LazyLock::new(|| {
        let rows = contract::rows().chain(contract::console_rows());
        let rows: HashMap<&str, Row> = rows.map(|row| (row.id, row)).collect();
        let Some(extension) = extension("call") else {
            return Vec::new();
        };
        pool()
            .services()
            .flat_map(|service| service.methods().collect::<Vec<_>>())
            .filter_map(|method| read_call(&method, &extension, &rows))
            .collect()
    });
    &CALLS
}

/// Whether a reply field is encrypted for the caller.
pub fn is_encrypted(field: &FieldDescriptor) -> bool {
    face(field).encrypted
}

/// Whether a field must never be logged.
pub fn is_secret(field: &FieldDescriptor) -> bool {
    face(field).secret
}

fn face(field: &FieldDescriptor) -> Face {
    of_field(field, "face").unwrap_or_default()
}

/// The rule for a request field.
pub fn rule(field: &FieldDescriptor) -> Option<Rule> {
    of_field(field, "rule")
}

fn of_field<M: prost::Message + Default>(field: &FieldDescriptor, name: &str) -> Option<M> {
    let options = field.options();
    extension(name).and_then(|extension| option(&options, &extension))
}

/// A message option of `xuanlan.options.v1`; `None` if not set.
fn option<M: prost::Message + Default>(
    options: &DynamicMessage,
    extension: &ExtensionDescriptor,
) -> Option<M> {
    if !options.has_extension(extension) {
        return None;
    }
    match options.get_extension(extension).as_ref() {
        Value::Message(message) => message.transcode_to().ok(),
        _ => None,
    }
}

fn extension(name: &str) -> Option<ExtensionDescriptor> {
    pool().get_extension_by_name(&format!("xuanlan.options.v1.{name}"))
}

fn read_call(
    method: &MethodDescriptor,
    extension: &ExtensionDescriptor,
    rows: &HashMap<&str, Row>,
) -> Option<Call> {
    let policy: options::Call = option(&method.options(), extension)?;
    // The build has checked that the row exists.
    let row = rows.get(policy.id.as_str())?;
    let package = method.parent_service().package_name().to_owned();
    let service = service_of(&package);
    let access = match policy.access() {
        options::Access::Public => Access::Public,
        options::Access::Optional => Access::Optional,
        // Closed by default.
        options::Access::Unspecified if row.path.starts_with(CONSOLE) => Access::Operator,
        options::Access::Unspecified => Access::Login,
    };
    let names_user = method.input().get_field_by_json_name(USER).is_some();
    Some(Call {
        path: row.path.to_owned(),
        access,
        body: row.body,
        writes: policy.effect() != Effect::Read,
        rate: policy.rate(),
        owner: match policy.owner.is_empty() && names_user && access == Access::Login {
            true => USER.to_owned(),
            false => policy.owner.clone(),
        },
        success: match policy.success {
            0 => crate::code::SUCCESS,
            code => code,
        },
        body_limit: policy.body_kb as usize * 1024,
        service: service.to_owned(),
        address: format!("/{package}.{}Api/{}", capitalized(service), method.name()),
        method: method.clone(),
        id: policy.id,
        datas: policy.datas,
        note: policy.note,
        token_endpoint: policy.token_endpoint,
        ends_session: policy.ends_session,
        reads: policy.reads,
        changes: policy.changes,
        uncached: policy.uncached,
        permission: policy.permission,
        reason: policy.reason,
        fresh: policy.fresh,
        audited_read: policy.audited_read,
    })
}

/// The request field that names the calling user.
const USER: &str = "userId";

/// The service of a package: `auth` for `xuanlan.auth.v1`.
pub fn service_of(package: &str) -> &str {
    package.split('.').nth(1).unwrap_or_default()
}

/// `Auth` for `auth`.
pub(crate) fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
