//! How often categories and industries are used, as it was last counted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use crate::entity::category::Kind;

/// By kind: moment of counting, then works by id.
#[derive(Clone, Default)]
pub(crate) struct Counts(pub Arc<Mutex<HashMap<Kind, Counted>>>);

pub(crate) type Counted = (i64, Arc<HashMap<String, i64>>);
