//! An account's certification in personal, decided by auth.

use std::time::Duration;

use chassis::testing::{PATIENCE, eventually, shapes};
use proto::auth::v1::CertificationChanged;
use proto::common::v1::Push;
use proto::personal::v1::{UserInfo, UserRequest};
use serde_json::Value;
use tokio::sync::broadcast::Receiver;

use crate::Running;

fn changed(version: i64, check_status: i32) -> CertificationChanged {
    CertificationChanged {
        login_id: "u1".into(),
        version,
        check_status,
        ..Default::default()
    }
}

/// The user's next push about certification.
async fn next_for(pushes: &mut Receiver<Push>, user: &str) -> Push {
    let next = async {
        loop {
            let push = pushes.recv().await.unwrap();
            // Decisions are pushed as messages too.
            if push.user_id == user && push.json.contains("CERTIFICATION") {
                return push;
            }
        }
    };
    let next = tokio::time::timeout(PATIENCE, next).await;
    next.expect("the page is told")
}

async fn said(running: &Running, user: &str) -> UserInfo {
    let request = running.by(user, UserRequest::default());
    let info = running.profile().query_info(request).await;
    info.unwrap().into_inner()
}

/// CE001–CE005: the newest state is returned, older versions change nothing, and open pages are notified.
#[tokio::test]
async fn the_newest_certification_is_answered_and_pushed() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let bus = &running.test.parts.bus;
        let mut pushes = bus.pushes();
        // With a broker, the push queue takes a moment to be ready.
        while pushes.is_empty() {
            bus.push_text("#probe", "{}".into());
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let states = [
            changed(2, 0),
            CertificationChanged {
                cause: "证件照片不清晰".into(),
                ..changed(3, 2)
            },
            CertificationChanged {
                real_name_masked: "张*".into(),
                ..changed(5, 1)
            },
            CertificationChanged {
                real_name_masked: "张*".into(),
                company_name: "玄览测试有限公司".into(),
                ..changed(6, 1)
            },
        ];
        for state in states {
            running
                .publish(&format!("e{}", state.version), &state)
                .await;
            let pushed = next_for(&mut pushes, "u1").await;
            let pushed: Value = serde_json::from_str(&pushed.json).unwrap();
            assert_eq!(
                (&pushed["type"], &pushed["checkStatus"]),
                (&"CERTIFICATION".into(), &state.check_status.into())
            );
            // Pushed once it can be read, not before.
            let info = said(&running, "u1").await;
            assert_eq!(info.check_status, state.check_status);
            assert_eq!(info.cause.unwrap_or_default(), state.cause);
            let company = info.company_detail_info.map(|company| company.company_name);
            assert_eq!(company.unwrap_or_default(), state.company_name);
            let person = info.personal_detail_info.map(|person| person.real_name);
            assert_eq!(person.unwrap_or_default(), state.real_name_masked);
        }
        // Still certified while the enterprise requests more, and after that is refused.
        for version in [7, 8] {
            let more = CertificationChanged {
                real_name_masked: "张*".into(),
                company_name: "玄览测试有限公司".into(),
                ..changed(version, 1)
            };
            running.publish(&format!("e{version}"), &more).await;
            next_for(&mut pushes, "u1").await;
        }
        let reply = running.listed("u1", "systemInformation").await;
        let kinds: Vec<&str> = reply.results.iter().map(|one| one.kind.as_str()).collect();
        assert_eq!(kinds, ["certified", "certified", "notCertified"]);
        running.publish("late", &changed(4, 0)).await;
        let other = CertificationChanged {
            login_id: "u2".into(),
            ..changed(1, 0)
        };
        running.publish("other", &other).await;
        eventually("the last event is handled", || async {
            (said(&running, "u2").await.check_status == 0).then_some(())
        })
        .await;
        assert_eq!(said(&running, "u1").await.check_status, 1);
        assert_eq!(said(&running, "u3").await.check_status, 3);
        running.test.finish().await;
    }
}
