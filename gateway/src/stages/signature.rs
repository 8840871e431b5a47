//! The signature, verified in the order specified in docs/signature.md.

use d3sig::{ClientKey, Mac, Request, Salt, Sealed};

use crate::input::Input;
use crate::nonces::Seen;
use crate::refused::Refused;
use crate::stages::client::Client;
use crate::state::Gateway;

/// Largest clock difference of a client.
const SKEW_MS: i64 = 300_000;

/// Input of the signature stage.
pub struct Signed<'a> {
    pub request: Request<'a>,
    pub client: &'a Client<'a>,
    pub input: &'a Input<'a>,
    /// Header `md5`, if present exactly once.
    pub md5: Option<&'a str>,
    /// Whether the call changes state: then it is refused while replays cannot be detected.
    pub writes: bool,
}

/// What a signature proves.
struct Proof {
    kid: String,
    nonce: Salt,
    /// By the client's clock.
    signed_ms: i64,
}

/// Verifies the signature and returns the id of its key.
pub async fn check(gateway: &Gateway, signed: &Signed<'_>) -> Result<String, Refused> {
    let Proof {
        kid,
        nonce,
        signed_ms,
    } = match signed.input {
        Input::Json { query, body } => {
            if query.iter().any(|(name, _)| name == "D") {
                return Err(Refused::Signature);
            }
            let mac = Mac::parse(signed.md5.ok_or(Refused::Signature)?);
            check_json(gateway, signed, mac, body)?
        }
        Input::Form { form, query } => {
            // A `D` in the query of a form would be a second one.
            if query.iter().any(|(name, _)| name == "D") {
                return Err(Refused::Signature);
            }
            check_pairs(gateway, signed, only_d(form)?)?
        }
        Input::Query { query } => check_pairs(gateway, signed, only_d(query)?)?,
    };
    let now_ms = gateway.now_ms();
    match gateway.nonces.take(&nonce, signed_ms, now_ms).await {
        Seen::New => Ok(kid),
        Seen::Before => Err(Refused::Replayed),
        // The client signs again with our time, which an attacker cannot do with a captured signature.
        Seen::Forgotten => Err(Refused::Stale { server_ms: now_ms }),
        Seen::Unknown if signed.writes => Err(Refused::NoMemory),
        Seen::Unknown => Ok(kid),
    }
}

/// The only `D` among the pairs.
fn only_d<'p>(pairs: &'p [d3sig::Pair]) -> Result<&'p str, Refused> {
    let mut all = pairs.iter().filter(|(name, _)| name == "D");
    match (all.next(), all.next()) {
        (Some((_, value)), None) => Ok(value),
        _ => Err(Refused::Signature),
    }
}

fn check_pairs(gateway: &Gateway, signed: &Signed, d: &str) -> Result<Proof, Refused> {
    let sealed = Sealed::parse(d).map_err(|_| Refused::Signature)?;
    let secret = secret_of(gateway, signed, sealed.kid())?;
    let key = ClientKey {
        client_id: signed.client.id,
        secret: &secret,
        kid: sealed.kid(),
    };
    let opened = sealed
        .open(&key, &signed.request)
        .map_err(|_| Refused::Signature)?;
    check_time(gateway, opened.timestamp_ms)?;
    if !opened.fits(signed.input.query(), signed.input.form()) {
        return Err(Refused::Signature);
    }
    Ok(Proof {
        kid: sealed.kid().to_owned(),
        nonce: opened.nonce,
        signed_ms: opened.timestamp_ms,
    })
}

fn check_json(
    gateway: &Gateway,
    signed: &Signed,
    mac: Result<Mac, d3sig::Error>,
    body: &[u8],
) -> Result<Proof, Refused> {
    let mac = mac.map_err(|_| Refused::Signature)?;
    let secret = secret_of(gateway, signed, mac.kid())?;
    let key = ClientKey {
        client_id: signed.client.id,
        secret: &secret,
        kid: mac.kid(),
    };
    mac.verify(&key, &signed.request, signed.input.query(), body)
        .map_err(|_| Refused::Signature)?;
    check_time(gateway, mac.timestamp_ms())?;
    Ok(Proof {
        kid: mac.kid().to_owned(),
        nonce: mac.nonce(),
        signed_ms: mac.timestamp_ms(),
    })
}

/// The secret of the key `kid`, which must be the one that was sent.
fn secret_of(gateway: &Gateway, signed: &Signed, kid: &str) -> Result<String, Refused> {
    let now_ms = gateway.now_ms();
    let mut live = gateway.live.get();
    if live.keys.find(kid, now_ms).is_none() {
        // The keys may have changed since they were loaded.
        gateway.reload_for_unknown_key();
        live = gateway.live.get();
    }
    let key = live.keys.find(kid, now_ms).ok_or(Refused::Signature)?;
    if !d3sig::same(&key.secret, signed.client.secret) {
        return Err(Refused::Client);
    }
    Ok(key.secret.clone())
}

fn check_time(gateway: &Gateway, timestamp_ms: i64) -> Result<(), Refused> {
    let server_ms = gateway.now_ms();
    if server_ms.abs_diff(timestamp_ms) > SKEW_MS as u64 {
        return Err(Refused::Stale { server_ms });
    }
    Ok(())
}
