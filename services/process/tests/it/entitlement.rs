//! Membership rights while the membership runs.

use chassis::messaging::Event;
use chassis::testing::{code_of, eventually, shapes};
use prost::Message;
use proto::events::Published;
use proto::personal::v1::{MembershipChanged, MembershipTerm, StorageRight};
use proto::process::v1::{GetFileMaxSizeRequest, StorageRequest};

use crate::support::{Running, triangle_stl};

#[tokio::test]
async fn a_members_limit_holds_while_the_membership_runs() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let limit = || async {
            let request = running.by("u1", GetFileMaxSizeRequest::default());
            let reply = running.client().get_file_max_size(request).await;
            reply.unwrap().into_inner().max_size
        };
        assert_eq!(limit().await, 300);
        let now = running.test.parts.clock.now_ms();
        let answer = |version: i64, terms: Vec<MembershipTerm>| {
            let body = MembershipChanged {
                login_id: "u1".into(),
                version,
                terms,
                storage: Vec::new(),
            };
            let event = Event {
                id: format!("e{version}"),
                key: MembershipChanged::KEY.into(),
                aggregate: "u1".into(),
                version,
                time_ms: now,
                traceparent: String::new(),
                body: body.encode_to_vec(),
            };
            running.test.parts.bus.publish(vec![event])
        };
        let term = MembershipTerm {
            rank: 1,
            starts_at_ms: now,
            ends_at_ms: now + 60_000,
            storage_gb: 500,
            single_max_mb: 500,
            ..Default::default()
        };
        answer(2, vec![term]).await.unwrap();
        eventually("the limit is a member's", || async {
            (limit().await == 500).then_some(())
        })
        .await;
        // An older event, without a membership, is ignored.
        answer(1, Vec::new()).await.unwrap();
        assert_eq!(limit().await, 500);
        running.test.parts.clock.advance_ms(60_000);
        assert_eq!(limit().await, 300);
        running.test.finish().await;
    }
}

#[tokio::test]
async fn a_packages_storage_holds_while_it_runs() {
    for shape in shapes() {
        let running = Running::start_with(shape, |settings| {
            settings.set("uploads", "storage_gb", 0);
        })
        .await;
        let add = || async {
            let request = running.upload("u1", "a.stl", triangle_stl()).await;
            let request = running.by("u1", request);
            running.client().model_checking(request).await
        };
        let full = add().await.unwrap_err();
        assert_eq!(code_of(&full), proto::code::QUOTA);
        let now = running.test.parts.clock.now_ms();
        let body = MembershipChanged {
            login_id: "u1".into(),
            version: 1,
            terms: Vec::new(),
            storage: vec![StorageRight {
                storage_gb: 1,
                starts_at_ms: now,
                ends_at_ms: now + 3_600_000,
            }],
        };
        let event = Event {
            id: "e1".into(),
            key: MembershipChanged::KEY.into(),
            aggregate: "u1".into(),
            version: 1,
            time_ms: now,
            traceparent: String::new(),
            body: body.encode_to_vec(),
        };
        running.test.parts.bus.publish(vec![event]).await.unwrap();
        eventually("there is room", || async {
            add().await.is_ok().then_some(())
        })
        .await;
        let storage = || async {
            let request = running.by("u1", StorageRequest::default());
            running
                .client()
                .storage(request)
                .await
                .unwrap()
                .into_inner()
        };
        let answer = storage().await;
        assert_eq!(answer.limit_bytes, 1 << 30, "the package's GB");
        assert_eq!(answer.used_bytes, triangle_stl().len() as i64);
        assert!(!answer.unlimited);
        running.test.parts.clock.advance_ms(3_600_000);
        assert_eq!(code_of(&add().await.unwrap_err()), proto::code::QUOTA);
        assert_eq!(storage().await.limit_bytes, 0);
        running.test.finish().await;
    }
}
