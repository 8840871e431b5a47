//! In the place of the embedded object store for a command that runs beside the process that holds it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use objectstore::{
    ByteRange, Connection, CredentialIssuer, Grantee, ListPage, ObjectMeta, ObjectStore, Quota,
    Result, StoreError, TemporaryCredentials,
};

pub(crate) fn connection(bucket: &str) -> Connection {
    let store = Arc::new(Closed {
        bucket: bucket.to_owned(),
    });
    Connection {
        store: store.clone(),
        issuer: store,
    }
}

struct Closed {
    bucket: String,
}

fn closed<T>() -> Result<T> {
    Err(StoreError::Config(
        "a command does not open the embedded object store".into(),
    ))
}

#[async_trait]
impl ObjectStore for Closed {
    fn bucket(&self) -> &str {
        &self.bucket
    }

    fn public_address(&self) -> &str {
        ""
    }

    async fn ping(&self) -> Result<()> {
        closed()
    }

    async fn head(&self, _: &str) -> Result<Option<ObjectMeta>> {
        closed()
    }

    async fn get_to_file(&self, _: &str, _: &Path) -> Result<ObjectMeta> {
        closed()
    }

    async fn get_range(&self, _: &str, _: ByteRange) -> Result<Bytes> {
        closed()
    }

    async fn put_file(&self, _: &str, _: &Path, _: &str) -> Result<ObjectMeta> {
        closed()
    }

    async fn put_bytes(&self, _: &str, _: Bytes, _: &str) -> Result<ObjectMeta> {
        closed()
    }

    async fn delete(&self, _: &str) -> Result<()> {
        closed()
    }

    async fn delete_prefix(&self, _: &str) -> Result<u64> {
        closed()
    }

    async fn list(&self, _: &str, _: Option<&str>) -> Result<ListPage> {
        closed()
    }

    async fn copy(&self, _: &str, _: &str) -> Result<ObjectMeta> {
        closed()
    }

    async fn copy_if(&self, _: &str, _: &ObjectMeta, _: &str) -> Result<ObjectMeta> {
        closed()
    }

    async fn abort_uploads(&self, _: &str, _: i64) -> Result<u64> {
        closed()
    }

    fn presign_get(
        &self,
        _: &str,
        _: Duration,
        _: Option<&str>,
        _: Option<&str>,
    ) -> Result<String> {
        closed()
    }

    fn presign_get_for(
        &self,
        _: &Grantee<'_>,
        _: &str,
        _: Duration,
        _: Option<&str>,
        _: Option<&str>,
    ) -> Result<String> {
        closed()
    }

    fn presign_put(&self, _: &str, _: Duration) -> Result<String> {
        closed()
    }

    fn presign_part(&self, _: &str, _: &str, _: u32, _: Duration) -> Result<String> {
        closed()
    }
}

#[async_trait]
impl CredentialIssuer for Closed {
    async fn issue_within(
        &self,
        _: &Grantee<'_>,
        _: &str,
        _: Duration,
        _: &Quota,
    ) -> Result<TemporaryCredentials> {
        closed()
    }

    async fn revoke(&self, _: &[String]) -> Result<()> {
        closed()
    }

    fn bucket(&self) -> &str {
        &self.bucket
    }
}
