//! Mail by an SMTP server.

use std::time::Duration;

use lettre::message::Mailbox;
use lettre::message::header::ContentType;
use lettre::transport::smtp::authentication::Credentials;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use serde::Deserialize;

use super::{Mail, MailError, Mailer};
use crate::identity::config::secret;

/// How the connection is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Security {
    /// TLS from the first byte.
    Tls,
    /// TLS after STARTTLS; refused where the server has none.
    Starttls,
    /// None: for a relay on the same machine.
    None,
}

/// The section `[auth.mail.smtp]`.
#[derive(Debug, Clone, Deserialize)]
pub struct SmtpConfig {
    pub host: String,
    pub port: u16,
    pub security: Security,
    pub username: String,
    pub password: String,
    pub password_file: String,
    pub from: String,
    pub wait_ms: u64,
}

pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Smtp {
    /// Errors: a part of the section is missing.
    pub fn open(config: &SmtpConfig) -> anyhow::Result<Self> {
        anyhow::ensure!(!config.host.is_empty(), "auth.mail.smtp.host is missing");
        let from = config.from.parse();
        let from = from.map_err(|_| anyhow::anyhow!("auth.mail.smtp.from is no address"))?;
        type Transport = AsyncSmtpTransport<Tokio1Executor>;
        let builder = match config.security {
            Security::Tls => Transport::relay(&config.host)?,
            Security::Starttls => Transport::starttls_relay(&config.host)?,
            Security::None => Transport::builder_dangerous(&config.host),
        };
        let wait = Duration::from_millis(config.wait_ms.clamp(100, 60_000));
        let mut builder = builder.port(config.port).timeout(Some(wait));
        if !config.username.is_empty() {
            let name = "auth.mail.smtp.password";
            let password = secret(name, &config.password, &config.password_file)?;
            builder = builder.credentials(Credentials::new(config.username.clone(), password));
        }
        Ok(Self {
            transport: builder.build(),
            from,
        })
    }
}

#[async_trait::async_trait]
impl Mailer for Smtp {
    async fn send(&self, mail: &Mail) -> Result<(), MailError> {
        let failed = |error: &dyn std::fmt::Display| MailError::Server(error.to_string());
        let to: Mailbox = mail.to.parse().map_err(|error| failed(&error))?;
        let message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(&mail.subject)
            .header(ContentType::TEXT_PLAIN)
            .body(mail.text.clone())
            .map_err(|error| failed(&error))?;
        let sent = self.transport.send(message).await;
        sent.map(|_| ()).map_err(|error| failed(&error))
    }
}
