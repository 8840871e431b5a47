//! Cached usage counts of categories and industries.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::entity::category::Kind;

/// By kind: time of counting, and works by id.
#[derive(Clone, Default)]
pub(crate) struct Counts(pub Arc<Mutex<HashMap<Kind, Counted>>>);

pub(crate) type Counted = (i64, Arc<HashMap<String, i64>>);
