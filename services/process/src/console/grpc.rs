//! The generated trait: request → domain → reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply};
use proto::common::v1::Empty;
use proto::process::v1::job_console_api_server::JobConsoleApi;
use proto::process::v1::*;
use tonic::Request;

use crate::Process;

#[tonic::async_trait]
impl JobConsoleApi for Process {
    async fn job_search(&self, request: Request<JobSearchRequest>) -> Reply<JobSearchReply> {
        reply(self.search_jobs(request.get_ref()).await)
    }

    async fn job_show(&self, request: Request<JobShowRequest>) -> Reply<JobDetail> {
        reply(self.show_job(&request.get_ref().id).await)
    }

    async fn job_queues(&self, _: Request<Empty>) -> Reply<JobQueuesReply> {
        reply(self.count_queues().await)
    }

    async fn job_retry(&self, request: Request<JobActRequest>) -> Reply<JobRetryReply> {
        let caller = Caller::of(&request)?;
        let retried = self.retry_job(&caller, request.get_ref()).await;
        reply(retried.map(|id| JobRetryReply { id }))
    }

    async fn job_cancel(&self, request: Request<JobActRequest>) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let cancelled = self.cancel_job(&caller, request.get_ref()).await;
        reply(cancelled.map(|()| Empty {}))
    }
}
