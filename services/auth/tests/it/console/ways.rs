//! What operators take away from a user's ways in, and what dead letters come to.

use chassis::dead_letters::{DeadLetter, DeadLetters, Verdict};
use chassis::messaging::Event;
use proto::auth::v1::running_console_api_client::RunningConsoleApiClient;
use proto::auth::v1::user_console_api_client::UserConsoleApiClient;

use super::*;
use crate::second_factor::enrol;
use crate::security::published;
use crate::world::Person;

impl World {
    async fn user(&self, agent: &Agent, person: &Person) -> UserShowReply {
        let show = UserShowRequest {
            login_id: person.login_id.clone(),
        };
        let request = self.by(agent, show).await;
        let mut client = UserConsoleApiClient::new(self.routes());
        client.user_show(request).await.unwrap().into_inner()
    }

    /// Links an account with a provider.
    async fn linked(&self, person: &Person, id: &str, provider: &str) {
        let sql = format!(
            "INSERT INTO identity (id, provider, app_id, open_id, login_id, nickname, avatar, created_at) \
             VALUES ('{id}', '{provider}', 'app', '{id}', '{}', '小明', '', 5)",
            person.login_id
        );
        self.context.db.execute_unprepared(&sql).await.unwrap();
    }
}

/// The second factor and the links of a user: seen, taken away, with all sessions, and told.
pub async fn users(world: &World, anna: &Agent, seen: &mut Seen) {
    let person = world.register("13900000031", "xuanlan1").await;
    let bare = world.user(anna, &person).await;
    assert_eq!((bare.second_factor_at, bare.recovery_codes), (0, 0));
    let reset = UserDecisionRequest {
        login_id: person.login_id.clone(),
        reason: "showed his passport".to_owned(),
    };
    let request = world.by(anna, reset.clone()).await;
    let mut client = UserConsoleApiClient::new(world.routes());
    let none = client.user_reset_factor(request).await.unwrap_err();
    assert_eq!(refused(&none), code::CONFLICT, "there is none");
    enrol(world, &person).await;
    world.linked(&person, "link-1", "wechat").await;
    let shown = world.user(anna, &person).await;
    assert!(shown.second_factor_at > 0);
    assert_eq!(shown.recovery_codes, 10);
    let link = &shown.links[0];
    assert_eq!(
        (
            link.id.as_str(),
            link.provider.as_str(),
            link.nickname.as_str(),
            link.linked_at
        ),
        ("link-1", "wechat", "小明", 5)
    );
    deed!(
        world,
        anna,
        seen,
        "K26",
        UserConsoleApiClient.user_reset_factor(reset)
    );
    assert!(
        world.introspect(&person.token).await.is_err(),
        "his session goes on"
    );
    let back = world
        .sign_in(&person.phone, "xuanlan1", "", "10.0.0.9")
        .await;
    let back = back.expect("no code is asked for");
    assert_eq!(world.user(anna, &person).await.second_factor_at, 0);

    let unlink = |id: &str| UserUnlinkRequest {
        login_id: person.login_id.clone(),
        id: id.to_owned(),
        reason: "not his own".to_owned(),
    };
    let request = world.by(anna, unlink("link-2")).await;
    let none = client.user_unlink(request).await.unwrap_err();
    assert_eq!(refused(&none), code::NOT_FOUND);
    deed!(
        world,
        anna,
        seen,
        "K27",
        UserConsoleApiClient.user_unlink(unlink("link-1"))
    );
    assert!(world.introspect(&back.token).await.is_err());
    assert!(world.user(anna, &person).await.links.is_empty());
    let secured: Vec<AccountSecured> = published(world).await;
    let last = secured.iter().rev().take(2);
    let told: Vec<_> = last
        .map(|event| (event.what.as_str(), event.remote_addr.as_str()))
        .collect();
    assert_eq!(told, [("identityRemoved", ""), ("secondFactorReset", "")]);

    // The only way in stays.
    world.linked(&person, "link-3", "qq").await;
    let sql = format!(
        "UPDATE account SET phone = '', email = NULL WHERE id = '{}'",
        person.login_id
    );
    world.context.db.execute_unprepared(&sql).await.unwrap();
    let request = world.by(anna, unlink("link-3")).await;
    let last = client.user_unlink(request).await.unwrap_err();
    assert_eq!(refused(&last), code::CONFLICT);
    assert_eq!(world.user(anna, &person).await.links.len(), 1);
}

/// Dead letters are delivered again or discarded; nothing is recorded where there is none.
pub async fn dead_letters(world: &World, anna: &Agent, seen: &mut Seen) {
    let mut client = RunningConsoleApiClient::new(world.routes());
    let redeliver = |id: &str| RunningRedeliverRequest {
        queue: "auth".to_owned(),
        id: id.to_owned(),
        reason: "mended".to_owned(),
    };
    let discard = |id: &str| RunningDiscardRequest {
        queue: "auth".to_owned(),
        id: id.to_owned(),
        reason: "of a version that is gone".to_owned(),
    };
    let before = world.rows("audit").await;
    for id in ["", "d1"] {
        let request = world.by(anna, redeliver(id)).await;
        let none = client.running_redeliver(request).await.unwrap_err();
        assert_eq!(refused(&none), code::CONFLICT, "nothing to deliver: {id}");
        let request = world.by(anna, discard(id)).await;
        let none = client.running_discard(request).await.unwrap_err();
        assert_eq!(refused(&none), code::CONFLICT, "nothing to discard: {id}");
    }
    assert_eq!(world.rows("audit").await, before);

    let letters = DeadLetters::open(&world.context).unwrap();
    let now_ms = world.context.clock.now_ms();
    for id in ["d1", "d2", "d3"] {
        let body = proto::personal::v1::AuditRecorded { entry: None };
        let event = Event {
            id: id.to_owned(),
            key: "nothing.that.is.known".to_owned(),
            aggregate: id.to_owned(),
            version: 1,
            time_ms: now_ms,
            traceparent: String::new(),
            body: prost::Message::encode_to_vec(&body),
        };
        letters.bury("auth", &event, now_ms).await.unwrap();
    }
    let dead = async || {
        let request = world.by(anna, Empty {}).await;
        let mut client = RunningConsoleApiClient::new(world.routes());
        let overview = client.running_overview(request).await.unwrap().into_inner();
        let queue = overview
            .queues
            .into_iter()
            .find(|queue| queue.name == "auth");
        queue.unwrap().dead
    };
    eventually("they are counted", async || {
        (dead().await == 3).then_some(())
    })
    .await;
    // An act on its way to the log cannot be taken out of it here.
    let act = Event {
        id: "act".to_owned(),
        key: "personal.audit.recorded".to_owned(),
        aggregate: String::new(),
        version: 1,
        time_ms: now_ms,
        traceparent: String::new(),
        body: Vec::new(),
    };
    letters.bury("auth", &act, now_ms).await.unwrap();
    eventually("it is counted", async || (dead().await == 4).then_some(())).await;
    let before = world.rows("audit").await;
    let request = world.by(anna, discard("act")).await;
    let kept = client.running_discard(request).await.unwrap_err();
    assert_eq!(refused(&kept), code::CONFLICT);
    assert_eq!((world.rows("audit").await, dead().await), (before, 4));
    let judge = |letter: &DeadLetter| match letter.id.as_str() {
        "act" => Verdict::Drop,
        _ => Verdict::Keep,
    };
    letters.go_through("auth", 10, judge).await.unwrap();

    deed!(
        world,
        anna,
        seen,
        "K44",
        RunningConsoleApiClient.running_discard(discard("d1"))
    );
    eventually("one is gone", async || (dead().await == 2).then_some(())).await;
    let done = deed!(
        world,
        anna,
        seen,
        "K42",
        RunningConsoleApiClient.running_redeliver(redeliver(""))
    );
    assert_eq!(done.redelivered, 2);
    eventually("all are gone", async || (dead().await == 0).then_some(())).await;
}

/// Every service is named, with its instances; what nothing was heard of is not ready.
pub async fn health(world: &World, anna: &Agent) {
    let overview = async || {
        let request = world.by(anna, Empty {}).await;
        let mut client = RunningConsoleApiClient::new(world.routes());
        client.running_overview(request).await.unwrap().into_inner()
    };
    let now = overview().await;
    let names: Vec<&str> = now.services.iter().map(|of| of.name.as_str()).collect();
    for name in [
        "auth",
        "gateway",
        "order",
        "payment",
        "personal",
        "process",
        "transaction",
        "works",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    let auth = now.services.iter().find(|of| of.name == "auth").unwrap();
    assert!(
        auth.ready && auth.instances[0].problems.is_empty(),
        "{auth:?}"
    );
    let order = now.services.iter().find(|of| of.name == "order").unwrap();
    assert!(!order.ready && order.instances.is_empty(), "{order:?}");
    assert!(now.parts.iter().all(|part| part.ready), "{:?}", now.parts);
    assert_eq!(now.audited, world.rows("audit_chain").await);

    // Two replicas of another service: one works, the other one's database does not, and it cannot reach the objects.
    let mut report = world.parts.parts.report().await;
    let works = report.services["auth"];
    report.process = "one-1".to_owned();
    report.services = [("order".to_owned(), works)].into();
    report.publish(&world.context.cache).await.unwrap();
    let mut broken = works;
    broken.health.database = false;
    broken.unsent = 7;
    broken.unsent_ms = 9_000;
    report.process = "two-2".to_owned();
    report.services = [("order".to_owned(), broken)].into();
    report.objects = false;
    report.retrying = vec![chassis::bus::Retried {
        consumer: "order".to_owned(),
        id: "e1".to_owned(),
        key: "payment.payment.succeeded".to_owned(),
        error: "a bug".to_owned(),
        tries: 3,
        at_ms: report.at_ms,
    }];
    report.publish(&world.context.cache).await.unwrap();
    let now = overview().await;
    let order = now.services.iter().find(|of| of.name == "order").unwrap();
    assert!(order.ready, "one of them works");
    assert_eq!((order.unsent, order.unsent_ms), (7, 9_000));
    let shown: Vec<_> = order
        .instances
        .iter()
        .map(|one| (one.name.as_str(), one.ready))
        .collect();
    assert_eq!(shown, [("one-1", true), ("two-2", false)]);
    assert_eq!(order.instances[1].problems, ["数据库没有响应"]);
    let objects = now
        .parts
        .iter()
        .find(|part| part.name == "objects")
        .unwrap();
    assert_eq!(
        (objects.ready, objects.failing.as_slice()),
        (false, &["two-2".to_owned()][..])
    );
    let queue = now
        .queues
        .iter()
        .find(|queue| queue.name == "order")
        .unwrap();
    assert_eq!(
        (queue.retrying[0].id.as_str(), queue.retrying[0].tries),
        ("e1", 3)
    );

    // Silent for long.
    world.advance_seconds(40);
    let now = overview().await;
    let order = now.services.iter().find(|of| of.name == "order").unwrap();
    assert!(!order.ready && order.instances.len() == 2, "{order:?}");
    assert!(now.parts.iter().all(|part| part.ready), "{:?}", now.parts);
}
