//! The calls of makers, and the operators': request → domain → reply.

use chassis::rpc::{Reply, called_by, reply, signed_in};
use chassis::{BusinessError, Caller, ServiceError};
use proto::common::v1::Empty;
use proto::transaction::v1::modeler_api_server::ModelerApi;
use proto::transaction::v1::modeler_console_api_server::ModelerConsoleApi;
use proto::transaction::v1::*;
use tonic::Request;

use crate::Mall;

#[tonic::async_trait]
impl ModelerApi for Mall {
    async fn is_freeze(&self, request: Request<IsFreezeRequest>) -> Reply<IsFreezeReply> {
        let (caller, form) = called_by(request)?;
        reply(self.frozen(&caller, &form.id).await)
    }

    async fn modeler_info(&self, request: Request<ModelerInfoRequest>) -> Reply<Modeler> {
        let (login_id, _) = signed_in(request)?;
        reply(self.standing(&login_id).await)
    }

    async fn apply_modeler(&self, request: Request<ApplyModelerRequest>) -> Reply<Modeler> {
        let (login_id, form) = signed_in(request)?;
        reply(self.apply(&login_id, &form).await)
    }

    async fn modeler_records(
        &self,
        request: Request<ModelerRecordsRequest>,
    ) -> Reply<ModelerRecordsReply> {
        let (login_id, form) = signed_in(request)?;
        reply(self.records_page(&login_id, &form).await)
    }

    async fn modeler_orders(
        &self,
        request: Request<ModelerOrdersRequest>,
    ) -> Reply<ModelerOrdersReply> {
        let (login_id, form) = signed_in(request)?;
        reply(self.orders_page(&login_id, &form).await)
    }

    async fn save_modeler_page(&self, request: Request<SaveModelerPageRequest>) -> Reply<Modeler> {
        let (login_id, form) = signed_in(request)?;
        reply(self.save_page(&login_id, &form).await)
    }
}

impl Mall {
    /// Errors: `id` is not the caller's; the gateway refuses that too.
    async fn frozen(&self, caller: &Caller, id: &str) -> Result<IsFreezeReply, ServiceError> {
        let login_id = caller.login_id()?;
        if id.is_empty() {
            return Err(BusinessError::invalid("缺少参数 id").into());
        }
        if id != login_id {
            return Err(ServiceError::Forbidden);
        }
        let row = self.modeler(&self.context.db, login_id).await?;
        Ok(IsFreezeReply {
            frozen: row.is_some_and(|row| row.frozen),
        })
    }
}

#[tonic::async_trait]
impl ModelerConsoleApi for Mall {
    async fn modeler_search(
        &self,
        request: Request<ModelerSearchRequest>,
    ) -> Reply<ModelerSearchReply> {
        reply(self.search_modelers(request.get_ref()).await)
    }

    async fn modeler_show(&self, request: Request<ModelerShowRequest>) -> Reply<ModelerShowReply> {
        reply(self.show_modeler(&request.get_ref().login_id).await)
    }

    async fn modeler_decide(&self, request: Request<ModelerDecideRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let decided = self.decide_modeler(&caller, &form).await;
        reply(decided.map(|()| Empty {}))
    }

    async fn modeler_freeze(&self, request: Request<ModelerActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.set_frozen(&caller, &form, true).await;
        reply(done.map(|()| Empty {}))
    }

    async fn modeler_unfreeze(&self, request: Request<ModelerActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.set_frozen(&caller, &form, false).await;
        reply(done.map(|()| Empty {}))
    }
}
