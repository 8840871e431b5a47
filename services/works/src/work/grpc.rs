//! The authors' calls: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::works::v1::work_api_server::WorkApi;
use proto::works::v1::*;
use tonic::Request;

use crate::Works;

#[tonic::async_trait]
impl WorkApi for Works {
    async fn create_work(&self, request: Request<CreateWorkRequest>) -> Reply<MyWork> {
        let (owner, form) = signed_in(request)?;
        reply(self.create(&owner, &form).await)
    }

    async fn save_work(&self, request: Request<SaveWorkRequest>) -> Reply<MyWork> {
        let (owner, form) = signed_in(request)?;
        reply(self.save(&owner, form).await)
    }

    async fn submit_work(&self, request: Request<MyWorkRequest>) -> Reply<MyWork> {
        let (owner, form) = signed_in(request)?;
        reply(self.submit(&owner, &form.works_id).await)
    }

    async fn withdraw_work(&self, request: Request<MyWorkRequest>) -> Reply<MyWork> {
        let (owner, form) = signed_in(request)?;
        reply(self.withdraw(&owner, &form.works_id).await)
    }

    async fn delete_work(&self, request: Request<MyWorkRequest>) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let deleted = self.delete(&owner, &form.works_id).await;
        reply(deleted.map(|()| Empty {}))
    }

    async fn my_works(&self, request: Request<MyWorksRequest>) -> Reply<MyWorksReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.my_page(&owner, &form).await)
    }

    async fn my_work_detail(&self, request: Request<MyWorkRequest>) -> Reply<MyWork> {
        let (owner, form) = signed_in(request)?;
        reply(self.my_detail(&owner, &form.works_id).await)
    }

    async fn replace_work_model(&self, request: Request<ReplaceWorkModelRequest>) -> Reply<MyWork> {
        let (owner, form) = signed_in(request)?;
        reply(self.replace_model(&owner, &form).await)
    }

    async fn relist_work(&self, request: Request<MyWorkRequest>) -> Reply<MyWork> {
        let (owner, form) = signed_in(request)?;
        reply(self.relist(&owner, &form.works_id).await)
    }
}
