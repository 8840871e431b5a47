//! The generated trait: request, domain, reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply};
use proto::auth::v1::closure_api_server::ClosureApi;
use proto::auth::v1::{CancelClosureRequest, Closure, ClosureStateRequest, StartClosureRequest};
use tonic::Request;

use crate::service::Auth;

#[tonic::async_trait]
impl ClosureApi for Auth {
    async fn start_closure(&self, request: Request<StartClosureRequest>) -> Reply<Closure> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(Auth::start_closure(self, &own, request.get_ref().acknowledged).await)
    }

    async fn closure_state(&self, request: Request<ClosureStateRequest>) -> Reply<Closure> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(
            self.closure_of(&own.account.id, request.get_ref().with_losses)
                .await,
        )
    }

    async fn cancel_closure(&self, request: Request<CancelClosureRequest>) -> Reply<Closure> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        reply(Auth::cancel_closure(self, &own).await)
    }
}
