//! Delivery of SMS. A provider plugs in here: implement [`SmsSender`] and name it in [`super::of_config`].

use chassis::bus::Bus;
use proto::auth::v1::SmsCaught;

use crate::messages;

/// A message to one number.
#[derive(Debug, Clone)]
pub struct Sms {
    pub phone: String,
    pub purpose: &'static str,
    pub code: String,
    /// The whole text, signature included.
    pub text: String,
    /// Unix time in milliseconds.
    pub time_ms: i64,
}

#[derive(Debug, thiserror::Error)]
pub enum DeliveryError {
    #[error("no sms provider is configured")]
    NotConfigured,
    #[error("sms provider: {0}")]
    Provider(String),
    #[error("sms provider, too many: {0}")]
    TooMany(String),
    #[error("sms provider, wrong number: {0}")]
    WrongNumber(String),
}

impl DeliveryError {
    /// User-facing error.
    pub fn message(&self) -> &'static str {
        match self {
            Self::NotConfigured | Self::Provider(_) => "短信没有发出，请稍后再试",
            Self::TooMany(_) => "获取太频繁，请稍后再试",
            Self::WrongNumber(_) => messages::PHONE_WRONG,
        }
    }
}

#[async_trait::async_trait]
pub trait SmsSender: Send + Sync {
    /// Whether sending can work at all; checked before a code is written.
    fn is_configured(&self) -> bool {
        true
    }

    /// Sends the message to the provider; returns once it is accepted.
    async fn send(&self, sms: &Sms) -> Result<(), DeliveryError>;
}

/// Refuses all messages: for installations without a provider.
pub struct NoSender;

#[async_trait::async_trait]
impl SmsSender for NoSender {
    fn is_configured(&self) -> bool {
        false
    }

    async fn send(&self, _: &Sms) -> Result<(), DeliveryError> {
        Err(DeliveryError::NotConfigured)
    }
}

/// Shows messages in the sandbox's inbox instead of on a phone.
pub struct SandboxSender {
    bus: Bus,
}

impl SandboxSender {
    pub fn new(bus: Bus) -> Self {
        Self { bus }
    }
}

#[async_trait::async_trait]
impl SmsSender for SandboxSender {
    async fn send(&self, sms: &Sms) -> Result<(), DeliveryError> {
        self.bus.notify(&SmsCaught {
            phone: sms.phone.clone(),
            purpose: sms.purpose.to_owned(),
            code: sms.code.clone(),
            text: sms.text.clone(),
            time: sms.time_ms,
        });
        Ok(())
    }
}
