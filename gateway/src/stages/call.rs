//! Deadline, transcoding, and the call itself on behalf of the caller.

use std::time::Duration;

use bytes::Bytes;
use chassis::telemetry;
use proto::common::v1::Principal;

use crate::input::Input;
use crate::refused::Refused;
use crate::routes::Open;
use crate::sessions::{self, Session};
use crate::stages::request_id::Origin;
use crate::state::Gateway;
use crate::upstream::{Outgoing, metadata};

/// The caller and the call, as verified by the previous stages.
pub struct Verified<'a> {
    pub open: &'a Open,
    pub input: &'a Input<'a>,
    pub captured: Option<(&'a str, &'a str)>,
    pub origin: &'a Origin,
    pub client_id: &'a str,
    pub session: Option<&'a Session>,
}

/// Makes the call and returns the encoded reply.
pub async fn send(gateway: &Gateway, call: &Verified<'_>) -> Result<Bytes, Refused> {
    let body = crate::transcode::request(call.open, call.input, call.captured)?;
    let service = call.open.call.service.as_str();
    let upstream = gateway.upstreams.get(service).ok_or(Refused::NotOpen)?;
    let outgoing = Outgoing {
        path: call.open.address.clone(),
        body: body.into(),
        metadata: metadata(match gateway.traced {
            true => telemetry::traceparent(),
            false => call.origin.passed_on(),
        }),
        principal: principal(call, gateway.now_ms()),
        wait: Duration::from_millis(gateway.config.call_wait_ms),
        reads: !call.open.call.writes,
    };
    let answer = upstream.call(&gateway.parts.principals, outgoing).await;
    // The call may have ended sessions; the push that says so may come after the answer. An operator has no sessions there.
    if call.open.call.writes
        && service == sessions::SERVICE
        && let Some(session) = call.session
        && session.operator.is_none()
    {
        gateway.sessions.forget_user(&session.login_id);
    }
    answer.map_err(|status| {
        let refused = Refused::from(status.clone());
        if refused.answer("").http >= 500 {
            tracing::error!(request = %call.origin.request_id, call = call.open.call.id, %status, "call failed");
        }
        refused
    })
}

/// The caller's identity for the service. No header of the request is passed on.
fn principal(call: &Verified, now_ms: i64) -> Principal {
    let mut principal = Principal {
        audience: call.open.call.service.clone(),
        client_id: call.client_id.to_owned(),
        remote_addr: call.origin.address.to_string(),
        request_id: call.origin.request_id.clone(),
        user_agent: call.origin.user_agent.clone(),
        ..Principal::default()
    };
    if let Some(session) = call.session {
        principal.session_id = session.session_id.clone();
        principal.session_left_ms = session.expires_at_ms - now_ms;
        match &session.operator {
            None => principal.login_id = session.login_id.clone(),
            Some(operator) => {
                principal.operator = true;
                principal.operator_id = session.login_id.clone();
                principal.operator_name = operator.name.clone();
                principal.permissions = operator.permissions.clone();
                principal.fresh_until_ms = operator.fresh_until_ms;
            }
        }
        principal.token_hash = session.token_hash.clone();
    }
    principal
}
