//! Tests of the library's inner functions, by its `internals`.

mod certification_rules;
mod certification_stamp;
mod console_settings;
mod export_archive;
mod identity_picture;
mod identity_provider;
mod identity_qq;
mod invitation_figures;
mod invitation_qualify;
mod risk;
mod rules;
mod session_agent;
mod slider_questions;
mod sms_aliyun;
mod sms_limits;
