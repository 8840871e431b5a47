//! Object storage of 玄览云: our own S3-compatible store on a local disk, temporary credentials for users, and one client
//! interface over our own store and any other S3-compatible one.
//!
//! - [`EmbeddedStore`] opens a directory; [`server::serve`] puts an S3 endpoint in front of it.
//! - [`CredentialIssuer`] issues credentials for one user's prefix, valid for at most 30 minutes, and ends those of a session.
//! - [`ObjectStore`] is the interface for services; [`connect`] chooses by URL, `file:` or `s3:`.

mod client;
mod config;
mod credential;
mod disk;
mod error;
mod name;
pub mod server;
pub mod sign;
mod trace;

pub use client::{
    ByteRange, Connection, EmbeddedStore, ListPage, ObjectMeta, ObjectStore, ObjectSummary, connect,
};
pub use config::{ClientConfig, IssuerKind, StoreConfig};
pub use credential::{
    CredentialIssuer, EmbeddedIssuer, Grantee, MAX_LIFETIME, MAX_LINK_LIFE, PUBLIC_PREFIX, Quota,
    StsIssuer, TEMPORARY_KEY_PREFIX, TemporaryCredentials, kept_prefix, public_key, user_prefix,
};
pub use disk::Free;
pub use error::{Result, StoreError};
