//! Databases of tests on PostgreSQL. What a service's migrations make is made once for all tests of a program and copied: they
//! would be most of the work of many a test.

use std::hash::{DefaultHasher, Hash, Hasher};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use sea_orm_migration::MigratorTrait;

pub(super) async fn open(postgres: &str, name: &str) -> DatabaseConnection {
    let mut options = ConnectOptions::new(format!("{postgres}/{name}"));
    // One, as a lock belongs to its connection.
    options.max_connections(1).sqlx_logging(false);
    let opened = Database::connect(options).await;
    opened.expect("PostgreSQL answers")
}

async fn run(admin: &DatabaseConnection, statement: &str) {
    let done = admin.execute_unprepared(statement).await;
    done.unwrap_or_else(|error| panic!("{statement}: {error}"));
}

/// Makes a database, empty or as its template is.
pub(super) async fn make(postgres: &str, name: &str, template: Option<&str>) {
    let admin = open(postgres, "postgres").await;
    let of = template.map_or(String::new(), |template| format!(" TEMPLATE {template}"));
    run(&admin, &format!("CREATE DATABASE {name}{of}")).await;
    admin.close().await.expect("closed");
}

/// The template of a service. The first test that asks makes it, others wait meanwhile.
pub(super) async fn of<M: MigratorTrait>(postgres: &str, service: &str) -> String {
    let key = key();
    let name = format!("template_{service}_{key:016x}");
    let admin = open(postgres, "postgres").await;
    if !is_made(&admin, &name).await {
        run(&admin, &format!("SELECT pg_advisory_lock({})", key as i64)).await;
        if !is_made(&admin, &name).await {
            // Of one that was ended while it made it.
            run(&admin, &format!("DROP DATABASE IF EXISTS {name}")).await;
            run(&admin, &format!("CREATE DATABASE {name}")).await;
            let db = open(postgres, &name).await;
            crate::db::migrate::<M>(&db).await.expect("migrated");
            db.close().await.expect("closed");
            run(&admin, &format!("ALTER DATABASE {name} IS_TEMPLATE true")).await;
        }
    }
    admin.close().await.expect("closed");
    name
}

/// Of this program: one that was compiled anew may have other migrations.
fn key() -> u64 {
    let program = std::env::current_exe().expect("own path");
    let made = std::fs::metadata(&program).and_then(|file| file.modified());
    let mut hasher = DefaultHasher::new();
    (program, made.expect("own time")).hash(&mut hasher);
    hasher.finish()
}

async fn is_made(admin: &DatabaseConnection, name: &str) -> bool {
    let text = format!("SELECT 1 FROM pg_database WHERE datname = '{name}' AND datistemplate");
    let row = Statement::from_string(admin.get_database_backend(), text);
    admin.query_one_raw(row).await.expect("asked").is_some()
}
