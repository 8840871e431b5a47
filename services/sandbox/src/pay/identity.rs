//! The merchant's identity at both providers, and all keys: generated at the first start and kept in the data folder.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::Context;
use payprotocol::wechat::cipher::ApiKey;
use payprotocol::{Certificate, PrivateKey, random_hex};
use serde::{Deserialize, Serialize};

const FILE: &str = "identity.json";

/// The stored form: keys as PEM.
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
    /// The state after the next [`Identity::switch`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    next: Option<Box<Kept>>,
}

/// A key that can be rotated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Changing {
    /// The application's own, at Alipay: valid from the switch, the old one until then.
    AlipayApp,
    /// Alipay's: signs from the switch on.
    Alipay,
    /// The merchant's certificate at WeChat: valid at once, the old one until the switch.
    WechatMerchant,
    /// WeChat's public key and its id: signs from the switch on.
    WechatPublicKey,
    /// The APIv3 key: encrypts from the switch on.
    WechatApi,
}

/// The merchant's keys: the configuration of payment, which a developer would copy from the providers' pages.
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
    /// PEM of the certificate whose key signs by default.
    pub wechat_platform_certificate: String,
    pub wechat_platform_serial: String,
    /// `PUB_KEY_ID_…`
    pub wechat_public_key_id: String,
    /// PEM of the key with that id.
    pub wechat_public_key: String,
    pub wechat_api_key: String,
    /// The same after the announced switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Box<MerchantKeys>>,
}

impl MerchantKeys {
    /// The next value, if it differs.
    fn other(&self, of: impl Fn(&Self) -> &String) -> &str {
        let next = self.next.as_deref().map(&of);
        next.filter(|next| *next != of(self))
            .map_or("", |next| next)
    }

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
            ("other_key", self.other(|keys| &keys.alipay_app_key)),
            ("other_key_file", ""),
            (
                "other_alipay_key",
                self.other(|keys| &keys.alipay_public_key),
            ),
            ("other_alipay_key_file", ""),
        ])
    }

    /// The section `[payment.wechat]` for a sandbox at this address.
    pub fn wechat(&self, sandbox: &str) -> toml::Table {
        // WeChat accepts the next certificate already.
        let latest = self.next.as_deref().unwrap_or(self);
        table(&[
            ("app_id", &self.wechat_app_id),
            ("mch_id", &self.wechat_mch_id),
            ("serial", &latest.wechat_serial),
            ("gateway", &format!("{sandbox}/wechat")),
            ("key", &latest.wechat_merchant_key),
            ("key_file", ""),
            ("api_key", &self.wechat_api_key),
            ("api_key_file", ""),
            ("platform_serial", &self.wechat_public_key_id),
            ("platform_key", &self.wechat_public_key),
            ("platform_key_file", ""),
            ("other_api_key", self.other(|keys| &keys.wechat_api_key)),
            ("other_api_key_file", ""),
            (
                "other_platform_serial",
                self.other(|keys| &keys.wechat_public_key_id),
            ),
            (
                "other_platform_key",
                self.other(|keys| &keys.wechat_public_key),
            ),
            ("other_platform_key_file", ""),
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
    /// The next certificate, which is accepted already.
    pub next_merchant: Option<Certificate>,
    pub platform_key: PrivateKey,
    pub platform: Certificate,
    pub public_key_id: String,
    pub public_key: PrivateKey,
    pub api_key: ApiKey,
}

/// The keys of all parties.
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
        next: None,
    })
}

/// A copy with some keys generated anew.
fn renewed(kept: &Kept, changing: &[Changing], now_ms: i64) -> anyhow::Result<Kept> {
    let fresh = make(now_ms)?;
    let mut next = Kept {
        next: None,
        ..kept.clone()
    };
    for key in changing {
        match key {
            Changing::AlipayApp => next.alipay_app_key.clone_from(&fresh.alipay_app_key),
            Changing::Alipay => next.alipay_key.clone_from(&fresh.alipay_key),
            Changing::WechatMerchant => {
                next.wechat_merchant_key
                    .clone_from(&fresh.wechat_merchant_key);
                next.wechat_merchant_certificate
                    .clone_from(&fresh.wechat_merchant_certificate);
            }
            Changing::WechatPublicKey => {
                next.wechat_public_key_id
                    .clone_from(&fresh.wechat_public_key_id);
                next.wechat_public_key.clone_from(&fresh.wechat_public_key);
            }
            Changing::WechatApi => next.wechat_api_key.clone_from(&fresh.wechat_api_key),
        }
    }
    Ok(next)
}

fn write(folder: &Path, kept: &Kept) -> anyhow::Result<()> {
    let fresh = folder.join(format!("{FILE}.new"));
    let mut file = std::fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&fresh)?;
    file.write_all(&serde_json::to_vec_pretty(kept)?)?;
    file.sync_all()?;
    Ok(std::fs::rename(&fresh, folder.join(FILE))?)
}

impl Identity {
    /// Loads the identity from `folder`, or generates it if missing.
    pub fn open(folder: &Path, now_ms: i64) -> anyhow::Result<Self> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let path = folder.join(FILE);
        let kept = match std::fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)
                .with_context(|| format!("{} cannot be read", path.display()))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let kept = make(now_ms)?;
                write(folder, &kept)?;
                kept
            }
            Err(error) => return Err(error).context(path.display().to_string()),
        };
        Self::of(kept)
    }

    /// Announces new keys: the merchant can see them, and each becomes valid as [`Changing`] specifies.
    pub fn announce(
        &self,
        folder: &Path,
        changing: &[Changing],
        now_ms: i64,
    ) -> anyhow::Result<Self> {
        let mut kept = self.kept.clone();
        kept.next = Some(Box::new(renewed(&self.kept, changing, now_ms)?));
        write(folder, &kept)?;
        Self::of(kept)
    }

    /// Activates the announced keys; `None` if none were announced.
    pub fn switch(&self, folder: &Path) -> anyhow::Result<Option<Self>> {
        let Some(next) = &self.kept.next else {
            return Ok(None);
        };
        write(folder, next)?;
        Self::of(next.as_ref().clone()).map(Some)
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
            next_merchant: match &kept.next {
                Some(next) => Some(Certificate::read(&next.wechat_merchant_certificate)?),
                None => None,
            },
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
            next: match &self.kept.next {
                Some(next) => {
                    let next = Self::of(next.as_ref().clone())?.merchant_keys()?;
                    Some(Box::new(next))
                }
                None => None,
            },
        })
    }
}
