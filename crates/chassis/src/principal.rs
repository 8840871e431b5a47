//! Who calls. The gateway signs a principal for one service and 30 seconds; the service refuses calls without one.

use std::sync::Arc;

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use objectstore::Grantee;
use prost::Message;
use proto::calls::Caller;
use proto::common::v1::{Principal, SignedPrincipal};
use serde::Deserialize;
use tonic::Status;
use tonic::metadata::{MetadataMap, MetadataValue};

use crate::{Clock, Settings};

/// Binary metadata that carries an encoded `SignedPrincipal`.
pub const METADATA: &str = "principal-bin";
/// Life of a signed principal.
pub const LIFE_MS: i64 = 30_000;
/// Difference of two machines' clocks that is forgiven.
const SKEW_MS: i64 = 5_000;

#[derive(Deserialize)]
struct PrincipalConfig {
    seed: String,
    public_keys: Vec<String>,
}

/// For whom a call asks for links or credentials of the object store: they end with the caller's session.
pub fn grantee(caller: &Caller) -> Grantee<'_> {
    Grantee {
        user: caller.user().unwrap_or_default(),
        session: caller.session_id(),
        left: caller.session_left(),
    }
}

/// A fresh seed and its public key, both in hex.
pub fn new_keys() -> (String, String) {
    let signer = SigningKey::from_bytes(&rand::random());
    let public = signer.verifying_key();
    (
        hex::encode(signer.to_bytes()),
        hex::encode(public.as_bytes()),
    )
}

/// Signs principals (the gateway) and verifies them (every service).
#[derive(Clone)]
pub struct Principals {
    signer: Option<Arc<SigningKey>>,
    trusted: Arc<Vec<VerifyingKey>>,
    clock: Clock,
}

impl Principals {
    /// Reads the section `[principal]`; a seed that is not configured is made once and kept in `{data}/keys`.
    pub fn load(settings: &Settings, data_dir: &str, clock: Clock) -> anyhow::Result<Self> {
        let config: PrincipalConfig = settings.section("principal")?;
        let mut trusted = Vec::new();
        for key in &config.public_keys {
            let bytes: [u8; 32] = hex::decode(key)?
                .try_into()
                .map_err(|_| anyhow::anyhow!("principal.public_keys: a key has 64 hex digits"))?;
            trusted.push(VerifyingKey::from_bytes(&bytes)?);
        }
        let signer = if !config.seed.is_empty() {
            Some(key_of_hex(&config.seed)?)
        } else if trusted.is_empty() {
            Some(key_of_hex(&kept_seed(data_dir)?)?)
        } else {
            None
        };
        if let Some(signer) = &signer
            && trusted.is_empty()
        {
            trusted.push(signer.verifying_key());
        }
        Ok(Self {
            signer: signer.map(Arc::new),
            trusted: Arc::new(trusted),
            clock,
        })
    }

    /// Principals of a fresh key: for tests.
    pub fn ephemeral(clock: Clock) -> Self {
        let signer = SigningKey::from_bytes(&rand::random());
        let trusted = Arc::new(vec![signer.verifying_key()]);
        Self {
            signer: Some(Arc::new(signer)),
            trusted,
            clock,
        }
    }

    /// Puts a signed principal into a request's metadata. `principal.expires_at_ms` is set here.
    pub fn attach(
        &self,
        mut principal: Principal,
        metadata: &mut MetadataMap,
    ) -> Result<(), Status> {
        let Some(signer) = &self.signer else {
            return Err(Status::internal("no key to sign principals"));
        };
        principal.expires_at_ms = self.clock.now_ms() + LIFE_MS;
        let body = principal.encode_to_vec();
        let signed = SignedPrincipal {
            signature: signer.sign(&body).to_bytes().to_vec(),
            principal: body,
            key_id: String::new(),
        };
        metadata.insert_bin(METADATA, MetadataValue::from_bytes(&signed.encode_to_vec()));
        Ok(())
    }

    /// Vouches for a principal towards a service of this same process, which saves signing and verifying.
    ///
    /// What it answers goes into the request's extensions: they never travel over a network, so only code of this
    /// process can put one there. Errors: this process does not hold the key that makes principals.
    pub fn vouch(&self, mut principal: Principal) -> Result<Vouched, Status> {
        if self.signer.is_none() {
            return Err(Status::internal("no key to vouch for principals"));
        }
        principal.expires_at_ms = self.clock.now_ms() + LIFE_MS;
        Ok(Vouched {
            caller: Caller::new(principal),
        })
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.clock.now_ms()
    }

    /// The caller of a request that was vouched for in this process; the same rules as for a signed one.
    pub(crate) fn accept(&self, vouched: Vouched, audience: &str) -> Result<Caller, Status> {
        self.within(vouched.caller, audience)
    }

    /// Errors: it was made for another service, or is too old.
    fn within(&self, caller: Caller, audience: &str) -> Result<Caller, Status> {
        let expired = caller.expires_at_ms() + SKEW_MS < self.clock.now_ms();
        match caller.audience() == audience && !expired {
            true => Ok(caller),
            false => Err(refused()),
        }
    }

    /// The verified principal of a request made for `audience`.
    ///
    /// Errors: `PERMISSION_DENIED` when it is absent, forged, too old or made for another service.
    pub fn verify(&self, metadata: &MetadataMap, audience: &str) -> Result<Caller, Status> {
        let bytes = metadata.get_bin(METADATA).ok_or_else(refused)?;
        let bytes = bytes.to_bytes().map_err(|_| refused())?;
        let signed = SignedPrincipal::decode(bytes).map_err(|_| refused())?;
        let signature = Signature::from_slice(&signed.signature).map_err(|_| refused())?;
        let genuine = self
            .trusted
            .iter()
            .any(|key| key.verify(&signed.principal, &signature).is_ok());
        if !genuine {
            return Err(refused());
        }
        let principal = Principal::decode(signed.principal.as_slice()).map_err(|_| refused())?;
        self.within(Caller::new(principal), audience)
    }
}

fn refused() -> Status {
    Status::permission_denied("no valid principal")
}

fn key_of_hex(seed: &str) -> anyhow::Result<SigningKey> {
    let bytes: [u8; 32] = hex::decode(seed)?
        .try_into()
        .map_err(|_| anyhow::anyhow!("principal.seed has 64 hex digits"))?;
    Ok(SigningKey::from_bytes(&bytes))
}

fn kept_seed(data_dir: &str) -> anyhow::Result<String> {
    crate::config_files::kept_secret(data_dir, "principal.seed")
}

/// A principal that needs no signature, because it was made in this process.
#[derive(Debug, Clone)]
pub struct Vouched {
    caller: Caller,
}
