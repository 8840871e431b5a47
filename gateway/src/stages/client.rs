//! The headers `client-id` and `client-secret`.

use actix_web::HttpRequest;

use crate::keys::ClientKeys;
use crate::refused::Refused;

/// The client's id and the secret it sent; the signature stage compares the secret with the key named by `kid`.
pub struct Client<'a> {
    pub id: &'a str,
    pub secret: &'a str,
}

/// Errors: an unknown client, or a secret of no valid key.
pub fn check<'a>(
    request: &'a HttpRequest,
    keys: &ClientKeys,
    now_ms: i64,
) -> Result<Client<'a>, Refused> {
    let text = |name: &str| request.headers().get(name).and_then(|v| v.to_str().ok());
    let (Some(id), Some(secret)) = (text("client-id"), text("client-secret")) else {
        return Err(Refused::Client);
    };
    if !d3sig::same(id, &keys.client_id) || !keys.knows_secret(secret, now_ms) {
        return Err(Refused::Client);
    }
    Ok(Client { id, secret })
}
