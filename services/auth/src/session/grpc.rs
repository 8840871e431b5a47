//! The generated trait: request, domain, reply.

use chassis::rpc::{Reply, reply};
use chassis::{Caller, ServiceError};
use proto::auth::v1::session_api_server::SessionApi;
use proto::auth::v1::{
    EndOtherSessionsRequest, EndSessionRequest, ListSessionsRequest, ListSignInsRequest,
    SessionInfo, SessionList, SessionsEnded, SignIn, SignInList,
};
use tonic::Request;

use super::{agent, sign_in};
use crate::entity;
use crate::service::Auth;

#[tonic::async_trait]
impl SessionApi for Auth {
    async fn list_sessions(&self, request: Request<ListSessionsRequest>) -> Reply<SessionList> {
        let caller = Caller::of(&request)?;
        let found = self.sessions_of(caller.login_id()?).await;
        let config = &self.config.token;
        reply(found.map(|mut found| {
            let is_own = |row: &entity::session::Model| row.token_hash == caller.token_hash();
            found.sort_by_key(|row| (!is_own(row), -row.last_seen_at));
            let results = found.into_iter().map(|row| SessionInfo {
                current: is_own(&row),
                device: agent::read(&row.user_agent).1,
                expires_at: super::ends_at(&row, config),
                kind: row.kind.name().to_owned(),
                method: row.method.name().to_owned(),
                remote_addr: row.remote_addr,
                first_at: row.created_at,
                last_seen_at: row.last_seen_at,
                id: row.id,
            });
            SessionList {
                results: results.collect(),
            }
        }))
    }

    async fn end_session(&self, request: Request<EndSessionRequest>) -> Reply<SessionsEnded> {
        let caller = Caller::of(&request)?;
        let id = &request.get_ref().session_id;
        let ended = self.end_session_of(caller.login_id()?, id).await;
        reply(ended.map(|ended| SessionsEnded { ended }))
    }

    async fn end_other_sessions(
        &self,
        request: Request<EndOtherSessionsRequest>,
    ) -> Reply<SessionsEnded> {
        let caller = Caller::of(&request)?;
        let ended = self.end_other_sessions_of(caller.login_id()?, caller.token_hash());
        reply(ended.await.map(|ended| SessionsEnded { ended }))
    }

    async fn list_sign_ins(&self, request: Request<ListSignInsRequest>) -> Reply<SignInList> {
        let (login_id, body) = chassis::rpc::signed_in(request)?;
        let db = &self.context.db;
        let page = sign_in::page(db, &login_id, body.page_no, body.page_size).await;
        reply(page.map_err(ServiceError::from).map(|(total, rows)| {
            let results = rows.into_iter().map(|row| SignIn {
                at: row.at,
                method: row.method.name().to_owned(),
                outcome: row.outcome.name().to_owned(),
                kind: row.kind.name().to_owned(),
                device: row.device,
                remote_addr: row.remote_addr,
                new_device: row.new_device,
            });
            SignInList {
                total_count: total,
                results: results.collect(),
            }
        }))
    }
}
