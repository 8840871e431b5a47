//! The generated trait: request, domain, reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply, signed_in};
use proto::auth::v1::identity_api_server::IdentityApi;
use proto::auth::v1::{
    BindThirdPartyAccountRequest, GetMyThirdPartyAccountRequest, LinkAuthorizeRequest,
    RelatedPhoneRequest, RemoveThirdPartyAccountByIdRequest, ThirdPartyAccount, ThirdPartyAccounts,
    ThirdPartyAuthorizeReply, ThirdPartyAuthorizeRequest, ThirdPartyCallbackReply,
    ThirdPartyCallbackRequest, TokenReply,
};
use proto::common::v1::Empty;
use tonic::Request;

use super::{Returned, SignedIn};
use crate::entity::identity;
use crate::grpc::opening;
use crate::service::{Auth, PhoneAndCode};
use crate::session::Method;

fn shown(row: identity::Model) -> ThirdPartyAccount {
    ThirdPartyAccount {
        id: row.id,
        r#type: row.provider.name().to_owned(),
        nickname: row.nickname,
        avatar: row.avatar,
        bind_time: row.created_at,
    }
}

fn authorize_reply((url, state): (String, String)) -> ThirdPartyAuthorizeReply {
    ThirdPartyAuthorizeReply { url, state }
}

#[tonic::async_trait]
impl IdentityApi for Auth {
    async fn third_party_authorize(
        &self,
        request: Request<ThirdPartyAuthorizeRequest>,
    ) -> Reply<ThirdPartyAuthorizeReply> {
        let body = request.into_inner();
        let begun = self.authorize(&body.r#type, None, &body.challenge, &body.origin);
        reply(begun.await.map(authorize_reply))
    }

    async fn link_authorize(
        &self,
        request: Request<LinkAuthorizeRequest>,
    ) -> Reply<ThirdPartyAuthorizeReply> {
        let (owner, body) = signed_in(request)?;
        let begun = self.authorize(&body.r#type, Some(&owner), &body.challenge, &body.origin);
        reply(begun.await.map(authorize_reply))
    }

    async fn third_party_callback(
        &self,
        request: Request<ThirdPartyCallbackRequest>,
    ) -> Reply<ThirdPartyCallbackReply> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let opening = opening(Method::Unknown, &caller, &body.device);
        let outcome = if body.factor_ticket.is_empty() {
            let returned = Returned::of(&body.r#type, &body.code, &body.state, &body.verifier)?;
            self.sign_in_by_identity(&returned, &opening).await
        } else {
            self.resume_identity(&body.factor_ticket, &body.totp, &opening)
                .await
        };
        reply(outcome.map(|signed_in| match signed_in {
            SignedIn::Known(issued) => ThirdPartyCallbackReply {
                token: issued.datas(),
                ..Default::default()
            },
            SignedIn::New { ticket, identity } => ThirdPartyCallbackReply {
                bind_ticket: ticket,
                open_id: identity.open_id,
                avatar: identity.avatar,
                nickname: identity.nickname,
                ..Default::default()
            },
        }))
    }

    async fn related_phone(&self, request: Request<RelatedPhoneRequest>) -> Reply<TokenReply> {
        let caller = Caller::of(&request)?;
        let body = request.get_ref();
        let form = PhoneAndCode {
            phone: &body.phoneno,
            key: &body.sms_key,
            code: &body.verifycode,
            totp: "",
            opening: opening(Method::Unknown, &caller, &body.device),
        };
        let issued = self.register_identity(&form, &body.bind_ticket).await;
        reply(issued.map(|issued| TokenReply {
            token: issued.datas(),
        }))
    }

    async fn bind_third_party_account(
        &self,
        request: Request<BindThirdPartyAccountRequest>,
    ) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let body = request.get_ref();
        let returned = Returned::of(&body.r#type, &body.code, &body.state, &body.verifier)?;
        let linked = self.link_identity(&own, &returned).await;
        reply(linked.map(|()| Empty {}))
    }

    async fn get_my_third_party_account(
        &self,
        request: Request<GetMyThirdPartyAccountRequest>,
    ) -> Reply<ThirdPartyAccounts> {
        let (owner, _) = signed_in(request)?;
        let accounts = self.identities(&owner).await;
        reply(accounts.map(|rows| ThirdPartyAccounts {
            accounts: rows.into_iter().map(shown).collect(),
        }))
    }

    async fn remove_third_party_account_by_id(
        &self,
        request: Request<RemoveThirdPartyAccountByIdRequest>,
    ) -> Reply<Empty> {
        let caller = Caller::of(&request)?;
        let own = self.own(&caller).await?;
        let removed = self.unlink_identity(&own, &request.get_ref().id).await;
        reply(removed.map(|()| Empty {}))
    }
}
