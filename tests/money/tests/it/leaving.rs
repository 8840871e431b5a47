//! A user exports all data and closes the account: the archive is complete, afterwards all services together contain nothing of the
//! user except what the law requires, and the books stay sound.

mod export;
mod schema;

use bytes::Bytes;
use chassis::failpoint::Failure;
use chassis::rights::export::Area;
use chassis::rights::{Holding, Rights};
use chassis::testing::{MigratorTrait, Shape, TestParts, shapes};
use chassis::{Context, Module, Service};
use proto::auth::v1::auth_api_client::AuthApiClient;
use proto::auth::v1::closure_api_client::ClosureApiClient;
use proto::auth::v1::security_api_client::SecurityApiClient;
use proto::auth::v1::{
    CancelClosureRequest, Closure, ClosureStateRequest, ConfirmIdentityRequest,
    StartClosureRequest, TokenRequest,
};
use proto::common::v1::Principal;
use sea_orm::{ConnectionTrait, Statement};
use sha2::{Digest, Sha256};
use tonic::service::Routes;
use tonic::{Request, Status};
use xl_auth::admin::{AccountSpec, add_account};

use self::schema::{columns, fill, places_of};
use crate::support::{MINUTE_MS, Test};
use money::{code_of, hurry};

const DEFAULTS: &[&str] = &[
    xl_order::DEFAULTS,
    xl_payment::DEFAULTS,
    xl_personal::DEFAULTS,
    xl_auth::DEFAULTS,
    xl_process::DEFAULTS,
    xl_analytics::DEFAULTS,
    xl_transaction::DEFAULTS,
    xl_works::DEFAULTS,
    xl_matchup::DEFAULTS,
];
const PHONE: &str = "13912345678";
const NAME: &str = "归海一刀";
const PASSWORD: &str = "shanhai1";
const DAYS: i64 = 15;

/// Columns that identify users, in any service.
const NAMING: &[&str] = &[
    "login_id",
    "owner",
    "inviter",
    "invitee",
    "target_id",
    "user_claim",
    "account_id",
    "phone",
    "email",
    "seller",
];
/// Tables of every service: recent events (a day, 30 days), and the operators' log, which is immutable.
const SHARED: &[&str] = &[
    "outbox",
    "inbox",
    "undelivered",
    "erasure",
    "audit",
    "audit_chain",
];
/// Every fail point of a step.
const STEPS: &[&str] = &[
    "auth.closure.begun",
    "auth.closure.asked",
    "auth.closure.finished",
    "auth.erasure.objects",
    "auth.erasure.rows",
    "personal.erasure.objects",
    "personal.erasure.rows",
    "process.erasure.objects",
    "process.erasure.rows",
    "order.erasure.objects",
    "order.erasure.rows",
    "payment.erasure.objects",
    "payment.erasure.rows",
    "analytics.erasure.objects",
    "analytics.erasure.rows",
    "transaction.erasure.objects",
    "transaction.erasure.rows",
    "works.erasure.objects",
    "works.erasure.rows",
    "matchup.erasure.objects",
    "matchup.erasure.rows",
];

type Otherwise = &'static [(&'static str, &'static str, &'static str)];

/// What a service declares about users' data.
#[derive(Clone, Copy)]
struct Says {
    holdings: &'static [Holding],
    otherwise: Otherwise,
    areas: &'static [Area],
    not_taken: &'static [(&'static str, &'static str)],
}

fn part<R: Rights>() -> Says {
    Says {
        holdings: R::HOLDINGS,
        otherwise: R::OTHERWISE,
        areas: R::AREAS,
        not_taken: R::NOT_TAKEN,
    }
}

/// Starts a service; what it declares.
async fn started<M: MigratorTrait, R: Rights>(test: &Test, module: &dyn Module) -> (Context, Says) {
    let context = test.migrated::<M>(module.name()).await;
    module.start(context.clone()).await.unwrap();
    (context, part::<R>())
}

/// The services beside those of the money's world and auth.
async fn beside(test: &Test) -> Vec<(Context, Says)> {
    vec![
        started::<xl_transaction::Migrator, xl_transaction::rights::Part>(
            test,
            &xl_transaction::Module,
        )
        .await,
        started::<xl_works::Migrator, xl_works::rights::Part>(test, &xl_works::Module).await,
        started::<xl_matchup::Migrator, xl_matchup::rights::Part>(test, &xl_matchup::Module).await,
        started::<xl_process::Migrator, xl_process::rights::Part>(test, &xl_process::Module).await,
        started::<xl_analytics::Migrator, xl_analytics::rights::Part>(test, &xl_analytics::Module)
            .await,
    ]
}

/// The money's world and the other services.
struct All {
    test: Test,
    auth: Service,
    contexts: Vec<(Context, Says)>,
}

struct Person {
    login_id: String,
    token_hash: String,
}

impl All {
    async fn start(shape: Shape) -> Self {
        let parts = TestParts::open(shape, DEFAULTS, |settings| {
            hurry(settings);
            settings.set("auth.closure", "settle_minutes", 0);
        });
        let test = Test::start_with(parts.await).await;
        let mut contexts = vec![
            (
                test.contexts.personal.clone(),
                part::<xl_personal::rights::Part>(),
            ),
            (
                test.contexts.order.clone(),
                part::<xl_order::rights::Part>(),
            ),
            (
                test.contexts.payment.clone(),
                part::<xl_payment::rights::Part>(),
            ),
        ];
        contexts.extend(beside(&test).await);
        let auth = test.migrated::<xl_auth::Migrator>(xl_auth::NAME).await;
        let service = xl_auth::start(auth.clone()).await.unwrap();
        contexts.push((auth, part::<xl_auth::rights::Part>()));
        Self {
            test,
            auth: service,
            contexts,
        }
    }

    fn context(&self, service: &str) -> &Context {
        let found = self
            .contexts
            .iter()
            .find(|(context, _)| context.service == service);
        &found.expect("a known service").0
    }

    fn routes(&self) -> Routes {
        self.auth.routes.clone().prepare()
    }

    fn request<T>(&self, who: Option<&Person>, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            login_id: who.map(|who| who.login_id.clone()).unwrap_or_default(),
            token_hash: who.map(|who| who.token_hash.clone()).unwrap_or_default(),
            audience: "auth".to_owned(),
            remote_addr: "10.0.0.1".to_owned(),
            ..Default::default()
        };
        let attached = self
            .test
            .world
            .parts
            .principals
            .attach(principal, request.metadata_mut());
        attached.unwrap();
        request
    }

    async fn register(&self, phone: &str) -> Person {
        let spec = AccountSpec {
            phone: phone.to_owned(),
            password: PASSWORD.to_owned(),
            ..Default::default()
        };
        let added = add_account(self.context("auth"), &spec).await.unwrap();
        assert!(added.is_new, "{phone} is free");
        self.sign_in(phone).await.unwrap()
    }

    async fn sign_in(&self, phone: &str) -> Result<Person, Status> {
        let body = TokenRequest {
            username: phone.to_owned(),
            password: PASSWORD.to_owned(),
            ..Default::default()
        };
        let reply = AuthApiClient::new(self.routes())
            .token(self.request(None, body))
            .await?;
        let datas: serde_json::Value = serde_json::from_str(&reply.into_inner().token).unwrap();
        let token = datas["access_token"].as_str().unwrap();
        Ok(Person {
            login_id: datas["loginId"].as_str().unwrap().to_owned(),
            token_hash: hex::encode(Sha256::digest(token)),
        })
    }

    async fn state(&self, who: &Person) -> Closure {
        let request = self.request(
            Some(who),
            ClosureStateRequest {
                with_losses: true,
                ..Default::default()
            },
        );
        let reply = ClosureApiClient::new(self.routes())
            .closure_state(request)
            .await;
        reply.unwrap().into_inner()
    }

    async fn cancel(&self, who: &Person) -> Closure {
        let request = self.request(Some(who), CancelClosureRequest::default());
        let reply = ClosureApiClient::new(self.routes())
            .cancel_closure(request)
            .await;
        reply.unwrap().into_inner()
    }

    async fn close(&self, who: &Person, acknowledged: bool) -> Result<Closure, i32> {
        let body = StartClosureRequest {
            acknowledged,
            ..Default::default()
        };
        let request = self.request(Some(who), body);
        let reply = ClosureApiClient::new(self.routes())
            .start_closure(request)
            .await;
        reply
            .map(|reply| reply.into_inner())
            .map_err(|status| code_of(&status))
    }

    async fn confirm(&self, who: &Person) {
        let body = ConfirmIdentityRequest {
            method: "password".to_owned(),
            password: PASSWORD.to_owned(),
            ..Default::default()
        };
        let request = self.request(Some(who), body);
        SecurityApiClient::new(self.routes())
            .confirm_identity(request)
            .await
            .unwrap();
    }

    /// Rows of the user in every table of every service, and objects; returns the objects' keys.
    async fn fill(&self, login_id: &str) -> Vec<String> {
        for (context, says) in &self.contexts {
            for holding in says.holdings {
                // Created by the user's real actions.
                let real = [
                    "account",
                    "purchase",
                    "term",
                    "package",
                    "attempt",
                    "earning",
                    "refund",
                    "statement",
                    "data_export",
                ];
                if !real.contains(&holding.table) {
                    let own = [
                        (holding.column, login_id),
                        ("nickname", NAME),
                        ("id", "own"),
                    ];
                    fill(&context.db, holding.table, &own).await;
                }
            }
        }
        let auth = &self.context("auth").db;
        fill(auth, "sms_code", &[("phone", PHONE)]).await;
        fill(auth, "sms_gate", &[("name", &format!("phone:{PHONE}"))]).await;
        let personal = &self.context("personal").db;
        let news = format!("follow:{login_id}");
        fill(
            personal,
            "message",
            &[("login_id", "u2"), ("event", &news), ("params", NAME)],
        )
        .await;
        let picture = "UPDATE feedback SET pictures = '[\"f/own/1.png\"]' WHERE id = 'own'";
        personal.execute_unprepared(picture).await.unwrap();
        fill(
            personal,
            "feedback_reply",
            &[("feedback_id", "own"), ("content", NAME)],
        )
        .await;
        let process = &self.context("process").db;
        fill(
            process,
            "check_message",
            &[("file_id", "own"), ("tips", NAME)],
        )
        .await;
        let objects = &self.context("process").objects;
        let avatar = format!("p/{}.png", "a".repeat(64));
        let address = format!("{}/{}/{avatar}", objects.public_address(), objects.bucket());
        let shown = format!(
            "UPDATE profile SET nickname = '{NAME}', avatar = '{address}' WHERE login_id = '{login_id}'"
        );
        personal.execute_unprepared(&shown).await.unwrap();
        let mut keys = vec![avatar, "f/own/1.png".to_owned(), "c/own/front".to_owned()];
        for root in ["u", "s", "d", "q"] {
            keys.push(format!("{root}/{login_id}/a.bin"));
        }
        for key in &keys {
            let put = objects.put_bytes(key, Bytes::from_static(b"x"), "image/png");
            put.await.unwrap();
        }
        keys
    }

    /// Where data of the user is still stored.
    async fn traces(&self, words: &[&str]) -> Vec<String> {
        let mut found = Vec::new();
        for (context, _) in &self.contexts {
            for word in words {
                let places = places_of(&context.db, word, SHARED).await;
                found.extend(
                    places
                        .into_iter()
                        .map(|place| format!("{}.{place}: {word}", context.service)),
                );
            }
        }
        found
    }

    /// A user who cannot sign in cannot cancel the closure, so a frozen account is not erased.
    async fn a_frozen_one_stays(&self, phone: &str) {
        let db = &self.context("auth").db;
        let who = self.sign_in(phone).await.unwrap();
        self.confirm(&who).await;
        assert_eq!(self.close(&who, true).await.unwrap().state, "waiting");
        let freeze = "INSERT INTO account_freeze (login_id, until, reason, frozen_at)";
        let freeze = format!("{freeze} VALUES ('{}', 0, 'x', 0)", who.login_id);
        db.execute_unprepared(&freeze).await.unwrap();
        self.test.later(DAYS * 24 * 60);
        let put_off = "SELECT id FROM closure WHERE state = 'waiting' AND next_at > due_at";
        chassis::testing::eventually("it is put off", || async {
            let row = Statement::from_string(db.get_database_backend(), put_off);
            db.query_one_raw(row).await.unwrap()
        })
        .await;
        assert!(self.sign_in(phone).await.is_err(), "frozen");
        db.execute_unprepared("DELETE FROM account_freeze")
            .await
            .unwrap();
        let back = self.sign_in(phone).await.unwrap();
        assert_eq!(self.cancel(&back).await.state, "none");
    }

    /// Advances the clock until the closure has finished; the runner ends a test where it never does.
    async fn until_finished(&self) {
        let db = &self.context("auth").db;
        let ended = "closure.state".to_owned();
        while !places_of(db, "finished", SHARED).await.contains(&ended) {
            self.test.later(1);
            tokio::time::sleep(std::time::Duration::from_millis(200)).await;
        }
    }
}

async fn nothing_is_left(shape: Shape) {
    let all = All::start(shape).await;
    let who = all.register(PHONE).await;
    let stranger = all.register("13900000002").await;
    let login_id = who.login_id.as_str();
    let world = &all.test.world;
    let granted = xl_payment::admin::grant(&world.contexts.payment, login_id, 100_000, "gift");
    granted.await.unwrap();
    let member = world.membership(login_id, "1").await.unwrap().order_id;
    world.pay_coins(login_id, &member, "").await.unwrap();
    world.becomes(login_id, &member, 1).await;
    let paying = world.recharge(login_id, 500).await.unwrap().order_id;
    let number = world.pay_outside(login_id, &paying).await.unwrap();
    chassis::testing::eventually("delivered", || async {
        world.status(login_id, &member).await.1.then_some(())
    })
    .await;

    // Consent, and fresh proof.
    assert_eq!(all.close(&who, false).await, Err(60100));
    all.test.later(11);
    assert_eq!(all.close(&who, true).await, Err(60207));
    all.confirm(&who).await;
    let asked = all.close(&who, true).await.unwrap();
    assert_eq!((asked.state.as_str(), asked.days), ("waiting", DAYS as i32));
    assert_eq!(
        asked.due_at - asked.requested_at,
        DAYS * 24 * 60 * MINUTE_MS
    );
    assert!(asked.losses.is_none(), "nobody asked for them");
    let losses = all.state(&who).await.losses.unwrap();
    assert_eq!(
        (losses.cloud_coin, losses.un_pay_orders),
        (world.coins(login_id).await, 1)
    );
    assert!(losses.cloud_coin > 0);
    // A repeated request changes nothing; a stranger neither sees nor cancels it; its owner signs in and keeps the account.
    assert_eq!(all.close(&who, true).await.unwrap().due_at, asked.due_at);
    assert_eq!(all.state(&stranger).await.state, "none");
    assert_eq!(all.cancel(&stranger).await.state, "none");
    let again = all.sign_in(PHONE).await.unwrap();
    assert_eq!(all.state(&again).await.due_at, asked.due_at);
    assert_eq!(all.cancel(&again).await.state, "none");
    assert_eq!(all.close(&again, true).await.unwrap().state, "waiting");

    let keys = all.fill(login_id).await;
    let archive = export::whole(&all, &again, &stranger).await;
    let before = all.traces(&[login_id, PHONE, NAME]).await;
    assert!(before.len() > 40, "{before:?}");
    for step in STEPS {
        world.parts.fail.arm(step, Failure::Error, 1);
    }
    // The money arrives at the last moment: its records stay consistent, whatever becomes of the order.
    assert!(world.bank.pay(&number));
    world
        .payments
        .notified("wechat", &world.bank.message(&number))
        .await
        .unwrap();
    all.test.later(DAYS * 24 * 60);
    all.until_finished().await;
    for step in STEPS {
        assert_eq!(
            world.parts.fail.left(step),
            0,
            "{shape:?}: {step} was passed"
        );
    }

    let after = all.traces(&[login_id, PHONE, NAME]).await;
    assert!(after.is_empty(), "{shape:?}: {after:?}");
    let objects = &all.context("process").objects;
    for key in keys.into_iter().chain([archive]) {
        assert!(
            objects.head(&key).await.unwrap().is_none(),
            "{shape:?}: {key}"
        );
    }
    assert_eq!(code_of(&all.sign_in(PHONE).await.err().unwrap()), 60200);
    assert_eq!(
        all.state(&all.sign_in("13900000002").await.unwrap())
            .await
            .state,
        "none"
    );
    assert_ne!(all.register(PHONE).await.login_id, who.login_id);
    export::ends_with_its_days(&all, "13900000002").await;
    all.a_frozen_one_stays("13900000002").await;
    all.test.sound(shape).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_closing_nothing_is_left_but_what_the_law_keeps() {
    for shape in shapes() {
        nothing_is_left(shape).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_column_that_names_somebody_is_covered() {
    let all = All::start(Shape::Embedded).await;
    for (context, says) in &all.contexts {
        let Says {
            holdings,
            otherwise,
            ..
        } = says;
        let known = columns(&context.db).await;
        for column in known
            .iter()
            .filter(|column| !SHARED.contains(&column.table.as_str()))
        {
            let (table, name) = (column.table.as_str(), column.name.as_str());
            let held = holdings
                .iter()
                .any(|of| of.table == table && of.column == name);
            let answer = otherwise
                .iter()
                .any(|of| of.0 == table && of.1 == name && !of.2.is_empty());
            assert!(
                !NAMING.contains(&name) || held || answer,
                "{}: {table}.{name} names somebody, and rights.rs does not say what becomes of it",
                context.service
            );
        }
        for holding in *holdings {
            let stands =
                |of: &schema::Column| of.table == holding.table && of.name == holding.column;
            assert!(known.iter().any(stands), "{holding:?} is no column");
        }
        export::covers(context.service, says, &known);
    }
    all.test.sound(Shape::Embedded).await;
}
