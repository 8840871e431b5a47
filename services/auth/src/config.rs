//! The section `[auth]`.

use serde::Deserialize;

pub use crate::identity::config::{ApplicationConfig, ThirdPartyConfig};
pub use crate::mail::smtp::SmtpConfig;
pub use crate::sms::aliyun::AliyunConfig;

#[derive(Debug, Clone, Deserialize)]
pub struct AuthConfig {
    pub listen: String,
    pub token: TokenConfig,
    pub password: PasswordConfig,
    pub sms: SmsConfig,
    pub mail: MailConfig,
    pub slider: SliderConfig,
    pub risk: RiskConfig,
    pub invitation: InvitationConfig,
    pub certification: CertificationConfig,
    pub closure: ClosureConfig,
    pub export: ExportConfig,
    pub third_party: ThirdPartyConfig,
    pub wechat: ApplicationConfig,
    pub qq: ApplicationConfig,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ExportConfig {
    pub keep_days: i64,
    pub link_minutes: i64,
}

impl ExportConfig {
    pub fn keep_days(&self) -> i64 {
        self.keep_days.clamp(1, 30)
    }

    pub fn keep_ms(&self) -> i64 {
        days(self.keep_days())
    }

    pub fn link(&self) -> std::time::Duration {
        std::time::Duration::from_secs(60 * self.link_minutes.clamp(1, 60) as u64)
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct TokenConfig {
    pub life_days: i64,
    pub idle_days: i64,
    pub absolute_days: i64,
    pub max_sessions: u64,
}

impl TokenConfig {
    pub fn life_ms(&self) -> i64 {
        days(self.life_days)
    }

    pub fn idle_ms(&self) -> i64 {
        days(self.idle_days)
    }

    pub fn absolute_ms(&self) -> i64 {
        days(self.absolute_days)
    }
}

fn days(number: i64) -> i64 {
    number.clamp(1, 3650) * 24 * 3_600_000
}

#[derive(Debug, Clone, Deserialize)]
pub struct PasswordConfig {
    pub per_account_hour: u64,
    pub per_account_day: u64,
    pub per_device_hour: u64,
    pub concurrent: usize,
    pub waiting: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SenderKind {
    None,
    Sandbox,
    Aliyun,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SmsConfig {
    pub sender: SenderKind,
    pub i_know_this_shows_every_code: bool,
    pub code_life_seconds: i64,
    pub tries: i32,
    pub resend_seconds: i64,
    pub per_number_hour: u64,
    pub per_number_day: u64,
    pub per_address_hour: u64,
    pub per_address_day: u64,
    pub all_slider_hour: u64,
    pub all_hour: u64,
    pub all_day: u64,
    pub aliyun: AliyunConfig,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MailerKind {
    None,
    Sandbox,
    Smtp,
}

#[derive(Debug, Clone, Deserialize)]
pub struct MailConfig {
    pub sender: MailerKind,
    pub i_know_this_shows_every_code: bool,
    pub code_life_seconds: i64,
    pub per_account_hour: i64,
    pub per_address_hour: i64,
    pub smtp: SmtpConfig,
}

#[derive(Debug, Clone, Deserialize)]
pub struct SliderConfig {
    pub reveal: bool,
    pub i_know_this_shows_every_code: bool,
    pub concurrent: usize,
    pub passes_per_address_hour: i64,
    pub questions_per_address_hour: i64,
    pub questions_hour: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SliderRule {
    /// Demanded when tries look like guessing.
    Risk,
    Always,
}

#[derive(Debug, Clone, Deserialize)]
pub struct RiskConfig {
    pub slider: SliderRule,
    pub unknown_names_hour: i64,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ClosureConfig {
    pub days: i64,
    pub settle_minutes: i64,
}

impl ClosureConfig {
    pub fn days(&self) -> i64 {
        self.days.clamp(1, 365)
    }

    pub fn settle_ms(&self) -> i64 {
        self.settle_minutes.clamp(0, 1440) * 60_000
    }
}

#[derive(Clone, Deserialize)]
pub struct CertificationConfig {
    pub key_id: String,
    pub key: String,
    pub previous_keys: Vec<String>,
    pub index_key: String,
    pub tries_day: usize,
    pub accounts_per_number: u64,
    pub picture_days: i64,
}

impl std::fmt::Debug for CertificationConfig {
    // Keys must not be logged.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CertificationConfig")
            .field("key_id", &self.key_id)
            .finish_non_exhaustive()
    }
}

/// Section `[auth.invitation]`.
#[derive(Debug, Clone, Deserialize)]
pub struct InvitationConfig {
    pub reward_cents: i64,
    pub month_limit: u64,
    pub days: i64,
}
