//! Pictures of documents: taken from the caller's own uploads, checked by their bytes, drawn anew so that only the picture
//! remains, and stored encrypted where no user's credentials reach.

use chassis::{BusinessError, ServiceError};
use objectstore::{ByteRange, ObjectStore, StoreError};
use picturescan::{Limits, Refusal};

use super::vault::RecordKey;

pub const TOO_SMALL: &str = "图片不清晰，请上传边长不小于300像素的图片";
pub const MISSING: &str = "没有找到上传的图片，请重新上传";

/// Limits for a photograph of a document. Drawing takes some eight bytes a pixel.
const LIMITS: Limits = Limits {
    bytes: 5 * 1024 * 1024,
    side: 8000,
    pixels: 16_000_000,
    frames: 1,
};
/// Text is illegible with a shorter side.
const LEAST_SIDE: u32 = 300;

/// Prefix of everything that belongs to a record.
pub fn prefix(record: &str) -> String {
    format!("c/{record}/")
}

fn store_away(error: StoreError) -> ServiceError {
    tracing::warn!(%error, "object store away");
    ServiceError::Unavailable("object store")
}

/// The key of the caller's upload that a form names, with or without the bucket before it.
pub fn own_key(
    store: &dyn ObjectStore,
    login_id: &str,
    named: &str,
) -> Result<String, ServiceError> {
    let wrong = || BusinessError::not_found(MISSING);
    let bucket = format!("{}/", store.bucket());
    let key = named.strip_prefix(&bucket).unwrap_or(named);
    match chassis::uploads::is_own(login_id, key) {
        true => Ok(key.to_owned()),
        false => Err(wrong().into()),
    }
}

/// The bytes of an upload.
pub async fn read(store: &dyn ObjectStore, key: &str) -> Result<Vec<u8>, ServiceError> {
    let Some(meta) = store.head(key).await.map_err(store_away)? else {
        return Err(BusinessError::not_found(MISSING).into());
    };
    if meta.size > LIMITS.bytes {
        let refusal = Refusal::Bytes(LIMITS.bytes / (1024 * 1024));
        return Err(BusinessError::invalid(refusal.to_string()).into());
    }
    // The object may be replaced concurrently: never read more than the limit.
    let all = ByteRange {
        start: 0,
        end: Some(LIMITS.bytes),
    };
    let bytes = match store.get_range(key, all).await {
        Ok(bytes) => bytes,
        Err(StoreError::NoSuchKey(_)) => return Err(BusinessError::not_found(MISSING).into()),
        Err(error) => return Err(store_away(error)),
    };
    Ok(bytes.to_vec())
}

/// The picture as stored: drawn anew, without anything beside the picture.
pub fn redrawn(bytes: &[u8]) -> Result<Vec<u8>, BusinessError> {
    let clean = picturescan::clean(bytes, &LIMITS);
    let clean = clean.map_err(|refusal| BusinessError::invalid(refusal.to_string()))?;
    if clean.width.min(clean.height) < LEAST_SIDE {
        return Err(BusinessError::invalid(TOO_SMALL));
    }
    Ok(clean.bytes)
}

/// Stores a picture of a record.
pub async fn keep(
    store: &dyn ObjectStore,
    key: &RecordKey,
    record: &str,
    part: &str,
    picture: &[u8],
) -> Result<(), ServiceError> {
    let sealed = key.seal(part, picture)?;
    let name = format!("{}{part}", prefix(record));
    let kept = store
        .put_bytes(&name, sealed.into(), "application/octet-stream")
        .await;
    kept.map_err(store_away)?;
    Ok(())
}

/// A stored picture: JPEG, or PNG where something is transparent.
pub async fn open(
    store: &dyn ObjectStore,
    key: &RecordKey,
    record: &str,
    part: &str,
) -> Result<Vec<u8>, ServiceError> {
    let name = format!("{}{part}", prefix(record));
    let whole = ByteRange {
        start: 0,
        end: None,
    };
    let sealed = match store.get_range(&name, whole).await {
        Ok(sealed) => sealed,
        Err(StoreError::NoSuchKey(_)) => {
            return Err(BusinessError::not_found("图片已按期删除").into());
        }
        Err(error) => return Err(store_away(error)),
    };
    Ok(key.open(part, &sealed)?)
}

/// Removes everything that belongs to a record.
pub async fn remove(store: &dyn ObjectStore, record: &str) -> Result<(), ServiceError> {
    store
        .delete_prefix(&prefix(record))
        .await
        .map_err(store_away)?;
    Ok(())
}
