//! The section `[auth]`.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct AuthConfig {
    pub listen: String,
    pub token: TokenConfig,
    pub password: PasswordConfig,
    pub sms: SmsConfig,
    pub slider: SliderConfig,
    pub risk: RiskConfig,
}

#[derive(Debug, Clone, Deserialize)]
pub struct TokenConfig {
    pub life_days: i64,
    pub max_sessions: u64,
}

impl TokenConfig {
    pub fn life_ms(&self) -> i64 {
        self.life_days.clamp(1, 3650) * 24 * 3_600_000
    }
}

#[derive(Debug, Clone, Deserialize)]
pub struct PasswordConfig {
    pub concurrent: usize,
    pub waiting: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SenderKind {
    None,
    Sandbox,
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
}

#[derive(Debug, Clone, Deserialize)]
pub struct SliderConfig {
    pub reveal: bool,
    pub i_know_this_shows_every_code: bool,
    pub concurrent: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SliderRule {
    /// Demanded when something looks like guessing.
    Risk,
    Always,
}

#[derive(Debug, Clone, Deserialize)]
pub struct RiskConfig {
    pub slider: SliderRule,
}
