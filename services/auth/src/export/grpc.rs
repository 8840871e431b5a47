//! The generated trait: request, domain, reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply};
use proto::auth::v1::export_api_server::ExportApi;
use proto::auth::v1::{
    DataExport, DataExportLink, ExportLinkRequest, ExportStateRequest, StartExportRequest,
};
use tonic::Request;

use crate::service::Auth;

#[tonic::async_trait]
impl ExportApi for Auth {
    async fn start_export(&self, request: Request<StartExportRequest>) -> Reply<DataExport> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(Auth::start_export(self, &own).await)
    }

    async fn export_state(&self, request: Request<ExportStateRequest>) -> Reply<DataExport> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(self.export_of(&own.account.id).await)
    }

    async fn export_link(&self, request: Request<ExportLinkRequest>) -> Reply<DataExportLink> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(Auth::export_link(self, &own).await)
    }
}
