//! The calls of `SessionApi`: where an account is signed in, and the record of its sign-ins.

use chassis::db::begin_write;
use chassis::{ServiceError, SignedIn};
use proto::auth::v1::{
    EndOtherSessionsRequest, EndSessionRequest, ListSessionsRequest, ListSignInsRequest,
    SessionCalls, SessionInfo, SessionList, SessionsEnded, SignIn, SignInList,
};

use super::{agent, sign_in};
use crate::entity::session::{Entity, Model};
use crate::service::Auth;

impl SessionCalls<ServiceError> for Auth {
    async fn list_sessions(
        &self,
        caller: &SignedIn,
        _: ListSessionsRequest,
    ) -> Result<SessionList, ServiceError> {
        let config = &self.config.token;
        let own = Entity::find_own(caller.login_id());
        let mut found = super::living(own, config, self.now_ms())
            .all(&self.context.db)
            .await?;
        let is_own = |row: &Model| row.token_hash == caller.token_hash();
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
        Ok(SessionList {
            results: results.collect(),
        })
    }

    /// Returns how many ended: 0 for another user's session.
    async fn end_session(
        &self,
        caller: &SignedIn,
        request: EndSessionRequest,
    ) -> Result<SessionsEnded, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let (login_id, id) = (caller.login_id(), &request.session_id);
        let closed = super::close_one(&transaction, login_id, id).await?;
        let ended = closed.token_hashes.len() as i32;
        self.commit_revocation(transaction, &closed).await?;
        Ok(SessionsEnded { ended })
    }

    async fn end_other_sessions(
        &self,
        caller: &SignedIn,
        _: EndOtherSessionsRequest,
    ) -> Result<SessionsEnded, ServiceError> {
        let transaction = begin_write(&self.context.db).await?;
        let (login_id, token_hash) = (caller.login_id(), caller.token_hash());
        let closed = super::close_others(&transaction, login_id, token_hash).await?;
        let ended = closed.token_hashes.len() as i32;
        self.commit_revocation(transaction, &closed).await?;
        Ok(SessionsEnded { ended })
    }

    async fn list_sign_ins(
        &self,
        caller: &SignedIn,
        request: ListSignInsRequest,
    ) -> Result<SignInList, ServiceError> {
        let db = &self.context.db;
        let page = sign_in::page(db, caller.login_id(), &request).await?;
        Ok(page.reply(|row| SignIn {
            at: row.at,
            method: row.method.name().to_owned(),
            outcome: row.outcome.name().to_owned(),
            kind: row.kind.name().to_owned(),
            device: row.device,
            remote_addr: row.remote_addr,
            new_device: row.new_device,
        }))
    }
}
