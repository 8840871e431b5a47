//! What can be wrong with a message or a key.

/// Why a message is not believed, or a key not used. The texts are for logs; people are told less.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    #[error("malformed: {0}")]
    Malformed(&'static str),
    #[error("the signature does not fit")]
    Signature,
    #[error("signed with an unknown key {0:?}")]
    UnknownKey(String),
    #[error("signed {0} s away from now")]
    Stale(i64),
    #[error("key: {0}")]
    Key(&'static str),
}
