//! Free counts of memberships, for the service that grants them.

use chassis::ServiceError;
use proto::personal::v1::{CountedTerm, TermsReply, TermsRequest};

use super::terms_of;
use crate::Personal;
use crate::entity::term;

/// Counts by rank for terms that did not store them: models a month; lightweight runs, conversions and offline packages a year.
const BEFORE: [[i64; 4]; 3] = [[50, 180, 180, 150], [150, 720, 720, 500], [500, -1, -1, -1]];

fn counted(term: term::Model) -> CountedTerm {
    let at = usize::try_from(term.rank - 1).unwrap_or_default();
    let before = BEFORE[at.min(BEFORE.len() - 1)];
    CountedTerm {
        order_id: term.order_id,
        starts_at_ms: term.starts_at,
        ends_at_ms: term.ends_at,
        mall: term.mall_counts.unwrap_or(before[0]),
        lightweight: term.lightweight_counts.unwrap_or(before[1]),
        conversion: term.conversion_counts.unwrap_or(before[2]),
        offline: term.offline_counts.unwrap_or(before[3]),
    }
}

impl Personal {
    /// The user's terms that have not ended.
    pub(crate) async fn counted_terms(
        &self,
        request: &TermsRequest,
    ) -> Result<TermsReply, ServiceError> {
        let now = self.context.clock.now_ms();
        let terms = terms_of(&self.context.db, &request.login_id).await?;
        let open = terms.into_iter().filter(|term| term.ends_at > now);
        Ok(TermsReply {
            terms: open.map(counted).collect(),
        })
    }
}
