//! Background work whose connection to the database goes silent while it waits.

use chassis::ServiceError;
use chassis::testing::{HeldTable, TestParts, eventually};
use sea_orm::ConnectionTrait;
use sea_orm_migration::MigratorTrait;

use crate::database::Migrator;

#[tokio::test]
async fn a_step_that_waits_for_ever_is_given_up_and_the_next_one_passes() {
    let Some((test, proxy)) = TestParts::behind_proxy(&[], |_| {}).await else {
        return;
    };
    let context = test.context("auth").await;
    Migrator::up(&context.db, None).await.unwrap();
    let step = || {
        let counted = context.db.execute_unprepared("SELECT count(*) FROM outbox");
        context.ask_database("a test", counted)
    };
    let held = HeldTable::hold(&test.database("auth").await, "outbox").await;
    let given_up = || async {
        let outcome = step().await;
        matches!(outcome, Err(ServiceError::Unavailable("database")))
    };
    held.silence_during(&proxy, "SELECT count", given_up).await;
    eventually("a step on another connection", || async {
        step().await.ok()?.ok()
    })
    .await;
    test.finish().await;
}
