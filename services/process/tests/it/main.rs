//! The service against real backends, with the real engine in child processes.

mod bundle;
mod console;
mod entitlement;
mod feedback;
mod files;
mod jobs;
mod keeping;
mod limits;
mod messages;
mod queue;
mod results;
mod showcase;
mod silent;
mod support;
mod turntable;
