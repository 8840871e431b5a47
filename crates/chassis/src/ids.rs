//! Ids of rows and messages.

/// A new id: 32 characters, sortable by time.
pub fn new_id() -> String {
    uuid::Uuid::now_v7().simple().to_string()
}
