//! The generated traits: request → domain → reply.

use chassis::rpc::{Reply, called_by, reply};
use proto::common::v1::Empty;
use proto::personal::v1::lead_api_server::LeadApi;
use proto::personal::v1::lead_console_api_server::LeadConsoleApi;
use proto::personal::v1::*;
use tonic::Request;

use crate::Personal;

#[tonic::async_trait]
impl LeadApi for Personal {
    async fn save_application_record(&self, request: Request<ApplicationRecord>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let saved = self.save_application(caller.remote_addr(), &form).await;
        reply(saved.map(|()| Empty {}))
    }

    async fn is_submitted(&self, request: Request<IsSubmittedRequest>) -> Reply<IsSubmittedReply> {
        let submitted = self.has_applied(&request.get_ref().visitor_id).await;
        reply(submitted.map(|submitted| IsSubmittedReply { submitted }))
    }
}

#[tonic::async_trait]
impl LeadConsoleApi for Personal {
    async fn lead_list(&self, request: Request<LeadListRequest>) -> Reply<LeadListReply> {
        reply(self.list_leads(request.get_ref()).await)
    }

    async fn lead_show(&self, request: Request<LeadRequest>) -> Reply<LeadDetail> {
        reply(self.show_lead(&request.get_ref().id).await)
    }

    async fn lead_phone(&self, request: Request<LeadRequest>) -> Reply<LeadPhoneReply> {
        let (caller, form) = called_by(request)?;
        let phone = self.phone_of_lead(&caller, &form.id).await;
        reply(phone.map(|phone| LeadPhoneReply { phone }))
    }

    async fn lead_move(&self, request: Request<LeadMoveRequest>) -> Reply<LeadDetail> {
        let (caller, form) = called_by(request)?;
        reply(self.move_lead(&caller, &form).await)
    }

    async fn lead_remove(&self, request: Request<LeadRemoveRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let removed = self.remove_lead(&caller, &form).await;
        reply(removed.map(|()| Empty {}))
    }
}
