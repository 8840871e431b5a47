use chassis::testing::{Shape, TestParts};
use chassis::{BusinessError, Caller, Clock, Principals, ServiceError, error, rpc};
use proto::auth::v1::auth_internal_client::AuthInternalClient;
use proto::auth::v1::auth_internal_server::{AuthInternal, AuthInternalServer};
use proto::auth::v1::{
    IntrospectOperatorReply, IntrospectOperatorRequest, IntrospectReply, IntrospectRequest,
};
use proto::common::v1::Principal;
use tonic::{Request, Response, Status};

struct Echo;

#[tonic::async_trait]
impl AuthInternal for Echo {
    async fn introspect(
        &self,
        request: Request<IntrospectRequest>,
    ) -> Result<Response<IntrospectReply>, Status> {
        let caller = Caller::of(&request)?;
        if request.get_ref().token_hash == "fail" {
            return Err(ServiceError::from(BusinessError::invalid("参数错误")).into());
        }
        Ok(Response::new(IntrospectReply {
            login_id: caller.login_id().map_err(Status::from)?.to_owned(),
            ..Default::default()
        }))
    }

    async fn introspect_operator(
        &self,
        _: Request<IntrospectOperatorRequest>,
    ) -> Result<Response<IntrospectOperatorReply>, Status> {
        Err(Status::unimplemented("no operators here"))
    }
}

async fn ask(
    principals: &Principals,
    signer: &Principals,
    principal: Option<Principal>,
    hash: &str,
) -> Result<IntrospectReply, Status> {
    let server = rpc::guarded("auth", principals, AuthInternalServer::new(Echo));
    let mut client = AuthInternalClient::new(tonic::service::Routes::new(server).prepare());
    let mut request = Request::new(IntrospectRequest {
        token_hash: hash.into(),
    });
    if let Some(principal) = principal {
        signer.attach(principal, request.metadata_mut())?;
    }
    client.introspect(request).await.map(Response::into_inner)
}

fn principal(audience: &str) -> Option<Principal> {
    Some(Principal {
        login_id: "u1".into(),
        audience: audience.into(),
        ..Default::default()
    })
}

#[tokio::test]
async fn only_genuine_fresh_principals_for_this_service_pass() {
    let clock = Clock::system();
    let ours = Principals::ephemeral(clock.clone());
    let foreign = Principals::ephemeral(clock.clone());
    assert_eq!(
        ask(&ours, &ours, principal("auth"), "")
            .await
            .unwrap()
            .login_id,
        "u1"
    );
    for (signer, principal) in [
        (&ours, None),
        (&ours, principal("process")),
        (&foreign, principal("auth")),
    ] {
        let refused = ask(&ours, signer, principal, "").await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::PermissionDenied);
    }
    // Signed now by a machine whose clock is a minute behind.
    let late = Clock::system();
    late.advance_ms(-60_000);
    let settings = TestParts::open(Shape::Embedded, &[], |_| {}).await;
    let data = settings.folder.path().display().to_string();
    let now = Principals::load(&settings.settings, &data, clock).unwrap();
    let then = Principals::load(&settings.settings, &data, late).unwrap();
    assert!(ask(&now, &now, principal("auth"), "").await.is_ok());
    assert!(
        ask(&now, &then, principal("auth"), "").await.is_err(),
        "too old"
    );
    settings.finish().await;
}

#[tokio::test]
async fn business_errors_travel_whole() {
    let ours = Principals::ephemeral(Clock::system());
    let status = ask(&ours, &ours, principal("auth"), "fail")
        .await
        .unwrap_err();
    let told = error::business_error(&status).unwrap();
    assert_eq!(
        (told.code, told.message.as_str()),
        (proto::code::INVALID, "参数错误")
    );
}
