//! The bearer token, and whether it permits this call.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header;
use proto::catalogue::Access;

use crate::refused::Refused;
use crate::sessions::{Session, Sessions};

/// Longest accepted token.
pub const MAX_TOKEN: usize = 512;

/// The bearer token of a request; empty if there is none.
pub fn bearer(request: &HttpRequest) -> &str {
    let header = request.headers().get(header::AUTHORIZATION);
    header.and_then(|v| v.to_str().ok()).map_or("", of_header)
}

/// The token in an `Authorization` header; empty for any other scheme.
pub fn of_header(text: &str) -> &str {
    match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => "",
    }
}

/// The caller's session; `None` for an anonymous caller of a call that permits it.
/// Errors: no valid token where one is required, or an invalid one where it is optional.
pub async fn check(
    sessions: &Sessions,
    access: Access,
    token: &str,
) -> Result<Option<Arc<Session>>, Refused> {
    match access {
        // Such a call ignores the token.
        Access::Public => return Ok(None),
        Access::Optional if token.is_empty() => return Ok(None),
        Access::Optional | Access::Login | Access::Operator => {}
    }
    if token.is_empty() || token.len() > MAX_TOKEN {
        return Err(Refused::SignIn);
    }
    let session = sessions.find(token).await?.ok_or(Refused::SignIn)?;
    if access == Access::Operator && session.operator.is_none() {
        return Err(Refused::Operator);
    }
    Ok(Some(session))
}
