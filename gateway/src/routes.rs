//! Maps paths to calls: from the descriptors' options, and from proto/catalogue.tsv for calls whose service is not open yet.

use std::collections::HashMap;
use std::sync::OnceLock;

use http::uri::PathAndQuery;
use metrics::{Counter, Histogram};
use proto::catalogue::{Access, Call, Rate};
use proto::contract;

use crate::transcode::reply::ReplyPlan;

/// A path known to the gateway.
pub struct Route {
    /// Row of proto/catalogue.tsv.
    pub id: String,
    pub access: Access,
    pub writes: bool,
    pub rate: Rate,
    pub token_endpoint: bool,
    /// `None` while the service does not exist yet.
    pub open: Option<Open>,
    meters: OnceLock<(Counter, Histogram)>,
}

/// A call that a service implements.
pub struct Open {
    pub call: &'static Call,
    pub address: PathAndQuery,
    pub reply: ReplyPlan,
}

impl Route {
    /// Counter of successes and latency histogram (seconds), created once.
    pub fn meters(&self) -> &(Counter, Histogram) {
        self.meters.get_or_init(|| {
            let id = self.id.clone();
            (
                metrics::counter!("gateway_requests_total", "call" => id.clone(), "code" => "success"),
                metrics::histogram!("gateway_request_seconds", "call" => id),
            )
        })
    }
}

/// A path with one variable segment, for example `/api-personal/…/attention/{operation}`.
struct Pattern {
    before: String,
    after: String,
    name: String,
    route: usize,
}

/// A route and the captured segment of its path.
pub struct Found<'t, 'p> {
    pub route: &'t Route,
    /// Name and text of the variable segment.
    pub captured: Option<(&'t str, &'p str)>,
}

pub struct RouteTable {
    routes: Vec<Route>,
    exact: HashMap<String, usize>,
    patterns: Vec<Pattern>,
}

impl RouteTable {
    /// The public calls of the descriptors, then the rows of the catalogue that have no RPC.
    pub fn build() -> anyhow::Result<Self> {
        let mut table = Self::of_calls(|call| !call.is_console())?;
        table.add_closed();
        Ok(table)
    }

    /// The calls of the operators' console, which no public listener serves.
    pub fn console() -> anyhow::Result<Self> {
        Self::of_calls(Call::is_console)
    }

    fn of_calls(which: impl Fn(&Call) -> bool) -> anyhow::Result<Self> {
        let mut table = Self {
            routes: Vec::new(),
            exact: HashMap::new(),
            patterns: Vec::new(),
        };
        for call in proto::catalogue::calls().iter().filter(|call| which(call)) {
            let open = Open {
                call,
                address: call.address.parse()?,
                reply: ReplyPlan::of(call),
            };
            let route = Route {
                id: call.id.clone(),
                access: call.access,
                writes: call.writes,
                rate: call.rate,
                token_endpoint: call.token_endpoint,
                open: Some(open),
                meters: OnceLock::new(),
            };
            table.add(&call.path, route);
        }
        Ok(table)
    }

    fn add_closed(&mut self) {
        for row in contract::rows() {
            if self.knows(row.path) {
                continue;
            }
            let route = Route {
                id: row.id.to_owned(),
                access: row.access,
                // A closed call changes nothing.
                writes: false,
                rate: Rate::Normal,
                token_endpoint: false,
                open: None,
                meters: OnceLock::new(),
            };
            self.add(row.path, route);
        }
    }

    fn knows(&self, path: &str) -> bool {
        self.exact.contains_key(path)
            || self.patterns.iter().any(|p| {
                let Pattern {
                    before,
                    name,
                    after,
                    ..
                } = p;
                path == format!("{before}{{{name}}}{after}")
            })
    }

    fn add(&mut self, path: &str, route: Route) {
        let index = self.routes.len();
        self.routes.push(route);
        let parts = path
            .split_once('{')
            .and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
        match parts {
            Some((before, (name, after))) => self.patterns.push(Pattern {
                before: before.to_owned(),
                after: after.to_owned(),
                name: name.to_owned(),
                route: index,
            }),
            None => {
                self.exact.insert(path.to_owned(), index);
            }
        }
    }

    /// The route of a path as sent on the wire.
    pub fn find<'t, 'p>(&'t self, path: &'p str) -> Option<Found<'t, 'p>> {
        if let Some(index) = self.exact.get(path) {
            return Some(Found {
                route: self.routes.get(*index)?,
                captured: None,
            });
        }
        for pattern in &self.patterns {
            let Some(segment) = path
                .strip_prefix(pattern.before.as_str())
                .and_then(|rest| rest.strip_suffix(pattern.after.as_str()))
            else {
                continue;
            };
            if !segment.is_empty() && !segment.contains('/') {
                return Some(Found {
                    route: self.routes.get(pattern.route)?,
                    captured: Some((&pattern.name, segment)),
                });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_calls_and_calls_to_come() {
        let table = RouteTable::build().unwrap();
        let token = table.find("/api-auth/oauth/user/token").unwrap();
        assert!(token.route.open.is_some() && token.route.token_endpoint);
        let pay = table
            .find("/api-personal/laozi/v3/account/availablePackageList")
            .unwrap();
        assert!(pay.route.open.is_none());
        assert_eq!(pay.route.access, Access::Login);
        assert!(table.find("/api-auth/oauth/user/token/").is_none());
        assert!(table.find("/api-nothing").is_none());
        let console = RouteTable::console().unwrap();
        for call in proto::catalogue::calls() {
            let found = (
                table.find(&call.path).is_some(),
                console.find(&call.path).is_some(),
            );
            let expected = (!call.is_console(), call.is_console());
            assert!(found == expected || call.path.contains('{'), "{}", call.id);
        }
    }

    #[test]
    fn a_segment_that_varies_is_one_segment() {
        let table = RouteTable::build().unwrap();
        let base = "/api-personal/laozi/v3/attention/";
        let found = table
            .find("/api-personal/laozi/v3/attention/follow")
            .unwrap();
        assert_eq!(found.captured, Some(("operation", "follow")));
        assert!(table.find(base).is_none());
        assert!(table.find(&format!("{base}a/b")).is_none());
    }
}
