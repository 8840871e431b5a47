//! Membership of users, as reported by personal.

use chassis::ServiceError;
use proto::personal::v1::{PersonalCommands, TermsRequest};

use crate::Works;

impl Works {
    pub(crate) async fn is_member(&self, owner: &str) -> Result<bool, ServiceError> {
        let request = TermsRequest {
            login_id: owner.to_owned(),
        };
        let reply = PersonalCommands::terms(&self.context.bus, &request).await?;
        let now = self.now();
        let runs = |start: i64, end: i64| start <= now && now < end;
        let mut terms = reply.terms.iter();
        Ok(terms.any(|term| runs(term.starts_at_ms, term.ends_at_ms)))
    }
}
