use chassis::db::{
    self,
    migration::{InboxAge, Messaging, Streaming, Undelivered},
};
use chassis::testing::{Shape, TestParts, every_shape};
use sea_orm::ConnectionTrait;
use sea_orm_migration::{MigrationTrait, MigratorTrait};

/// All tables of outbox and inbox.
pub(crate) struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(Messaging),
            Box::new(Streaming),
            Box::new(InboxAge),
            Box::new(Undelivered),
        ]
    }
}

/// The version before [`Migrator`]'s.
struct Before;

impl MigratorTrait for Before {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Messaging)]
    }
}

#[tokio::test]
async fn the_version_before_starts_on_the_tables_of_the_one_after() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let db = test.context("auth").await.db;
        db::migrate::<Before>(&db).await.unwrap();
        db::migrate::<Migrator>(&db).await.unwrap();
        db::migrate::<Before>(&db).await.unwrap();
        // Nothing was undone, and the way forward is open.
        db.execute_unprepared("SELECT streamed_at FROM outbox")
            .await
            .unwrap();
        db::migrate::<Migrator>(&db).await.unwrap();
        test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn instances_that_start_together_migrate_once() {
    for shape in every_shape() {
        // Several processes on one SQLite file are no shape of ours.
        let instances = if shape == Shape::Servers { 8 } else { 1 };
        let test = TestParts::open(shape, &[], |_| {}).await;
        let context = test.context("auth").await;
        let mut running = Vec::new();
        for _ in 0..instances {
            let own = db::open(&test.settings, "auth").await.unwrap();
            running.push(tokio::spawn(
                async move { db::migrate::<Migrator>(&own).await },
            ));
        }
        for instance in running {
            instance.await.unwrap().unwrap();
        }
        let applied = context
            .db
            .query_all_raw(sea_orm::Statement::from_string(
                context.db.get_database_backend(),
                "SELECT version FROM seaql_migrations",
            ))
            .await
            .unwrap();
        assert_eq!(applied.len(), Migrator::migrations().len());
        test.finish().await;
    }
}

async fn rows(db: &impl ConnectionTrait) -> i64 {
    let backend = db.get_database_backend();
    let count = sea_orm::Statement::from_string(backend, "SELECT COUNT(*) AS rows FROM seen");
    let row = db.query_one_raw(count).await.unwrap().unwrap();
    row.try_get("", "rows").unwrap()
}

#[tokio::test]
async fn what_is_read_together_fits_together() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let writer = test.context("auth").await.db;
        let reader = db::open(&test.settings, "auth").await.unwrap();
        writer
            .execute_unprepared("CREATE TABLE seen (id BIGINT)")
            .await
            .unwrap();
        let snapshot = db::begin_read(&reader).await.unwrap();
        assert_eq!(rows(&snapshot).await, 0);
        writer
            .execute_unprepared("INSERT INTO seen VALUES (1)")
            .await
            .unwrap();
        assert_eq!(rows(&snapshot).await, 0);
        drop(snapshot);
        assert_eq!(rows(&reader).await, 1);
        test.finish().await;
    }
}
