//! The service against real backends, with the real engine in child processes.

mod entitlement;
mod files;
mod jobs;
mod limits;
mod results;
mod support;
mod turntable;
