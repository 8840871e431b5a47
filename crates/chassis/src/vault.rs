//! Encryption of what people state about themselves and of numbers of bank cards: a key for each record, itself encrypted
//! under a master key that has an id, so that a new master key encrypts the records' keys anew and no record is touched.
//! Everything is bound to the account, the record and what it is: no ciphertext serves in another place.

use std::collections::BTreeMap;

use aes_gcm::aead::{Aead, KeyInit as _, Payload};
use aes_gcm::{Aes256Gcm, Key, Nonce};
use anyhow::{Context as _, anyhow, bail, ensure};
use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::Settings;
use crate::config_files::kept_secret;

const NONCE_BYTES: usize = 12;

/// Keys as a section of the configuration names them.
pub struct Keys<'a> {
    /// The section, for messages: `auth.certification`.
    pub section: &'static str,
    /// Of the files in which a standalone keeps its own, below `{data}/keys`: `{file}.key`, `{file}.index`.
    pub file: &'static str,
    pub key_id: &'a str,
    /// 64 hex digits, as `index_key`; both are empty where nothing is configured.
    pub key: &'a str,
    /// Former master keys, each "id:key".
    pub previous_keys: &'a [String],
    pub index_key: &'a str,
}

/// Master keys and the key of the index.
pub struct Vault {
    section: &'static str,
    current: String,
    masters: BTreeMap<String, Aes256Gcm>,
    index: [u8; 32],
}

/// Stored with a record, so that its key can be had again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrapped {
    /// Id of the master key.
    pub key_id: String,
    /// Base64.
    pub wrapped_key: String,
}

/// The key of one record.
pub struct RecordKey {
    cipher: Aes256Gcm,
    /// Account and record.
    bound_to: String,
}

impl Vault {
    /// The configured keys; a standalone makes its own and keeps them. None: a process of its own has none, since what it would
    /// make for itself no other replica could read.
    pub fn open(settings: &Settings, keys: &Keys<'_>) -> anyhow::Result<Option<Self>> {
        let section = keys.section;
        let (master, index) = match (keys.key, keys.index_key) {
            ("", "") if !makes_own_keys(settings)? => return Ok(None),
            ("", "") => {
                let data: DataConfig = settings.section("data")?;
                let own = |kind: &str| kept_secret(&data.dir, &format!("{}.{kind}", keys.file));
                (own("key")?, own("index")?)
            }
            (master, index) => (master.to_owned(), index.to_owned()),
        };
        let mut masters = BTreeMap::new();
        for entry in keys.previous_keys {
            let (id, key) = entry
                .split_once(':')
                .with_context(|| format!("{section}.previous_keys: id:key"))?;
            masters.insert(id.to_owned(), cipher(&bytes_of(section, key)?)?);
        }
        let id = keys.key_id;
        ensure!(
            (1..=32).contains(&id.len()),
            "{section}.key_id has 1 to 32 characters"
        );
        masters.insert(id.to_owned(), cipher(&bytes_of(section, &master)?)?);
        Ok(Some(Self {
            section,
            current: id.to_owned(),
            masters,
            index: bytes_of(section, &index)?,
        }))
    }

    /// Id of the master key that new records get.
    pub fn current_id(&self) -> &str {
        &self.current
    }

    /// A fresh key for a record of an account.
    pub fn new_record(&self, login_id: &str, record: &str) -> anyhow::Result<(Wrapped, RecordKey)> {
        let key: [u8; 32] = rand::random();
        let wrapped = self.wrap(&key, login_id, record)?;
        Ok((wrapped, RecordKey::new(&key, login_id, record)?))
    }

    /// The key of a record.
    pub fn open_record(
        &self,
        wrapped: &Wrapped,
        login_id: &str,
        record: &str,
    ) -> anyhow::Result<RecordKey> {
        RecordKey::new(&self.unwrap(wrapped, login_id, record)?, login_id, record)
    }

    /// The record's key under the current master key; none when it is already.
    pub fn renewed(
        &self,
        wrapped: &Wrapped,
        login_id: &str,
        record: &str,
    ) -> anyhow::Result<Option<Wrapped>> {
        if wrapped.key_id == self.current {
            return Ok(None);
        }
        let key = self.unwrap(wrapped, login_id, record)?;
        self.wrap(&key, login_id, record).map(Some)
    }

    /// By which equal numbers are found without being read: lower-case hex of an HMAC.
    pub fn index_of(&self, kind: &str, number: &str) -> anyhow::Result<String> {
        let mut mac =
            <Hmac<Sha256>>::new_from_slice(&self.index).map_err(|_| anyhow!("index key"))?;
        mac.update(kind.as_bytes());
        mac.update(b"\n");
        mac.update(number.as_bytes());
        Ok(hex::encode(mac.finalize().into_bytes()))
    }

    fn wrap(&self, key: &[u8; 32], login_id: &str, record: &str) -> anyhow::Result<Wrapped> {
        let master = self
            .masters
            .get(&self.current)
            .context("the current master key")?;
        let sealed = seal(master, &binding(login_id, record, "key"), key)?;
        Ok(Wrapped {
            key_id: self.current.clone(),
            wrapped_key: STANDARD_NO_PAD.encode(sealed),
        })
    }

    fn unwrap(&self, wrapped: &Wrapped, login_id: &str, record: &str) -> anyhow::Result<[u8; 32]> {
        let Some(master) = self.masters.get(&wrapped.key_id) else {
            bail!(
                "master key {} is not among {}.previous_keys",
                wrapped.key_id,
                self.section
            );
        };
        let sealed = STANDARD_NO_PAD.decode(&wrapped.wrapped_key)?;
        let key = open(master, &binding(login_id, record, "key"), &sealed)?;
        key.try_into()
            .map_err(|_| anyhow!("a record's key has 32 bytes"))
    }
}

impl RecordKey {
    fn new(key: &[u8; 32], login_id: &str, record: &str) -> anyhow::Result<Self> {
        Ok(Self {
            cipher: cipher(key)?,
            bound_to: format!("{login_id}\n{record}"),
        })
    }

    /// Nonce and ciphertext of `plain`, which is the record's `part`.
    pub fn seal(&self, part: &str, plain: &[u8]) -> anyhow::Result<Vec<u8>> {
        seal(
            &self.cipher,
            format!("{}\n{part}", self.bound_to).as_bytes(),
            plain,
        )
    }

    pub fn open(&self, part: &str, sealed: &[u8]) -> anyhow::Result<Vec<u8>> {
        open(
            &self.cipher,
            format!("{}\n{part}", self.bound_to).as_bytes(),
            sealed,
        )
    }
}

#[derive(Deserialize)]
struct DataConfig {
    dir: String,
}

#[derive(Deserialize)]
struct PrincipalConfig {
    public_keys: Vec<String>,
}

/// Whether all services are in this process: one that trusts configured keys is a process of its own.
fn makes_own_keys(settings: &Settings) -> anyhow::Result<bool> {
    let principal: PrincipalConfig = settings.section("principal")?;
    Ok(principal.public_keys.is_empty())
}

fn binding(login_id: &str, record: &str, part: &str) -> Vec<u8> {
    format!("{login_id}\n{record}\n{part}").into_bytes()
}

fn bytes_of(section: &str, text: &str) -> anyhow::Result<[u8; 32]> {
    let bytes = hex::decode(text.trim())
        .ok()
        .and_then(|bytes| bytes.try_into().ok());
    bytes.with_context(|| format!("a key of {section} has 64 hex digits"))
}

fn cipher(key: &[u8; 32]) -> anyhow::Result<Aes256Gcm> {
    let key =
        Key::<Aes256Gcm>::try_from(key.as_slice()).map_err(|_| anyhow!("a key has 32 bytes"))?;
    Ok(Aes256Gcm::new(&key))
}

fn seal(cipher: &Aes256Gcm, aad: &[u8], msg: &[u8]) -> anyhow::Result<Vec<u8>> {
    let nonce: [u8; NONCE_BYTES] = rand::random();
    let sealed = cipher
        .encrypt(&Nonce::from(nonce), Payload { msg, aad })
        .map_err(|_| anyhow!("encryption failed"))?;
    Ok([nonce.as_slice(), &sealed].concat())
}

fn open(cipher: &Aes256Gcm, aad: &[u8], sealed: &[u8]) -> anyhow::Result<Vec<u8>> {
    let (nonce, msg) = sealed
        .split_first_chunk::<NONCE_BYTES>()
        .context("no ciphertext")?;
    cipher
        .decrypt(&Nonce::from(*nonce), Payload { msg, aad })
        .map_err(|_| anyhow!("the ciphertext was made with another key or for another place"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vault(id: &str, key: &str, previous: &[(&str, &str)]) -> Vault {
        let previous: Vec<String> = previous
            .iter()
            .map(|(id, key)| format!("{id}:{key}"))
            .collect();
        let keys = Keys {
            section: "test",
            file: "test",
            key_id: id,
            key,
            previous_keys: &previous,
            index_key: &"07".repeat(32),
        };
        let settings = Settings::load(&[], None).unwrap();
        Vault::open(&settings, &keys).unwrap().expect("keys")
    }

    #[test]
    fn what_is_sealed_opens_in_its_place_only() {
        let vault = vault("k1", &"01".repeat(32), &[]);
        let (wrapped, key) = vault.new_record("u1", "r1").unwrap();
        let sealed = key.seal("details", b"11010519491231002X").unwrap();
        assert!(!sealed.windows(6).any(|part| part == b"110105"));
        assert_ne!(sealed, key.seal("details", b"11010519491231002X").unwrap());
        let again = vault.open_record(&wrapped, "u1", "r1").unwrap();
        assert_eq!(
            again.open("details", &sealed).unwrap(),
            b"11010519491231002X"
        );
        assert!(again.open("front", &sealed).is_err());
        assert!(vault.open_record(&wrapped, "u2", "r1").is_err());
        assert!(vault.open_record(&wrapped, "u1", "r2").is_err());
    }

    #[test]
    fn a_new_master_key_takes_records_over() {
        let (old, new) = ("01".repeat(32), "02".repeat(32));
        let (wrapped, key) = vault("k1", &old, &[]).new_record("u1", "r1").unwrap();
        let sealed = key.seal("details", b"x").unwrap();
        let both = vault("k2", &new, &[("k1", &old)]);
        let renewed = both
            .renewed(&wrapped, "u1", "r1")
            .unwrap()
            .expect("under the old key");
        assert_eq!(renewed.key_id, "k2");
        assert_eq!(both.renewed(&renewed, "u1", "r1").unwrap(), None);
        let only_new = vault("k2", &new, &[]);
        assert!(only_new.open_record(&wrapped, "u1", "r1").is_err());
        let key = only_new.open_record(&renewed, "u1", "r1").unwrap();
        assert_eq!(key.open("details", &sealed).unwrap(), b"x");
    }
}
