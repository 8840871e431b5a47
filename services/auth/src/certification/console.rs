//! The calls of the console.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chassis::{Operator, ServiceError};
use proto::auth::v1::{
    CertificationClaimRequest, CertificationConsoleCalls, CertificationDecideRequest,
    CertificationField, CertificationItem, CertificationQueueReply, CertificationQueueRequest,
    CertificationRevealReply, CertificationRevealRequest, CertificationShowReply,
    CertificationShowRequest,
};

use super::{Certifications, DETAILS, Decision};
use crate::console::actor::Actor;

/// The cause shown to the owner is the reason, unless a separate one is given.
fn decision(form: &CertificationDecideRequest) -> Decision {
    match (form.approve, form.cause.trim()) {
        (true, _) => Decision::Approve,
        (false, "") => Decision::Reject(form.reason.clone()),
        (false, cause) => Decision::Reject(cause.to_owned()),
    }
}

impl CertificationConsoleCalls<ServiceError> for Certifications {
    async fn certification_decide(
        &self,
        operator: &Operator,
        request: CertificationDecideRequest,
    ) -> Result<(), ServiceError> {
        let (decision, actor) = (decision(&request), Actor::console(operator));
        self.decide(&request.id, &decision, &request.reason, &actor)
            .await
    }

    async fn certification_queue(
        &self,
        _: &Operator,
        request: CertificationQueueRequest,
    ) -> Result<CertificationQueueReply, ServiceError> {
        self.queue(&request).await
    }

    async fn certification_show(
        &self,
        _: &Operator,
        request: CertificationShowRequest,
    ) -> Result<CertificationShowReply, ServiceError> {
        self.show(&request.id).await
    }

    async fn certification_reveal(
        &self,
        operator: &Operator,
        request: CertificationRevealRequest,
    ) -> Result<CertificationRevealReply, ServiceError> {
        let actor = Actor::console(operator);
        if request.part != DETAILS {
            let picture = self.picture(&request.id, &request.part, &actor).await?;
            return Ok(CertificationRevealReply {
                picture: STANDARD.encode(picture),
                ..Default::default()
            });
        }
        let stated = self.look(&request.id, &actor).await?;
        let fields = stated.into_iter().map(|(name, value)| CertificationField {
            name: name.to_owned(),
            value,
        });
        Ok(CertificationRevealReply {
            fields: fields.collect(),
            ..Default::default()
        })
    }

    async fn certification_claim(
        &self,
        operator: &Operator,
        request: CertificationClaimRequest,
    ) -> Result<CertificationItem, ServiceError> {
        let actor = Actor::console(operator);
        self.claim(&request.id, request.release, &actor).await
    }
}
