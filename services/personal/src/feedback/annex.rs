//! The archive attached to feedback: stored as uploaded, never unpacked, served as a download only.

use chassis::{BusinessError, Grantee, ServiceError};
use objectstore::{ByteRange, ObjectStore, StoreError};

use super::{LINK_LIFE, away};
use crate::Personal;
use crate::pictures::own_key;

const MAX_MB: u64 = 20;
const MAX_NAME: usize = 100;

/// An archive copied to a key of the service.
#[derive(Default)]
pub(super) struct Annex {
    pub key: String,
    pub name: String,
}

fn wrong_kind() -> BusinessError {
    BusinessError::invalid("附件格式不正确！仅支持zip,rar文件")
}

/// The extension identified by the first bytes.
pub fn kind_of(first: &[u8]) -> Option<&'static str> {
    match first {
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some("zip"),
        [b'R', b'a', b'r', b'!', 0x1A, 0x07, ..] => Some("rar"),
        _ => None,
    }
}

impl Personal {
    pub(super) async fn keep_annex(
        &self,
        owner: &str,
        id: &str,
        address: &str,
    ) -> Result<Annex, ServiceError> {
        let objects = &self.context.objects;
        let key = own_key(address, objects.public_address(), objects.bucket(), owner)?;
        let name = key.rsplit('/').next().unwrap_or_default();
        let (_, extension) = name.rsplit_once('.').ok_or_else(wrong_kind)?;
        let extension = extension.to_ascii_lowercase();
        if extension != "zip" && extension != "rar" {
            return Err(wrong_kind().into());
        }
        let meta = objects.head(&key).await.map_err(away)?;
        let meta = meta.ok_or_else(|| BusinessError::invalid("附件不存在，请重新上传"))?;
        if meta.size > MAX_MB * 1024 * 1024 {
            return Err(BusinessError::invalid("附件不能超过20M").into());
        }
        let kept = format!("f/{id}/annex.{extension}");
        // Copies exactly the object that was checked, even if its owner replaces it meanwhile.
        match objects.copy_if(&key, &meta, &kept).await {
            Ok(_) => {}
            Err(StoreError::PreconditionFailed) => {
                return Err(BusinessError::invalid("附件已被更改，请重新上传").into());
            }
            Err(error) => return Err(away(error)),
        }
        let head = ByteRange {
            start: 0,
            end: Some(meta.size.min(8)),
        };
        let first = objects.get_range(&kept, head).await.map_err(away)?;
        if kind_of(&first) != Some(extension.as_str()) {
            objects.delete(&kept).await.map_err(away)?;
            return Err(wrong_kind().into());
        }
        Ok(Annex {
            key: kept,
            name: name
                .chars()
                .rev()
                .take(MAX_NAME)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .collect(),
        })
    }
}

/// A signed address that browsers download and never display.
pub(super) fn download(
    objects: &dyn ObjectStore,
    to: &Grantee<'_>,
    key: &str,
    name: &str,
) -> Result<String, StoreError> {
    let bytes = Some("application/octet-stream");
    objects.presign_get_for(to, key, LINK_LIFE, Some(name), bytes)
}
