//! What a provider is answered to a notification.

/// What became of a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Receipt {
    /// What follows from it is committed.
    Committed,
    /// It is not genuine, or about no payment of ours: it is not to be sent again.
    Refused,
    /// It could not be handled now: it is to be sent again.
    Failed,
}

/// The HTTP response to a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledgement {
    pub status: u16,
    /// Value of Content-Type; empty without a body.
    pub content_type: &'static str,
    pub body: String,
}
