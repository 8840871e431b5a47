//! Notifications: what they say, and how they are sent.

use serde::{Deserialize, Serialize};

/// The content of a notification.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum What {
    Paid,
    /// The previous state: for notifications that arrive in the wrong order.
    Waiting,
    /// The refund with this number.
    Refunded(String),
}

/// A notification ready to be sent.
pub(super) struct Message {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: String,
}
