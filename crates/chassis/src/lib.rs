//! What every service starts with: configuration, clock, database with outbox and inbox, bus, cache, object store,
//! principals, errors, gRPC serving, telemetry and shutdown.
//!
//! A service gets a [`Context`] and does not know in which shape it runs: the schemes of the configured URLs
//! (`sqlite:` or `postgres:`, `memory:` or `amqp:`, `memory:` or `kafka:`, `memory:` or `redis:`, `file:` or `s3:`) choose the
//! parts behind it. What speaks to servers outside is only built with the feature `servers`.

pub mod audit;
pub mod bus;
pub mod cache;
pub mod clock;
mod closed_store;
pub mod config;
pub mod config_files;
pub mod console;
pub mod context;
pub mod db;
pub mod dead_letters;
pub mod disk;
pub mod environment;
pub mod error;
pub mod failpoint;
pub mod garbage;
pub mod health;
pub mod ids;
pub mod json;
pub mod limit;
pub mod messaging;
pub mod module;
pub mod operator;
pub mod ops;
mod panics;
pub mod passwords;
pub mod people;
pub mod principal;
pub mod process;
pub mod raw;
pub mod relay;
pub mod rights;
pub mod rpc;
pub mod servers;
pub mod shutdown;
pub mod start;
pub mod stream;
pub mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
pub mod texts;
pub mod uploads;
pub mod vault;
pub mod words;

pub use cache::{Cache, CacheConfig};
pub use clock::Clock;
pub use config::Settings;
pub use context::{Context, Parts};
pub use error::{BusinessError, ServiceError};
pub use failpoint::FailPoints;
pub use health::Health;
pub use module::Module;
pub use objectstore::Grantee;
pub use principal::{Principals, grantee};
pub use proto::calls::{Caller, Operator, Origin, SignedIn};
pub use rpc::Service;
pub use shutdown::{Pace, Shutdown};
pub use start::Start;
pub use stream::Stream;

/// mmap threshold in bytes: larger blocks go back to the system when freed.
#[cfg(target_env = "gnu")]
const LARGE: i32 = 1 << 20;

/// Prepares the process: has to be the first call of `main`.
///
/// Installs the one TLS provider of the process; with several in the tree rustls refuses to choose. Lets the system have
/// back what was large as soon as it is free.
pub fn prepare_process() {
    // Without a fixed limit glibc raises it with the first large block that is freed, and from then on keeps such blocks in
    // the heap of each thread: 19 MiB for every password that was ever hashed there.
    #[cfg(target_env = "gnu")]
    // SAFETY: only sets a number of the allocator's.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
    }
    raise_descriptor_limit();
    // An error only means that a provider is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Descriptors of a process, where its hard limit allows them.
const DESCRIPTORS: u64 = 65_536;

/// Connections of strangers take descriptors that databases and files need too, and the usual limit of 1,024 is a courtesy to
/// programs that use `select`.
fn raise_descriptor_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    let most = limit.maximum.unwrap_or(DESCRIPTORS).min(DESCRIPTORS);
    if limit.current.is_none_or(|current| current >= most) {
        return;
    }
    limit.current = Some(most);
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "the limit of open files stays");
    }
}
