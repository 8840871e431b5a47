//! A user's upload limits, in the settings and in the temporary keys.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chassis::testing::{Shape, eventually, shapes};
use proto::order::v1::order_paid::Product;
use proto::order::v1::{MemberGrade, Membership, OrderPaid};
use proto::personal::v1::{UploadSettingsRequest, UserRequest};

use crate::Running;

/// AM082.
const MB: u64 = 1024 * 1024;

/// The largest single model in a user's settings, which is the same for every format.
async fn stated(running: &Running, user: &str) -> i64 {
    let request = running.by(user, UploadSettingsRequest::default());
    let reply = running
        .uploads()
        .get_object_model_file_upload_settings(request)
        .await
        .unwrap();
    let settings = reply.into_inner().settings;
    let first = settings.first().expect("formats").max_size;
    assert!(settings.iter().all(|setting| setting.max_size == first));
    first
}

/// Limits in a user's temporary keys: total, single model, archive.
async fn granted(running: &Running, user: &str) -> (Option<u64>, u64, u64) {
    let request = running.by(user, UserRequest::default());
    let reply = running.uploads().get_huawei_param(request).await.unwrap();
    let token = reply.into_inner().security_token.expect("signed in");
    let payload = token.split('.').next().expect("a grant and its tag");
    let grant = URL_SAFE_NO_PAD.decode(payload).expect("base64");
    let grant: serde_json::Value = serde_json::from_slice(&grant).expect("JSON");
    let quota = &grant["q"];
    let of = |value: &serde_json::Value| value.as_u64().expect("bytes");
    (quota["s"].as_u64(), of(&quota["o"]), of(&quota["x"]["zip"]))
}

/// A member's file may have 500 MB (UP015). GR003, GR004: the free edition before and after.
#[tokio::test]
async fn a_members_settings_state_the_limit_of_the_grade() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        assert_eq!(stated(&running, "u1").await, 300);
        let gb = 1024 * MB;
        assert_eq!(
            granted(&running, "u1").await,
            (Some(10 * gb), 300 * MB, 5120 * MB)
        );
        let grade = MemberGrade {
            id: "1".into(),
            name: "基础会员".into(),
            storage_gb: 50,
            single_max_mb: 500,
            ..Default::default()
        };
        let paid = OrderPaid {
            order_id: "o1".into(),
            owner: "u1".into(),
            product: Some(Product::Membership(Membership {
                grade: Some(grade),
                rank: 1,
                months: 12,
            })),
            ..Default::default()
        };
        running.publish("e1", &paid).await;
        eventually("the settings are a member's", || async {
            (stated(&running, "u1").await == 500).then_some(())
        })
        .await;
        assert_eq!(
            granted(&running, "u1").await,
            (Some(50 * gb), 500 * MB, 5120 * MB)
        );
        assert_eq!(stated(&running, "u2").await, 300);
        running.test.parts.clock.advance_ms(370 * 24 * 3_600_000);
        assert_eq!(stated(&running, "u1").await, 300);
        running.test.finish().await;
    }
}

/// UP017, AM059: the same figure as in process.
#[tokio::test]
async fn an_exempt_accounts_settings_state_the_largest_object() {
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("uploads", "unlimited_accounts", vec!["u9".to_owned()]);
    })
    .await;
    assert_eq!(
        (stated(&running, "u1").await, stated(&running, "u9").await),
        (300, 5120)
    );
    assert_eq!(granted(&running, "u9").await, (None, 5120 * MB, 5120 * MB));
    running.test.finish().await;
}
