//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply};
use chassis::{BusinessError, Caller, ServiceError};
use proto::analytics::v1::visit_console_api_server::VisitConsoleApi;
use proto::analytics::v1::*;
use tonic::Request;

use super::Range;
use crate::grpc::Api;

/// Values that are listed at most, and where nobody says how many.
const MOST_LISTED: i32 = 100;
const LISTED: u64 = 10;

fn listed(asked: i32) -> Result<u64, ServiceError> {
    match asked {
        0 => Ok(LISTED),
        1..=MOST_LISTED => Ok(asked as u64),
        _ => Err(BusinessError::invalid("最多列出 100 项").into()),
    }
}

#[tonic::async_trait]
impl VisitConsoleApi for Api {
    async fn visit_figures(&self, request: Request<VisitRange>) -> Reply<VisitFiguresReply> {
        let range = self.0.range(request.get_ref())?;
        reply(self.0.visit_figures(range).await)
    }

    async fn visit_top(&self, request: Request<VisitTopRequest>) -> Reply<VisitTopReply> {
        let form = request.get_ref();
        let range = Range::read(&form.period, form.from, form.to, self.0.now())?;
        let size = listed(form.size)?;
        reply(self.0.visit_top(range, &form.metric, size).await)
    }

    async fn visit_funnel(&self, request: Request<VisitRange>) -> Reply<VisitFunnelReply> {
        let range = self.0.range(request.get_ref())?;
        reply(self.0.visit_funnel(range).await)
    }

    async fn visit_actions(
        &self,
        request: Request<VisitActionsRequest>,
    ) -> Reply<VisitActionsReply> {
        reply(self.0.visit_actions(request.get_ref()).await)
    }

    async fn visit_export(&self, request: Request<VisitExportRequest>) -> Reply<VisitExportReply> {
        let caller = Caller::of(&request)?;
        let csv = self.0.visit_export(&caller, request.get_ref()).await;
        reply(csv.map(|csv| VisitExportReply { csv }))
    }
}
