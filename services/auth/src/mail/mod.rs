//! Delivery of mail. A provider plugs in here: implement [`Mailer`] and name it in [`of_config`].

pub mod smtp;

use std::sync::Arc;

use chassis::Settings;
use chassis::bus::Bus;
use chassis::environment::refuse_outside_development;
use proto::auth::v1::MailCaught;

use crate::config::{MailConfig, MailerKind};

/// A mail to one address: plain text, without attachments.
#[derive(Debug, Clone)]
pub struct Mail {
    /// One address, checked ([`crate::rules::email`]): it holds nothing that could begin another header.
    pub to: String,
    pub subject: String,
    pub text: String,
    /// Its purpose, for example `bindEmail`.
    pub purpose: &'static str,
    /// The code it holds; empty without one.
    pub code: String,
    /// Unix time in milliseconds.
    pub time_ms: i64,
}

#[derive(Debug, thiserror::Error)]
pub enum MailError {
    #[error("no mail server is configured")]
    NotConfigured,
    #[error("mail server: {0}")]
    Server(String),
}

#[async_trait::async_trait]
pub trait Mailer: Send + Sync {
    /// Whether sending can work at all; checked before a code is written.
    fn is_configured(&self) -> bool {
        true
    }

    /// Sends the mail to the server; returns once it is accepted.
    async fn send(&self, mail: &Mail) -> Result<(), MailError>;
}

/// Refuses all mail: for installations without a mail server.
struct NoMailer;

#[async_trait::async_trait]
impl Mailer for NoMailer {
    fn is_configured(&self) -> bool {
        false
    }

    async fn send(&self, _: &Mail) -> Result<(), MailError> {
        Err(MailError::NotConfigured)
    }
}

/// Shows mails in the sandbox's mailbox instead of sending them.
struct SandboxMailer {
    bus: Bus,
}

#[async_trait::async_trait]
impl Mailer for SandboxMailer {
    async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        self.bus.notify(&MailCaught {
            to: mail.to.clone(),
            subject: mail.subject.clone(),
            text: mail.text.clone(),
            purpose: mail.purpose.to_owned(),
            code: mail.code.clone(),
            time: mail.time_ms,
        });
        Ok(())
    }
}

/// The mailer that the configuration names.
///
/// Errors: the sandbox is refused outside development.
pub fn of_config(
    settings: &Settings,
    config: &MailConfig,
    bus: &Bus,
) -> anyhow::Result<Arc<dyn Mailer>> {
    match config.sender {
        MailerKind::None => Ok(Arc::new(NoMailer)),
        MailerKind::Smtp => Ok(Arc::new(smtp::Smtp::open(&config.smtp)?)),
        MailerKind::Sandbox => {
            refuse_outside_development(
                settings,
                "auth.mail.sender = \"sandbox\"",
                "auth.mail.i_know_this_shows_every_code",
                config.i_know_this_shows_every_code,
            )?;
            Ok(Arc::new(SandboxMailer { bus: bus.clone() }))
        }
    }
}
