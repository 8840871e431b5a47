//! Tokens: rotation, sign-out, expiry.

use chassis::testing::Shape;
use proto::auth::v1::{LogoutRequest, RefreshTokenRequest};
use tonic::{Code, Status};

use crate::world::{Person, World, person, refusal};

crate::on_every_shape!(
    refreshing_rotates_the_token,
    of_many_refreshes_at_once_one_wins,
    signing_out_ends_the_own_session_only,
    tokens_expire_and_are_cleaned_away,
    the_oldest_sessions_end,
);

async fn refresh(world: &World, who: &Person, token: &str) -> Result<Person, Status> {
    let body = RefreshTokenRequest {
        user_id: who.login_id.clone(),
        access_token: token.to_owned(),
    };
    let reply = world
        .client()
        .refresh_token(world.signed(who, body))
        .await?;
    Ok(person(&who.phone, &reply.into_inner().token))
}

async fn refreshing_rotates_the_token(shape: Shape) {
    let world = World::open(shape).await;
    let first = world.register("13800138000", "secret1").await;
    let before = world.introspect(&first.token).await.unwrap();
    world.advance_seconds(3600);
    let second = refresh(&world, &first, &first.token).await.unwrap();
    assert_ne!(first.token, second.token);
    assert_eq!(
        world.introspect(&first.token).await.unwrap_err().code(),
        Code::NotFound
    );
    let after = world.introspect(&second.token).await.unwrap();
    assert_eq!(before.session_id, after.session_id);
    assert!(after.expires_at_ms - before.expires_at_ms >= 3_600_000);
    let third = refresh(&world, &second, "").await.unwrap();
    let foreign = refresh(&world, &third, &second.token).await.err().unwrap();
    assert_eq!(refusal(&foreign).0, 60403);
    world.introspect(&third.token).await.unwrap();
    world.finish().await;
}

async fn of_many_refreshes_at_once_one_wins(shape: Shape) {
    let world = World::open(shape).await;
    let first = world.register("13800138000", "secret1").await;
    let tries = (0..6).map(|_| refresh(&world, &first, ""));
    let outcomes = futures::future::join_all(tries).await;
    let mut winners = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(person) => winners.push(person),
            Err(status) => assert_eq!(status.code(), Code::Unauthenticated),
        }
    }
    assert_eq!(winners.len(), 1);
    world.introspect(&winners[0].token).await.unwrap();
    world.finish().await;
}

async fn signing_out_ends_the_own_session_only(shape: Shape) {
    let world = World::open(shape).await;
    let first = world.register("13800138000", "secret1").await;
    let second = world
        .sign_in(&first.phone, "secret1", "", "10.0.0.1")
        .await
        .unwrap();
    let request = world.signed(&first, LogoutRequest::default());
    world.client().logout(request).await.unwrap();
    assert!(world.introspect(&first.token).await.is_err());
    world.introspect(&second.token).await.unwrap();
    assert!(refresh(&world, &first, "").await.is_err());
    world.finish().await;
}

async fn tokens_expire_and_are_cleaned_away(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "secret1").await;
    world.advance_seconds(15 * 24 * 3600 - 60);
    world.introspect(&person.token).await.unwrap();
    world.advance_seconds(120);
    assert!(world.introspect(&person.token).await.is_err());
    assert!(refresh(&world, &person, "").await.is_err());
    xl_auth::clean(&world.context).await.unwrap();
    use sea_orm::{EntityTrait, PaginatorTrait};
    let db = &world.context.db;
    assert_eq!(
        xl_auth::entity::session::Entity::find()
            .count(db)
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        xl_auth::entity::sms_code::Entity::find()
            .count(db)
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        xl_auth::entity::sms_gate::Entity::find()
            .count(db)
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        xl_auth::entity::account::Entity::find()
            .count(db)
            .await
            .unwrap(),
        1
    );
    world.finish().await;
}

async fn the_oldest_sessions_end(shape: Shape) {
    let world = World::with(shape, "[auth.token]\nmax_sessions = 2\n").await;
    let first = world.register("13800138000", "secret1").await;
    world.advance_seconds(1);
    let second = world
        .sign_in(&first.phone, "secret1", "", "10.0.0.1")
        .await
        .unwrap();
    world.advance_seconds(1);
    let third = world
        .sign_in(&first.phone, "secret1", "", "10.0.0.1")
        .await
        .unwrap();
    assert!(world.introspect(&first.token).await.is_err());
    world.introspect(&second.token).await.unwrap();
    world.introspect(&third.token).await.unwrap();
    world.finish().await;
}
