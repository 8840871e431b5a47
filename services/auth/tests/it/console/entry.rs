//! Sign-in of operators under attack, and of users during a freeze.

use std::time::Duration;

use chassis::db::begin_write;
use chassis::testing::Shape;
use proto::auth::v1::user_console_api_client::UserConsoleApiClient;
use proto::auth::v1::*;
use proto::code;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbBackend, Statement};
use tonic::Status;

use super::{ADDRESS, PASSWORD, refused};
use crate::on_every_shape;
use crate::world::World;

on_every_shape!(
    strangers_lock_no_operator_out,
    a_freeze_and_a_sign_in_see_each_other,
);

fn refused_with(status: &Status) -> String {
    chassis::error::business_error(status).map_or_else(String::new, |reply| reply.message)
}

/// Wrong tries do not lock an operator out, and are limited.
async fn strangers_lock_no_operator_out(shape: Shape) {
    let world = World::open(shape).await;
    let anna = world.admin().await;
    let form = |password: &str, code: String, device: &str| OperatorSignInRequest {
        name: "anna".to_owned(),
        password: password.to_owned(),
        code,
        device: device.to_owned(),
    };
    let own = form(PASSWORD, world.code_of(&anna.app), "");
    let known = world.signed_in_from(ADDRESS, own).await.unwrap().device;
    assert!(!known.is_empty());

    // A stranger's guesses pause his address for the name, also for an unknown name.
    for name in ["anna", "nobody"] {
        for tried in 0..7 {
            let guess = OperatorSignInRequest {
                name: name.to_owned(),
                ..form("a guess of some length", "123456".to_owned(), "")
            };
            let refused = world.signed_in_from("10.66.0.1", guess).await.unwrap_err();
            let paused = refused_with(&refused).contains("15 分钟");
            assert_eq!(paused, tried >= 5, "{name} {tried}");
        }
    }
    let elsewhere = form(PASSWORD, world.code_of(&anna.app), "");
    let elsewhere = world.signed_in_from("10.9.0.7", elsewhere).await;
    assert!(elsewhere.is_ok(), "a new device at another address");

    // An attacker with the password guesses codes from many addresses: those count together; a known device can still sign in.
    let mut paused = 0;
    for at in 0..8 {
        let guess = form(PASSWORD, "0000000".to_owned(), "forged");
        let guess = world.signed_in_from(&format!("10.67.0.{at}"), guess).await;
        let reply = refused_with(&guess.unwrap_err());
        paused += usize::from(reply.contains("15 分钟"));
    }
    assert_eq!(paused, 3);
    let new = form(PASSWORD, world.code_of(&anna.app), "");
    assert!(world.signed_in_from("10.9.0.8", new).await.is_err());
    let own = form(PASSWORD, world.code_of(&anna.app), &known);
    let own = world.signed_in_from("10.66.0.1", own).await.unwrap();
    assert_eq!(own.device, known, "even at the address of the stranger");

    // The device's own wrong tries are limited too; meanwhile its operator can confirm his code.
    for tried in 0..6 {
        let slip = form("not the password", "0000000".to_owned(), &known);
        let reply = refused_with(&world.signed_in_from(ADDRESS, slip).await.unwrap_err());
        assert_eq!(reply.contains("15 分钟"), tried >= 5, "{tried}");
    }
    for (code, works) in [
        ("0000000".to_owned(), false),
        (world.code_of(&anna.app), true),
    ] {
        let request = world.by(&anna, OperatorConfirmRequest { code }).await;
        let confirmed = world.operators().operator_confirm(request).await;
        assert_eq!(confirmed.is_ok(), works);
    }
    world.parts.finish().await;
}

/// A transaction that locks an account as a freeze or (`shared`) a sign-in does.
async fn holding(world: &World, login_id: &str, shared: bool) -> DatabaseTransaction {
    let db = &world.context.db;
    let transaction = begin_write(db).await.unwrap();
    // On other databases a writing transaction locks everything.
    if db.get_database_backend() == DbBackend::Postgres {
        let mode = if shared { "SHARE" } else { "UPDATE" };
        let sql = format!("SELECT id FROM account WHERE id = '{login_id}' FOR {mode}");
        let held = Statement::from_string(DbBackend::Postgres, sql);
        assert!(transaction.query_one_raw(held).await.unwrap().is_some());
    }
    transaction
}

async fn run(transaction: &DatabaseTransaction, sql: String) {
    let backend = transaction.get_database_backend();
    let statement = Statement::from_string(backend, sql);
    transaction.execute_raw(statement).await.unwrap();
}

/// In either order, no user is signed in to a frozen account.
async fn a_freeze_and_a_sign_in_see_each_other(shape: Shape) {
    let world = World::open(shape).await;
    let anna = world.admin().await;
    let person = world.register("13900000009", "xuanlan9").await;
    let id = &person.login_id;
    let soon = Duration::from_millis(300);

    // A freeze that has not ended: the sign-in waits for it, and is refused.
    let frozen = holding(&world, id, false).await;
    run(
        &frozen,
        format!("INSERT INTO account_freeze VALUES ('{id}', 0, 'test', 1)"),
    )
    .await;
    let mut sign_in = Box::pin(world.sign_in("13900000009", "xuanlan9", "", "10.0.0.9"));
    let early = tokio::time::timeout(soon, &mut sign_in).await;
    assert!(early.is_err(), "it does not wait");
    frozen.commit().await.unwrap();
    let late = sign_in.await.err().expect("it is frozen");
    assert_eq!(refused(&late), code::FROZEN);
    let body = UserDecisionRequest {
        login_id: id.clone(),
        reason: "checked".to_owned(),
    };
    let request = world.by(&anna, body).await;
    let mut users = UserConsoleApiClient::new(world.routes());
    users.user_thaw(request).await.unwrap();

    // A sign-in that has not ended: the freeze waits for it, and ends its session.
    let signing_in = holding(&world, id, true).await;
    let rest = "login_id, remote_addr, created_at, expires_at, last_seen_at, kind, method, user_agent, device, confirmed_until";
    let hash = "f".repeat(64);
    run(
        &signing_in,
        format!(
            "INSERT INTO session (id, token_hash, {rest}) SELECT 'new', '{hash}', {rest} FROM session WHERE login_id = '{id}'"
        ),
    )
    .await;
    let body = UserFreezeRequest {
        login_id: id.clone(),
        until: 0,
        reason: "stolen".to_owned(),
    };
    // Looked up before the database blocks.
    let request = world.by(&anna, body).await;
    let mut freeze = Box::pin(users.user_freeze(request));
    let early = tokio::time::timeout(soon, &mut freeze).await;
    assert!(early.is_err(), "it does not wait");
    signing_in.commit().await.unwrap();
    freeze.await.unwrap();
    let left = world
        .rows(&format!("session WHERE login_id = '{id}'"))
        .await;
    assert_eq!(left, 0);
    world.parts.finish().await;
}
