//! The service against real backends.

mod appearance;
mod certification;
mod console;
mod feedback;
mod leads;
mod messages;
mod pictures;
mod sessions;
mod units;
mod uploads;

use chassis::testing::{self, Shape, code_of, eventually, message_of, shapes};
use proto::auth::v1::AccountRegistered;
use proto::catalogue::{Access, Call};
use proto::code;
use proto::personal::v1::content_api_client::ContentApiClient;
use proto::personal::v1::profile_api_client::ProfileApiClient;
use proto::personal::v1::site_api_client::SiteApiClient;
use proto::personal::v1::upload_api_client::UploadApiClient;
use proto::personal::v1::*;
use proto::process::v1::StatisticsChanged;
use proto::transaction::v1::PurchasesChanged;
use tonic::Code;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic_prost::ProstCodec;
use xl_personal::console::Actor;

struct Running {
    base: testing::Running,
}

impl std::ops::Deref for Running {
    type Target = testing::Running;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl Running {
    async fn start(shape: Shape) -> Self {
        Self::start_with(shape, |_| {}).await
    }

    async fn start_with(shape: Shape, change: impl FnOnce(&mut chassis::Settings)) -> Self {
        let service = &xl_personal::Module;
        let base = testing::Running::start::<xl_personal::Migrator>(service, shape, change).await;
        Self { base }
    }

    fn profile(&self) -> ProfileApiClient<Channel> {
        ProfileApiClient::new(self.channel())
    }

    fn site(&self) -> SiteApiClient<Channel> {
        SiteApiClient::new(self.channel())
    }

    fn uploads(&self) -> UploadApiClient<Channel> {
        UploadApiClient::new(self.channel())
    }

    fn content(&self) -> ContentApiClient<Channel> {
        ContentApiClient::new(self.channel())
    }
}

/// The actor of a command.
fn op() -> Actor<'static> {
    Actor::Command {
        command: "test",
        by: "op",
    }
}

#[tokio::test]
async fn a_registration_makes_a_profile() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let before = running
            .profile()
            .query_info(running.by("u1", UserRequest::default()))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(
            (
                before.account_number.as_str(),
                before.check_status,
                before.member_status
            ),
            ("", 3, None)
        );
        let registered = AccountRegistered {
            login_id: "u1".into(),
            phone_masked: "138****0000".into(),
            profession_code: "modeler".into(),
            registered_at_ms: 7,
            account_number: "1234567890".into(),
        };
        running.publish("e1", &registered).await;
        let info = eventually("the profile is made", || async {
            let info = running
                .profile()
                .query_info(running.by("u1", UserRequest::default()))
                .await
                .unwrap()
                .into_inner();
            (info.account_number == "1234567890").then_some(info)
        })
        .await;
        assert_eq!(
            (info.mobile_num.as_str(), info.profession_code.as_str()),
            ("138****0000", "modeler")
        );
        let other = running
            .profile()
            .query_info(running.by("u2", UserRequest::default()))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(other.account_number, "");
        running.test.finish().await;
    }
}

/// AC015.
#[tokio::test]
async fn newer_statistics_win_whatever_the_order() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let counts = |version: i64, total: i64| StatisticsChanged {
            login_id: "u1".into(),
            version,
            total_uploads: total,
            total_single_models: total,
            total_results: 2,
            results_by_service: [("convert".to_owned(), 2)].into(),
            ..Default::default()
        };
        let bought = |version: i64| PurchasesChanged {
            login_id: "u1".into(),
            version,
            total_purchased_models: version,
        };
        running.publish("p2", &bought(2)).await;
        running.publish("e3", &counts(3, 30)).await;
        running.publish("p1", &bought(1)).await;
        running.publish("e1", &counts(1, 10)).await;
        running.publish("e2", &counts(2, 20)).await;
        running
            .publish(
                "e9",
                &StatisticsChanged {
                    login_id: "u9".into(),
                    version: 1,
                    total_uploads: 1,
                    ..Default::default()
                },
            )
            .await;
        let of = |user: &'static str| {
            let mut client = running.profile();
            let request = running.by(user, UserRequest::default());
            async move {
                client
                    .get_personal_statistics_by_user_id(request)
                    .await
                    .unwrap()
                    .into_inner()
            }
        };
        eventually("the last event is handled", || async {
            of("u9")
                .await
                .my_model_files
                .filter(|files| files.total_uploads == 1)
                .map(|_| ())
        })
        .await;
        let statistics = of("u1").await;
        assert_eq!(
            statistics.my_model_files.unwrap().total_uploads,
            30,
            "{shape:?}"
        );
        assert_eq!(statistics.my_models.unwrap().total_purchased_models, 2);
        let results = statistics.my_service_results.unwrap();
        assert_eq!(
            (results.total_counts, results.service_counts[0].count),
            (2, 2)
        );
        running.test.finish().await;
    }
}

#[tokio::test]
async fn guides_are_read_once_for_each_place_and_user() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let read = |user: &'static str, location: i32| {
            let mut client = running.site();
            let request = running.by(
                user,
                GuideRequest {
                    location,
                    ..Default::default()
                },
            );
            async move {
                client
                    .get_the_guide_page_reading_status(request)
                    .await
                    .map(|reply| reply.into_inner().read)
            }
        };
        assert!(!read("u1", 0).await.unwrap());
        for _ in 0..2 {
            let mark = running.by(
                "u1",
                GuideRequest {
                    location: 0,
                    ..Default::default()
                },
            );
            running
                .site()
                .update_the_guide_page_reading_status(mark)
                .await
                .unwrap();
        }
        assert!(read("u1", 0).await.unwrap());
        assert!(!read("u1", 1).await.unwrap());
        assert!(!read("u2", 0).await.unwrap());
        assert_eq!(code_of(&read("u1", 2).await.unwrap_err()), code::INVALID);
        running.test.finish().await;
    }
}

/// ST004.
#[tokio::test]
async fn upload_credentials_are_the_callers_own_and_only_for_callers() {
    let running = Running::start(Shape::Embedded).await;
    let anonymous = running
        .uploads()
        .get_huawei_param(running.by("", UserRequest::default()))
        .await
        .unwrap()
        .into_inner();
    assert!(!anonymous.server.is_empty());
    assert_eq!(
        (anonymous.ak, anonymous.sk, anonymous.private_bucket),
        (None, None, None)
    );
    let own = running
        .uploads()
        .get_huawei_param(running.by("u1", UserRequest::default()))
        .await
        .unwrap()
        .into_inner();
    let life = own.expiration.unwrap() - chassis::Clock::system().now_ms();
    assert!(life > 0 && life <= 30 * 60 * 1000, "{life}");
    assert!(
        own.ak.is_some()
            && own.sk.is_some()
            && own.security_token.is_some()
            && own.private_bucket.is_some()
    );
    running.test.finish().await;
}

/// UP051, AM017.
#[tokio::test]
async fn site_settings_and_the_text_scan() {
    let running = Running::start(Shape::Embedded).await;
    let popup = running
        .site()
        .get_popup_settings(running.by("", PopupRequest::default()))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(popup.status, "0");
    let links = running
        .site()
        .friendlink_list(running.by("", UserRequest::default()))
        .await
        .unwrap()
        .into_inner()
        .links;
    assert!(
        links
            .iter()
            .all(|link| link.link.starts_with("https://") && !link.name.is_empty())
    );
    let settings = running
        .uploads()
        .get_object_model_file_upload_settings(running.by("u1", UploadSettingsRequest::default()))
        .await
        .unwrap()
        .into_inner()
        .settings;
    assert!(
        settings
            .iter()
            .any(|s| s.model_format == "glb" && s.max_size == 300)
    );
    let listed = facts::rows().iter().filter(|row| row.uploads);
    let listed: Vec<&String> = listed.flat_map(|row| &row.extensions).collect();
    let stated: Vec<&String> = settings.iter().map(|s| &s.model_format).collect();
    assert_eq!(stated, listed);
    let scenes = running
        .uploads()
        .get_scene_model_file_upload_settings(running.by("u1", UploadSettingsRequest::default()))
        .await
        .unwrap()
        .into_inner()
        .settings;
    let stated: Vec<_> = scenes
        .iter()
        .map(|scene| (scene.model_format.as_str(), scene.max_size))
        .collect();
    assert_eq!(stated, [("zip", 5120), ("rar", 5120)]);
    let good = TextScanRequest {
        content: "齿轮箱".into(),
        ..Default::default()
    };
    running
        .content()
        .text_antispam_scan(running.by("u1", good))
        .await
        .unwrap();
    let bad = TextScanRequest {
        content: "代 开 发 票".into(),
        ..Default::default()
    };
    assert_eq!(
        code_of(
            &running
                .content()
                .text_antispam_scan(running.by("u1", bad))
                .await
                .unwrap_err()
        ),
        code::TEXT_REFUSED
    );
    let long = TextScanRequest {
        content: "长".repeat(20_001),
        ..Default::default()
    };
    assert_eq!(
        code_of(
            &running
                .content()
                .text_antispam_scan(running.by("u1", long))
                .await
                .unwrap_err()
        ),
        code::INVALID
    );
    let anonymous = TextScanRequest {
        content: "x".into(),
        ..Default::default()
    };
    let refused = running
        .content()
        .text_antispam_scan(running.by("", anonymous))
        .await
        .unwrap_err();
    assert_eq!(refused.code(), tonic::Code::Unauthenticated);
    running.test.finish().await;
}

/// Gateways address calls by package and RPC, not by gRPC service.
#[tokio::test]
async fn every_call_is_answered_at_its_address() {
    let running = Running::start(Shape::Embedded).await;
    let own = |call: &&Call| call.service == xl_personal::NAME;
    for call in proto::catalogue::calls().iter().filter(own) {
        let mut client = Grpc::new(running.channel());
        client.ready().await.expect("served");
        let path = PathAndQuery::from_static(&call.address);
        let codec = ProstCodec::<(), ()>::default();
        // Anonymous: calls that need a signed-in user are refused at once by the service.
        let answer = client.unary(running.by("", ()), path, codec).await;
        let code = answer.map_or_else(|status| status.code(), |_| Code::Ok);
        let refused = matches!(call.access, Access::Login | Access::Operator);
        // An empty form is refused by the service with a message.
        let expected = match refused {
            true => &[Code::Unauthenticated][..],
            false => &[Code::Ok, Code::FailedPrecondition],
        };
        assert!(expected.contains(&code), "{}: {code:?}", call.id);
    }
    running.test.finish().await;
}
