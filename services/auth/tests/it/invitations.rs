//! Invitations: who may enter a code, and that each reward is earned once.

use chassis::failpoint::Failure;
use chassis::messaging::{Event, Outbox};
use chassis::testing::{eventually, shapes};
use proto::auth::v1::invitation_api_client::InvitationApiClient;
use proto::auth::v1::{
    Extension, ExtensionRequest, InvitationListRequest, InvitationQualified, InvitedCodeRequest,
};
use proto::code;
use proto::common::v1::Principal;
use proto::events::Published;
use proto::payment::v1::InvitationRewarded;
use proto::process::v1::CheckFinished;
use sea_orm::{ConnectionTrait, Statement};
use tonic::service::Routes;
use tonic::{Request, Status};
use xl_auth::console::actor::Actor;

use crate::world::{Person, World, refusal};

impl World {
    fn invitations(&self) -> InvitationApiClient<Routes> {
        InvitationApiClient::new(self.routes())
    }

    fn signed_at<T>(&self, address: &str, person: &Person, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            login_id: person.login_id.clone(),
            audience: xl_auth::NAME.to_owned(),
            remote_addr: address.to_owned(),
            ..Default::default()
        };
        let principals = &self.context.principals;
        let attached = principals.attach(principal, request.metadata_mut());
        attached.expect("signed");
        request
    }

    async fn text(&self, sql: String) -> String {
        let statement = Statement::from_string(self.context.db.get_database_backend(), sql);
        let row = self
            .context
            .db
            .query_one_raw(statement)
            .await
            .expect("asked");
        row.expect("a row").try_get_by_index(0).expect("text")
    }

    /// An address that the person has signed in from.
    pub async fn address_of(&self, person: &Person) -> String {
        let id = &person.login_id;
        self.text(format!(
            "SELECT remote_addr FROM session WHERE login_id = '{id}'"
        ))
        .await
    }

    async fn only_invitation(&self) -> String {
        self.text("SELECT id FROM invitation".to_owned()).await
    }

    /// Lets an account be registered some days earlier.
    async fn registered_days_ago(&self, person: &Person, days: i64) {
        let (id, ms) = (&person.login_id, days * 86_400_000);
        let sql = format!("UPDATE account SET created_at = created_at - {ms} WHERE id = '{id}'");
        self.context
            .db
            .execute_unprepared(&sql)
            .await
            .expect("changed");
    }

    pub async fn extension(&self, person: &Person) -> Extension {
        let request = self.signed(person, ExtensionRequest::default());
        let answer = self.invitations().my_extension(request).await;
        answer.expect("the code").into_inner()
    }

    async fn bring(&self, person: &Person, code: &str) -> Result<(), Status> {
        self.bring_from(person, code, "127.0.0.1").await
    }

    pub async fn bring_from(
        &self,
        person: &Person,
        code: &str,
        address: &str,
    ) -> Result<(), Status> {
        let body = InvitedCodeRequest {
            uid: person.login_id.clone(),
            invitedcode: code.to_owned(),
            ..Default::default()
        };
        let request = self.signed_at(address, person, body);
        self.invitations()
            .save_invited_code(request)
            .await
            .map(|_| ())
    }

    pub async fn publish<E: Published>(&self, id: &str, aggregate: &str, body: &E) {
        let event = Event {
            id: id.to_owned(),
            key: E::KEY.to_owned(),
            aggregate: aggregate.to_owned(),
            version: 1,
            time_ms: 1,
            traceparent: String::new(),
            body: body.encode_to_vec(),
        };
        self.context
            .bus
            .publish(vec![event])
            .await
            .expect("published");
    }

    /// A check-up of the person's has ended well.
    pub async fn uploaded(&self, id: &str, person: &Person) {
        let event = CheckFinished {
            login_id: person.login_id.clone(),
            status: "ready".into(),
            ..Default::default()
        };
        self.publish(id, &person.login_id, &event).await;
    }

    /// Events of invitations in the outbox: side and cents.
    async fn qualified(&self) -> Vec<(String, i64)> {
        let backend = self.context.db.get_database_backend();
        let text = format!(
            "SELECT body FROM outbox WHERE event_key = '{}' ORDER BY id",
            InvitationQualified::KEY
        );
        let rows = self
            .context
            .db
            .query_all_raw(Statement::from_string(backend, text))
            .await;
        let rows = rows.expect("rows");
        let bodies = rows
            .iter()
            .map(|row| row.try_get::<Vec<u8>>("", "body").expect("bytes"));
        let event = |body: Vec<u8>| {
            <InvitationQualified as prost::Message>::decode(&body[..]).expect("an event")
        };
        let mut all: Vec<(String, i64)> = bodies
            .map(event)
            .map(|event| (event.side, event.cents))
            .collect();
        all.sort();
        all
    }
}

/// IN003, IN004, IN005, IN010 on the server; the refusals in the words of the contract.
#[tokio::test]
async fn a_code_is_given_once_by_somebody_else_and_in_time() {
    for shape in shapes() {
        let world = World::open(shape).await;
        let host = world.register("13800000001", "xuanlan1").await;
        let guest = world.register("13800000002", "xuanlan1").await;
        let code = world.extension(&host).await.invite_code;
        assert_eq!(code.len(), 8);
        assert_eq!(
            world.extension(&host).await.invite_code,
            code,
            "one for good"
        );
        for (person, given, number, message) in [
            (&guest, " ", code::INVALID, "请填写推广码"),
            (
                &guest,
                "123456789012",
                code::INVALID,
                "推广码最多 11 个字符",
            ),
            (&guest, "NOSUCH", code::NOT_FOUND, "推广码不存在"),
            (&host, code.as_str(), code::INVALID, "不能填写自己的推广码"),
        ] {
            let status = world.bring(person, given).await.expect_err(message);
            assert_eq!(refusal(&status), (number, message.to_owned()));
        }
        let until = world.extension(&guest).await.enter_until;
        assert_eq!(
            until,
            Some(world.context.clock.now_ms() + 7 * 24 * 3_600_000)
        );
        world
            .bring(&guest, &code.to_lowercase())
            .await
            .expect("saved");
        assert_eq!(world.extension(&guest).await.enter_until, None, "entered");
        let status = world.bring(&guest, &code).await.expect_err("twice");
        assert_eq!(
            refusal(&status),
            (code::CONFLICT, "您已填写过推广码".to_owned())
        );
        let back = world.extension(&guest).await.invite_code;
        let status = world.bring(&host, &back).await.expect_err("a circle");
        assert_eq!(refusal(&status).1, "不能填写由您邀请的用户的推广码");
        let seen = world.extension(&host).await;
        assert_eq!(
            (seen.invited_count, seen.qualified_count, seen.reward_total),
            (1, 0, 0)
        );
        assert_eq!(seen.records[0].phone, "138****0002");
        assert_eq!(seen.records[0].state, "pending");

        let old = world.register("13800000003", "xuanlan1").await;
        world.registered_days_ago(&old, 8).await;
        let status = world.bring(&old, &code).await.expect_err("too old");
        assert_eq!(refusal(&status).1, "注册超过 7 天，不能再填写推广码");
        assert_eq!(world.extension(&old).await.enter_until, None, "too late");
        world.finish().await;
    }
}

/// Of two who enter each other's code at once, one is brought by the other, and not the reverse.
#[tokio::test]
async fn nobody_is_brought_by_whom_they_bring() {
    for shape in shapes() {
        let world = World::open(shape).await;
        let one = world.register("13800000001", "xuanlan1").await;
        let other = world.register("13800000002", "xuanlan1").await;
        let codes = [
            world.extension(&one).await.invite_code,
            world.extension(&other).await.invite_code,
        ];
        let tries =
            (0..8).flat_map(|_| [world.bring(&one, &codes[1]), world.bring(&other, &codes[0])]);
        let saved = futures::future::join_all(tries).await;
        assert_eq!(saved.iter().filter(|saved| saved.is_ok()).count(), 1);
        assert_eq!(world.rows("invitation").await, 1);
        world.finish().await;
    }
}

/// 64 concurrent check-ups, each delivered twice, with a failing step: both sides are rewarded once.
#[tokio::test]
async fn a_reward_is_earned_once() {
    for shape in shapes() {
        let world = World::open(shape).await;
        // A failed event is retried after a while.
        world.context.clock.run();
        let host = world.register("13800000001", "xuanlan1").await;
        let guest = world.register("13800000002", "xuanlan1").await;
        let code = world.extension(&host).await.invite_code;
        let tries = (0..64).map(|_| world.bring(&guest, &code));
        let saved = futures::future::join_all(tries).await;
        assert_eq!(saved.iter().filter(|saved| saved.is_ok()).count(), 1);

        let failed = CheckFinished {
            login_id: guest.login_id.clone(),
            status: "failed".into(),
            ..Default::default()
        };
        world.publish("f", &guest.login_id, &failed).await;
        world
            .context
            .fail
            .arm("auth.invitation.before_commit", Failure::Error, 1);
        let ids: Vec<String> = (0..64).map(|number| format!("c{number}")).collect();
        futures::future::join_all(ids.iter().map(|id| world.uploaded(id, &guest))).await;
        let expected = [("invitee".to_owned(), 500), ("inviter".to_owned(), 500)];
        eventually("the reward", || async {
            (world.qualified().await == expected).then_some(())
        })
        .await;
        futures::future::join_all(ids.iter().map(|id| world.uploaded(id, &guest))).await;
        let id = world.only_invitation().await;
        for side in ["inviter", "invitee"] {
            let rewarded = InvitationRewarded {
                invitation_id: id.clone(),
                side: side.into(),
                cents: 500,
                rewarded_at_ms: 5,
                ..Default::default()
            };
            world.publish(side, &id, &rewarded).await;
        }
        let seen = eventually("the report", || async {
            let seen = world.extension(&host).await;
            // Each side is reported separately.
            (seen.reward_total == 500 && seen.records[0].state == "rewarded").then_some(seen)
        })
        .await;
        assert_eq!((seen.qualified_count, seen.month_count), (1, 1));
        assert_eq!(world.qualified().await, expected);
        world.finish().await;
    }
}

/// The code may be entered after the upload: the reward is earned with it, once.
#[tokio::test]
async fn an_upload_before_the_code_counts() {
    for shape in shapes() {
        let world = World::open(shape).await;
        let host = world.register("13800000001", "xuanlan1").await;
        let guest = world.register("13800000002", "xuanlan1").await;
        world.uploaded("early", &guest).await;
        eventually("the upload is known", || async {
            (world.rows("account WHERE first_upload_at > 0").await == 1).then_some(())
        })
        .await;
        let code = world.extension(&host).await.invite_code;
        world.bring(&guest, &code).await.expect("saved");
        let expected = [("invitee".to_owned(), 500), ("inviter".to_owned(), 500)];
        assert_eq!(world.qualified().await, expected);
        world.uploaded("late", &guest).await;
        world.uploaded("host", &host).await;
        eventually("the last upload is known", || async {
            (world.rows("account WHERE first_upload_at > 0").await == 2).then_some(())
        })
        .await;
        assert_eq!(world.qualified().await, expected);
        world.finish().await;
    }
}

/// What looks like a farm waits for an operator; beyond the month's limit only the invitee gets coins.
#[tokio::test]
async fn farms_wait_for_an_operator_and_a_month_has_a_limit() {
    for shape in shapes() {
        let world = World::with(shape, "[auth.invitation]\nmonth_limit = 1\n").await;
        let host = world.register("13800000001", "xuanlan1").await;
        let code = world.extension(&host).await.invite_code;
        let near = world.register("13800000002", "xuanlan1").await;
        let address = world.address_of(&host).await;
        world
            .bring_from(&near, &code, &address)
            .await
            .expect("saved");
        world.uploaded("a", &near).await;
        let outbox = Outbox::new(world.context.db.clone(), world.context.clock.clone());
        let operated =
            xl_auth::invitation::Invitations::new(&world.context, &outbox).expect("parts");
        let waiting = InvitationListRequest {
            state: "held".to_owned(),
            ..Default::default()
        };
        let held = eventually("the reward is held", || async {
            operated.list(&waiting).await.expect("a list").items.pop()
        })
        .await;
        assert_eq!(held.suspicion, ["与邀请人使用同一网络地址"]);
        assert_eq!(world.extension(&host).await.records[0].state, "review");
        assert!(world.qualified().await.is_empty());
        let by = |name| Actor::command("invitation", name).expect("a name");
        // Between the effect and its audit entry.
        let fail = &world.context.fail;
        fail.arm("auth.invitation.deciding", Failure::Error, 1);
        let killed = operated.decide(&held.id, true, "", &by("ann")).await;
        assert!(killed.is_err());
        assert_eq!(
            (world.qualified().await.len(), world.rows("audit").await),
            (0, 0)
        );
        operated
            .decide(&held.id, true, "", &by("ann"))
            .await
            .expect("released");
        let late = operated.decide(&held.id, false, "", &by("bob")).await;
        assert!(late.is_err());
        assert_eq!(world.rows("audit").await, 1);
        assert_eq!(world.qualified().await.len(), 2);

        let second = world.register("13800000003", "xuanlan1").await;
        world.bring(&second, &code).await.expect("saved");
        world.uploaded("b", &second).await;
        let state = eventually("beyond the limit", || async {
            let records = world.extension(&host).await.records;
            (records[0].qualified_time > 0).then(|| records[0].state.clone())
        })
        .await;
        assert_eq!(state, "limited");
        assert_eq!(
            world.qualified().await.len(),
            3,
            "the invited one has coins"
        );
        world.finish().await;
    }
}
