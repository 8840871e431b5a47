//! One log line per call, without headers, query and body, so that no secret, `D` or token can get into it.

use std::time::Instant;

use crate::config::AccessLog;
use crate::stages::request_id::Origin;

/// The facts about a finished request.
pub struct Line<'a> {
    pub origin: &'a Origin,
    pub method: &'a str,
    pub path: &'a str,
    /// Row of proto/catalogue.tsv; empty if the path is not a call.
    pub call: &'a str,
    /// Login id; empty for an anonymous caller.
    pub user: &'a str,
    pub http: u16,
    pub code: i32,
    pub good: bool,
    pub since: Instant,
}

/// Most characters of a path that are logged.
const MAX_PATH: usize = 200;

/// A path, truncated.
pub fn short(path: &str) -> &str {
    path.get(..MAX_PATH).unwrap_or(path)
}

pub fn write(line: &Line, which: AccessLog) {
    if which == AccessLog::None || (which == AccessLog::Failed && line.good) {
        return;
    }
    let path = short(line.path);
    tracing::info!(
        target: "access",
        request = %line.origin.request_id,
        trace = line.origin.trace_id,
        from = %line.origin.address,
        method = line.method,
        path,
        call = line.call,
        user = line.user,
        http = line.http,
        code = line.code,
        us = line.since.elapsed().as_micros() as u64,
    );
}
