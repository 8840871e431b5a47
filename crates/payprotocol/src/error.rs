//! Errors of messages and keys.

/// Why a message is rejected, or a key is not usable. The texts are for logs; users see less.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    #[error("malformed: {0}")]
    Malformed(&'static str),
    #[error("the signature does not match")]
    Signature,
    #[error("signed with an unknown key {0:?}")]
    UnknownKey(String),
    #[error("signed {0} s away from now")]
    Stale(i64),
    #[error("key: {0}")]
    Key(&'static str),
}
