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
    pub alipay: AlipayConfig,
    pub wechat: WechatConfig,
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
        // What stands before an @ only looks like a host.
        if authority.as_str().contains('@') {
            return false;
        }
        let origin = format!("{scheme}://{authority}");
        let own = self.site_origins.iter();
        own.map(|own| own.trim_end_matches('/'))
            .any(|own| own.eq_ignore_ascii_case(&origin))
    }

    /// Milliseconds until the next try after `tries` of them.
    pub fn wait_ms(&self, tries: i32) -> i64 {
        let doubled = self
            .retry_s
            .saturating_mul(1_i64 << u32::try_from(tries).unwrap_or(0).min(20));
        doubled.min(self.retry_longest_s).saturating_mul(1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_site_are_its_own() {
        let settings = chassis::Settings::load_from(&[crate::DEFAULTS], None, Vec::new()).unwrap();
        let mut config: PaymentConfig = settings.section("payment").unwrap();
        assert!(!config.is_own("https://3d.example/"));
        config.site_origins = vec!["https://3d.example".into(), "http://127.0.0.1:7080/".into()];
        for own in [
            "https://3d.example/a?b=c",
            "https://3D.example",
            "http://127.0.0.1:7080/x",
        ] {
            assert!(config.is_own(own), "{own}");
        }
        for other in [
            "http://3d.example/",
            "https://3d.example:444/",
            "https://3d.example.evil/",
            "https://3d.example@evil/",
            "https://evil/https://3d.example",
            "//3d.example/",
            "/pay",
            "javascript:alert(1)",
            "https://3d.example\\@evil/",
            "",
        ] {
            assert!(!config.is_own(other), "{other}");
        }
    }
}
