//! An account's certification in personal, decided by auth.

use std::time::Duration;

use chassis::testing::{PATIENCE, eventually, shapes};
use proto::auth::v1::{CertificationChanged, CertificationDecided};
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

/// Each decision is one message, also where it leaves the account's state as it was.
#[tokio::test]
async fn each_decision_is_told_once() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let decided = |at: i64, kind: &str, cause: &str| CertificationDecided {
            login_id: "u1".into(),
            certification_id: format!("c{at}"),
            kind: kind.into(),
            approved: cause.is_empty(),
            cause: cause.into(),
            decided_at_ms: at,
        };
        let decisions = [
            decided(1, "personal", ""),
            decided(2, "enterprise", "执照照片不清晰"),
            decided(3, "developer", "请写明用途"),
            decided(4, "developer", ""),
        ];
        for round in 0..2 {
            for decision in &decisions {
                let event = format!("{round}{}", decision.certification_id);
                running.publish(&event, decision).await;
            }
        }
        running.publish("last", &changed(1, 1)).await;
        eventually("the last event is handled", || async {
            (said(&running, "u1").await.check_status == 1).then_some(())
        })
        .await;
        let reply = running.listed("u1", "systemInformation").await;
        let told: Vec<_> = reply
            .results
            .iter()
            .map(|one| (one.content.as_str(), one.link.as_str()))
            .collect();
        let developer = "/workbench/authInfo?nowType=MAKE_MODEL";
        assert_eq!(
            told,
            [
                ("您提交的开发者认证已通过审核。", developer),
                ("您提交的开发者认证未通过审核：请写明用途", developer),
                (
                    "您提交的企业认证未通过审核：执照照片不清晰",
                    "/workbench/information/firm"
                ),
                ("您提交的个人认证已通过审核。", "/workbench/information"),
            ]
        );
        running.test.finish().await;
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
