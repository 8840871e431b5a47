//! Facts about a call for the log and the metrics.

use crate::routes::Route;

/// Facts about a request, collected for the log.
#[derive(Default)]
pub(crate) struct Notes<'t> {
    pub route: Option<&'t Route>,
    /// Login id, or an operator's id.
    pub user: String,
}
