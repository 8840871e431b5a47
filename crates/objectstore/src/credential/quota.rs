//! How much temporary credentials allow.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Limits of one user, in bytes. Our own store enforces them while bytes arrive; an external store does not know them,
/// and what exceeds them there is refused when it is taken in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Quota {
    /// What the user may have stored in all: uploaded, kept, and the parts of open uploads. `None`: no limit.
    #[serde(rename = "s", skip_serializing_if = "Option::is_none")]
    pub storage_bytes: Option<u64>,
    /// The largest object. `None`: what the store takes.
    #[serde(rename = "o", skip_serializing_if = "Option::is_none")]
    pub object_bytes: Option<u64>,
    /// The largest object by the key's extension (lower case), where it differs.
    #[serde(rename = "x", skip_serializing_if = "BTreeMap::is_empty")]
    pub by_extension: BTreeMap<String, u64>,
}

impl Quota {
    /// No limit at all.
    pub(crate) fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }

    /// The largest object that may have this key.
    pub(crate) fn largest(&self, key: &str) -> u64 {
        let extension = key
            .rsplit_once('.')
            .map_or(String::new(), |(_, extension)| extension.to_lowercase());
        let own = self.by_extension.get(&extension).copied();
        own.or(self.object_bytes).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extension_may_have_a_limit_of_its_own() {
        let quota = Quota {
            object_bytes: Some(3),
            by_extension: [("zip".to_owned(), 50)].into(),
            ..Default::default()
        };
        assert_eq!(quota.largest("u/1/a.glb"), 3);
        assert_eq!(quota.largest("u/1/a.ZIP"), 50);
        assert_eq!(quota.largest("u/1/zip"), 3);
        assert_eq!(Quota::default().largest("u/1/a"), u64::MAX);
        // Credentials of an earlier version name no limits.
        assert_eq!(
            serde_json::from_str::<Quota>("{}").unwrap(),
            Quota::default()
        );
    }
}
