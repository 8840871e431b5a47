//! The calls of the console: request → domain → reply.

use chassis::rpc::{Reply, reply};
use proto::auth::v1::certification_console_api_server::CertificationConsoleApi;
use proto::auth::v1::{
    CertificationClaimRequest, CertificationDecideRequest, CertificationItem,
    CertificationQueueReply, CertificationQueueRequest, CertificationRevealReply,
    CertificationRevealRequest, CertificationShowReply, CertificationShowRequest,
};
use proto::common::v1::Empty;
use tonic::Request;

use super::{Certifications, Decision};
use crate::console::actor::Actor;
use crate::operator::by;

/// The cause that the owner reads is the reason, unless another one was written for him.
fn decision(form: &CertificationDecideRequest) -> Decision {
    match (form.approve, form.cause.trim()) {
        (true, _) => Decision::Approve,
        (false, "") => Decision::Reject(form.reason.clone()),
        (false, cause) => Decision::Reject(cause.to_owned()),
    }
}

#[tonic::async_trait]
impl CertificationConsoleApi for Certifications {
    async fn certification_queue(
        &self,
        request: Request<CertificationQueueRequest>,
    ) -> Reply<CertificationQueueReply> {
        reply(self.queue(request.get_ref()).await)
    }

    async fn certification_show(
        &self,
        request: Request<CertificationShowRequest>,
    ) -> Reply<CertificationShowReply> {
        reply(self.show(&request.get_ref().id).await)
    }

    async fn certification_reveal(
        &self,
        request: Request<CertificationRevealRequest>,
    ) -> Reply<CertificationRevealReply> {
        let (caller, form) = by(request)?;
        let actor = Actor::console(&caller)?;
        reply(self.reveal(&form.id, &form.part, &actor).await)
    }

    async fn certification_claim(
        &self,
        request: Request<CertificationClaimRequest>,
    ) -> Reply<CertificationItem> {
        let (caller, form) = by(request)?;
        let actor = Actor::console(&caller)?;
        reply(self.claim(&form.id, form.release, &actor).await)
    }

    async fn certification_decide(
        &self,
        request: Request<CertificationDecideRequest>,
    ) -> Reply<Empty> {
        let (caller, form) = by(request)?;
        let actor = Actor::console(&caller)?;
        let decision = decision(&form);
        let decided = self.decide(&form.id, &decision, &form.reason, &actor);
        reply(decided.await.map(|()| Empty {}))
    }
}
