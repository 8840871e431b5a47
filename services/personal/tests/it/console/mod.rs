//! The operators' calls: each write and each audited read leaves one entry, and takes effect at once.

mod leads;
mod publications;
mod safety;
mod support;

use std::collections::BTreeSet;
use std::sync::Mutex;

use chassis::testing::console::{audited, locked};
use chassis::testing::{Shape, shapes};
use proto::common::v1::Principal;
use sea_orm::{ConnectionTrait, DatabaseConnection, QueryResult, Statement};
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::transport::Channel;
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

use crate::{Running, code_of};

const DAY_MS: i64 = 24 * 3_600_000;

/// Operators using the console.
struct Desk {
    running: Running,
    db: DatabaseConnection,
    /// Calls that have left an audit entry.
    seen: Mutex<BTreeSet<&'static str>>,
}

impl Desk {
    async fn open(shape: Shape) -> Self {
        let running = Running::start(shape).await;
        let context = running.test.parts.context(xl_personal::NAME).await;
        Self {
            db: context.expect("context").db,
            running,
            seen: Mutex::default(),
        }
    }

    fn channel(&self) -> Channel {
        self.running.channel()
    }

    fn of<T>(&self, name: &str, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            operator: true,
            operator_id: format!("id-{name}"),
            operator_name: name.to_owned(),
            permissions: vec!["*".to_owned()],
            audience: xl_personal::NAME.to_owned(),
            ..Default::default()
        };
        let principals = &self.running.test.parts.principals;
        principals
            .attach(principal, request.metadata_mut())
            .expect("signed");
        request
    }

    /// Signs a request as the operator anna.
    fn by<T>(&self, body: T) -> Request<T> {
        self.of("anna", body)
    }

    async fn entries(&self) -> i64 {
        let backend = self.db.get_database_backend();
        let count = Statement::from_string(backend, "SELECT COUNT(*) AS n FROM audit");
        let row = self.db.query_one_raw(count).await.expect("a count");
        row.expect("a row").try_get("", "n").expect("a number")
    }

    /// Everything that the entries say about what was done.
    async fn logged(&self) -> String {
        let backend = self.db.get_database_backend();
        let all = Statement::from_string(backend, "SELECT * FROM audit");
        let rows = self.db.query_all_raw(all).await.expect("rows");
        let texts = |row: &QueryResult| {
            let of = |name: &str| row.try_get::<String>("", name).expect("a text");
            of("before") + &of("after")
        };
        rows.iter().map(texts).collect()
    }

    /// Expects the call to succeed and to leave one audit entry of its own.
    async fn deed<T>(&self, id: &'static str, call: impl Future<Output = Answer<T>>) -> T {
        let before = self.entries().await;
        let answer = call
            .await
            .unwrap_or_else(|status| panic!("{id}: {status:?}"));
        assert_eq!(self.entries().await, before + 1, "{id}");
        self.seen.lock().expect("alone").insert(id);
        answer.into_inner()
    }

    /// Expects the call to be refused and to leave no entry.
    async fn refused<T>(&self, call: impl Future<Output = Answer<T>>) -> i32 {
        let before = self.entries().await;
        let status = call.await.err().expect("refused");
        assert_eq!(self.entries().await, before, "{status:?}");
        code_of(&status)
    }
}

type Answer<T> = Result<tonic::Response<T>, Status>;

fn reason() -> String {
    "值班处理".to_owned()
}

#[tokio::test]
async fn the_inner_lock_holds_for_every_call() {
    let desk = Desk::open(Shape::Embedded).await;
    let tried = locked(xl_personal::NAME, async |path, principal| {
        let mut client = Grpc::new(desk.channel());
        client.ready().await.expect("served");
        let mut request = Request::new(());
        let principal = Principal {
            audience: xl_personal::NAME.to_owned(),
            ..principal
        };
        let principals = &desk.running.test.parts.principals;
        principals
            .attach(principal, request.metadata_mut())
            .expect("signed");
        let codec = ProstCodec::<(), ()>::default();
        let answer = client.unary(request, PathAndQuery::from_static(path), codec);
        answer.await.err().unwrap_or_else(|| Status::ok(""))
    });
    tried.await;
    assert_eq!(desk.entries().await, 0, "nothing was done");
    desk.running.test.finish().await;
}

#[tokio::test]
async fn each_deed_takes_effect_and_leaves_one_entry() {
    for shape in shapes() {
        let desk = Desk::open(shape).await;
        desk.running.register_at("u1", 5).await;
        publications::publications(&desk).await;
        safety::words(&desk).await;
        safety::review(&desk).await;
        support::feedback(&desk).await;
        support::chat(&desk).await;
        leads::leads(&desk).await;
        let seen = desk.seen.lock().expect("alone").clone();
        assert_eq!(seen, audited(xl_personal::NAME), "each has a case");
        // What was written to a person, or about one, may name them: the log outlives their account.
        let log = desk.logged().await;
        for text in ["已修复", "您好", "周四再打"] {
            assert!(!log.contains(text), "{text}");
        }
        desk.running.test.finish().await;
    }
}
