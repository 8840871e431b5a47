//! The section `[payment]`.

use serde::Deserialize;

#[derive(Debug, Clone, Deserialize)]
pub struct PaymentConfig {
    pub listen: String,
    pub sweep_ms: u64,
    pub abandoned_s: i64,
    pub retry_s: i64,
    pub retry_longest_s: i64,
    pub site_origins: Vec<String>,
    pub notify_address: String,
    pub channel_wait_ms: u64,
    pub channel_at_once: usize,
    pub income_days: i64,
    pub withdrawal: WithdrawalConfig,
    pub cards: CardsConfig,
    pub alipay: AlipayConfig,
    pub wechat: WechatConfig,
}

/// Section `[payment.withdrawal]`.
#[derive(Debug, Clone, Deserialize)]
pub struct WithdrawalConfig {
    pub least: i64,
    pub most: i64,
    pub fee_bp: i64,
    pub least_fee: i64,
    pub two_above: i64,
}

impl WithdrawalConfig {
    /// Cents of an amount that are the fee; something of it always arrives.
    pub fn fee_of(&self, amount: i64) -> i64 {
        let part = i128::from(amount) * i128::from(self.fee_bp.clamp(0, 10_000)) / 10_000;
        let part = i64::try_from(part).unwrap_or(amount);
        part.max(self.least_fee.max(0)).min((amount - 1).max(0))
    }
}

/// Section `[payment.cards]`.
#[derive(Clone, Deserialize)]
pub struct CardsConfig {
    pub most: u64,
    pub key_id: String,
    pub key: String,
    pub previous_keys: Vec<String>,
    pub index_key: String,
}

impl std::fmt::Debug for CardsConfig {
    // Keys must not be logged.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CardsConfig")
            .field("key_id", &self.key_id)
            .finish_non_exhaustive()
    }
}

/// Section `[payment.alipay]`.
#[derive(Debug, Clone, Deserialize)]
pub struct AlipayConfig {
    pub app_id: String,
    pub seller_id: String,
    pub gateway: String,
    pub key: String,
    pub key_file: String,
    pub alipay_key: String,
    pub alipay_key_file: String,
    pub other_key: String,
    pub other_key_file: String,
    pub other_alipay_key: String,
    pub other_alipay_key_file: String,
}

/// Section `[payment.wechat]`.
#[derive(Debug, Clone, Deserialize)]
pub struct WechatConfig {
    pub app_id: String,
    pub mch_id: String,
    pub serial: String,
    pub gateway: String,
    pub key: String,
    pub key_file: String,
    pub api_key: String,
    pub api_key_file: String,
    pub platform_serial: String,
    pub platform_key: String,
    pub platform_key_file: String,
    pub other_api_key: String,
    pub other_api_key_file: String,
    pub other_platform_serial: String,
    pub other_platform_key: String,
    pub other_platform_key_file: String,
}

impl PaymentConfig {
    /// Whether an address lies on the site itself: scheme, host and port are one of `site_origins`.
    pub fn is_own(&self, address: &str) -> bool {
        let Ok(address) = address.parse::<http::Uri>() else {
            return false;
        };
        let (Some(scheme), Some(authority)) = (address.scheme_str(), address.authority()) else {
            return false;
        };
        // What precedes an @ only looks like a host.
        if authority.as_str().contains('@') {
            return false;
        }
        let origin = format!("{scheme}://{authority}");
        let own = self.site_origins.iter();
        own.map(|own| own.trim_end_matches('/'))
            .any(|own| own.eq_ignore_ascii_case(&origin))
    }

    /// Lease of a row that is worked on: longer than closing and asking take.
    pub fn lease_ms(&self) -> i64 {
        i64::try_from(self.channel_wait_ms).unwrap_or(i64::MAX / 4) * 2 + 2_000
    }

    /// Milliseconds until the next try after `tries` of them.
    pub fn wait_ms(&self, tries: i32) -> i64 {
        let doubled = self
            .retry_s
            .saturating_mul(1_i64 << u32::try_from(tries).unwrap_or(0).min(20));
        doubled.min(self.retry_longest_s).saturating_mul(1000)
    }
}
