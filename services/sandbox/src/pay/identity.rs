//! Who the merchant is at the two providers, and everybody's keys: made at the first start and kept in the data folder.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::Context;
use payprotocol::wechat::cipher::ApiKey;
use payprotocol::{Certificate, PrivateKey, random_hex};
use serde::{Deserialize, Serialize};

const FILE: &str = "identity.json";

/// What is kept: keys as PEM.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Kept {
    alipay_app_id: String,
    alipay_seller_id: String,
    alipay_app_key: String,
    alipay_key: String,
    wechat_app_id: String,
    wechat_mch_id: String,
    wechat_merchant_key: String,
    wechat_merchant_certificate: String,
    wechat_platform_key: String,
    wechat_platform_certificate: String,
    wechat_public_key_id: String,
    wechat_public_key: String,
    wechat_api_key: String,
}

/// The merchant's side: what payment is configured with, and what a developer would copy from the providers' pages.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MerchantKeys {
    pub alipay_app_id: String,
    pub alipay_seller_id: String,
    /// PEM of the application's private key.
    pub alipay_app_key: String,
    /// PEM of Alipay's public key.
    pub alipay_public_key: String,
    pub wechat_app_id: String,
    pub wechat_mch_id: String,
    /// Serial number of the merchant's certificate.
    pub wechat_serial: String,
    /// PEM of the merchant's private key.
    pub wechat_merchant_key: String,
    /// PEM of the certificate that signs where nothing else is asked for.
    pub wechat_platform_certificate: String,
    pub wechat_platform_serial: String,
    /// `PUB_KEY_ID_…`
    pub wechat_public_key_id: String,
    /// PEM of the key of that name.
    pub wechat_public_key: String,
    pub wechat_api_key: String,
}

impl MerchantKeys {
    /// The section `[payment.alipay]` for a sandbox at this address.
    pub fn alipay(&self, sandbox: &str) -> toml::Table {
        table(&[
            ("app_id", &self.alipay_app_id),
            ("seller_id", &self.alipay_seller_id),
            ("gateway", &format!("{sandbox}/alipay/gateway.do")),
            ("key", &self.alipay_app_key),
            ("key_file", ""),
            ("alipay_key", &self.alipay_public_key),
            ("alipay_key_file", ""),
        ])
    }

    /// The section `[payment.wechat]` for a sandbox at this address.
    pub fn wechat(&self, sandbox: &str) -> toml::Table {
        table(&[
            ("app_id", &self.wechat_app_id),
            ("mch_id", &self.wechat_mch_id),
            ("serial", &self.wechat_serial),
            ("gateway", &format!("{sandbox}/wechat")),
            ("key", &self.wechat_merchant_key),
            ("key_file", ""),
            ("api_key", &self.wechat_api_key),
            ("api_key_file", ""),
            ("platform_serial", &self.wechat_public_key_id),
            ("platform_key", &self.wechat_public_key),
            ("platform_key_file", ""),
        ])
    }
}

fn table(pairs: &[(&str, &str)]) -> toml::Table {
    let pairs = pairs.iter();
    pairs
        .map(|(name, value)| ((*name).to_owned(), (*value).into()))
        .collect()
}

pub(super) struct Alipay {
    pub app_id: String,
    pub seller_id: String,
    pub app_key: PrivateKey,
    pub key: PrivateKey,
}

pub(super) struct Wechat {
    pub app_id: String,
    pub mch_id: String,
    pub merchant_key: PrivateKey,
    pub merchant: Certificate,
    pub platform_key: PrivateKey,
    pub platform: Certificate,
    pub public_key_id: String,
    pub public_key: PrivateKey,
    pub api_key: ApiKey,
}

/// Everybody's keys.
pub struct Identity {
    pub(super) alipay: Alipay,
    pub(super) wechat: Wechat,
    kept: Kept,
}

fn digits(prefix: &str, count: usize) -> anyhow::Result<String> {
    let random = random_hex(count)?;
    let digits = random
        .bytes()
        .take(count)
        .map(|byte| char::from(b'0' + byte % 10));
    Ok(prefix.chars().chain(digits).collect())
}

fn make(now_ms: i64) -> anyhow::Result<Kept> {
    let pem = || anyhow::Ok(PrivateKey::generate()?.to_pem()?);
    let merchant_key = PrivateKey::generate()?;
    let platform_key = PrivateKey::generate()?;
    Ok(Kept {
        alipay_app_id: digits("2021", 12)?,
        alipay_seller_id: digits("2088", 12)?,
        alipay_app_key: pem()?,
        alipay_key: pem()?,
        wechat_app_id: format!("wx{}", random_hex(8)?),
        wechat_mch_id: digits("19", 8)?,
        wechat_merchant_key: merchant_key.to_pem()?,
        wechat_merchant_certificate: merchant_key.certificate("sandbox merchant", now_ms)?.pem,
        wechat_platform_key: platform_key.to_pem()?,
        wechat_platform_certificate: platform_key.certificate("sandbox platform", now_ms)?.pem,
        wechat_public_key_id: format!("PUB_KEY_ID_{}", digits("01", 26)?),
        wechat_public_key: pem()?,
        wechat_api_key: random_hex(16)?,
    })
}

impl Identity {
    /// Opens what is kept in `folder`, and makes it when it is missing.
    pub fn open(folder: &Path, now_ms: i64) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join(FILE);
        let kept = match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .with_context(|| format!("{} cannot be read", path.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let kept = make(now_ms)?;
                let fresh = folder.join(format!("{FILE}.new"));
                let mut file = std::fs::OpenOptions::new()
                    .write(true)
                    .create(true)
                    .truncate(true)
                    .mode(0o600)
                    .open(&fresh)?;
                file.write_all(&serde_json::to_vec_pretty(&kept)?)?;
                file.sync_all()?;
                std::fs::rename(&fresh, &path)?;
                kept
            }
            Err(error) => return Err(error).context(path.display().to_string()),
        };
        Self::of(kept)
    }

    fn of(kept: Kept) -> anyhow::Result<Self> {
        let alipay = Alipay {
            app_id: kept.alipay_app_id.clone(),
            seller_id: kept.alipay_seller_id.clone(),
            app_key: PrivateKey::read(&kept.alipay_app_key)?,
            key: PrivateKey::read(&kept.alipay_key)?,
        };
        let wechat = Wechat {
            app_id: kept.wechat_app_id.clone(),
            mch_id: kept.wechat_mch_id.clone(),
            merchant_key: PrivateKey::read(&kept.wechat_merchant_key)?,
            merchant: Certificate::read(&kept.wechat_merchant_certificate)?,
            platform_key: PrivateKey::read(&kept.wechat_platform_key)?,
            platform: Certificate::read(&kept.wechat_platform_certificate)?,
            public_key_id: kept.wechat_public_key_id.clone(),
            public_key: PrivateKey::read(&kept.wechat_public_key)?,
            api_key: ApiKey::read(&kept.wechat_api_key)?,
        };
        Ok(Self {
            alipay,
            wechat,
            kept,
        })
    }

    pub fn merchant_keys(&self) -> anyhow::Result<MerchantKeys> {
        Ok(MerchantKeys {
            alipay_app_id: self.kept.alipay_app_id.clone(),
            alipay_seller_id: self.kept.alipay_seller_id.clone(),
            alipay_app_key: self.kept.alipay_app_key.clone(),
            alipay_public_key: self.alipay.key.public()?.to_pem(),
            wechat_app_id: self.kept.wechat_app_id.clone(),
            wechat_mch_id: self.kept.wechat_mch_id.clone(),
            wechat_serial: self.wechat.merchant.serial.clone(),
            wechat_merchant_key: self.kept.wechat_merchant_key.clone(),
            wechat_platform_certificate: self.wechat.platform.pem.clone(),
            wechat_platform_serial: self.wechat.platform.serial.clone(),
            wechat_public_key_id: self.kept.wechat_public_key_id.clone(),
            wechat_public_key: self.wechat.public_key.public()?.to_pem(),
            wechat_api_key: self.kept.wechat_api_key.clone(),
        })
    }
}
