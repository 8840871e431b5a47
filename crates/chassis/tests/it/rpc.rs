use chassis::rpc::Calls;
use chassis::testing::{Shape, TestParts};
use chassis::{BusinessError, Clock, Principals, ServiceError, SignedIn, error};
use proto::common::v1::Principal;
use proto::personal::v1::points_api_client::PointsApiClient;
use proto::personal::v1::{Points, PointsCalls, PointsCallsServer, PointsRecord, PointsRequest};
use tonic::{Request, Response, Status};

/// Page that fails.
const FAILS: i32 = 9;

/// Answers with who called.
struct Echo;

impl PointsCalls<ServiceError> for Echo {
    async fn integral_info(
        &self,
        caller: &SignedIn,
        request: PointsRequest,
    ) -> Result<Points, ServiceError> {
        if request.page_no == FAILS {
            return Err(BusinessError::invalid("参数错误").into());
        }
        let id = caller.login_id().to_owned();
        Ok(Points {
            records: vec![PointsRecord {
                id,
                ..Default::default()
            }],
            ..Default::default()
        })
    }
}

async fn ask(
    principals: &Principals,
    signer: &Principals,
    principal: Option<Principal>,
    page_no: i32,
) -> Result<String, Status> {
    let service = Calls::of("personal", principals)
        .with(PointsCallsServer(Echo))
        .finish();
    let mut client = PointsApiClient::new(service.routes.prepare());
    let mut request = Request::new(PointsRequest {
        page_no,
        ..Default::default()
    });
    if let Some(principal) = principal {
        signer.attach(principal, request.metadata_mut())?;
    }
    let points = client.integral_info(request).await;
    points
        .map(Response::into_inner)
        .map(|mut points| points.records.remove(0).id)
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
    let caller = ask(&ours, &ours, principal("personal"), 1).await;
    assert_eq!(caller.unwrap(), "u1");
    for (signer, principal) in [
        (&ours, None),
        (&ours, principal("process")),
        (&foreign, principal("personal")),
    ] {
        let refused = ask(&ours, signer, principal, 1).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::PermissionDenied);
    }
    // Genuine, but no user is signed in.
    let nobody = Principal {
        audience: "personal".into(),
        ..Default::default()
    };
    let refused = ask(&ours, &ours, Some(nobody), 1).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::Unauthenticated);
    // Signed now by a machine whose clock is a minute behind.
    let late = Clock::system();
    late.advance_ms(-60_000);
    let settings = TestParts::open(Shape::Embedded, &[], |_| {}).await;
    let data = settings.folder.path().display().to_string();
    let now = Principals::load(&settings.settings, &data, clock).unwrap();
    let then = Principals::load(&settings.settings, &data, late).unwrap();
    assert!(ask(&now, &now, principal("personal"), 1).await.is_ok());
    assert!(
        ask(&now, &then, principal("personal"), 1).await.is_err(),
        "too old"
    );
    settings.finish().await;
}

#[tokio::test]
async fn business_errors_travel_whole() {
    let ours = Principals::ephemeral(Clock::system());
    let status = ask(&ours, &ours, principal("personal"), FAILS)
        .await
        .unwrap_err();
    let reply = error::business_error(&status).unwrap();
    assert_eq!(
        (reply.code, reply.message.as_str()),
        (proto::code::INVALID, "参数错误")
    );
}
