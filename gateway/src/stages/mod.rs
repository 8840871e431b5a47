//! The stages of the pipeline, in their order; `crate::pipeline` runs them.

pub mod request_id;

pub mod access_log;

pub mod cors;

pub mod body;

pub mod client;

pub mod rate;

pub mod signature;

pub mod token;

pub mod owner;

pub mod call;

pub mod envelope;
