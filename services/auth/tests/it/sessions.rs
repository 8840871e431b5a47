//! Tokens: rotation, sign-out, expiry.

use chassis::testing::Shape;
use prost::Message;
use proto::auth::v1::{
    EndOtherSessionsRequest, EndSessionRequest, ListSessionsRequest, ListSignInsRequest,
    LogoutRequest, RefreshTokenRequest, SessionInfo, SessionRevoked,
};
use proto::events::Published;
use sea_orm::{ConnectionTrait, QueryResult, Statement};
use tonic::{Code, Status};

use crate::world::{Person, World, person, refusal};

crate::on_every_shape!(
    refreshing_rotates_the_token,
    of_many_refreshes_at_once_one_wins,
    signing_out_ends_the_own_session_only,
    an_ended_session_is_named_and_a_renewed_one_is_not,
    tokens_expire_and_are_cleaned_away,
    the_oldest_sessions_end,
    sessions_end_when_idle_and_in_any_case_at_last,
    an_account_sees_and_ends_its_sessions,
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
    let first = world.register("13800138000", "shanhai1").await;
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
    let first = world.register("13800138000", "shanhai1").await;
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
    let first = world.register("13800138000", "shanhai1").await;
    let second = world
        .sign_in(&first.phone, "shanhai1", "", "10.0.0.1")
        .await
        .unwrap();
    let request = world.signed(&first, LogoutRequest::default());
    world.client().logout(request).await.unwrap();
    assert!(world.introspect(&first.token).await.is_err());
    world.introspect(&second.token).await.unwrap();
    assert!(refresh(&world, &first, "").await.is_err());
    world.finish().await;
}

/// The sessions that each event of revoked tokens names, oldest first.
async fn named(world: &World) -> Vec<Vec<String>> {
    let db = &world.context.db;
    let key = SessionRevoked::KEY;
    let text = format!("SELECT body FROM outbox WHERE event_key = '{key}' ORDER BY id");
    let query = Statement::from_string(db.get_database_backend(), text);
    let rows = db.query_all_raw(query).await.unwrap();
    let body = |row: &QueryResult| row.try_get_by_index::<Vec<u8>>(0).unwrap();
    let event = |row| SessionRevoked::decode(body(row).as_slice()).unwrap();
    rows.iter().map(|row| event(row).session_ids).collect()
}

async fn an_ended_session_is_named_and_a_renewed_one_is_not(shape: Shape) {
    let world = World::open(shape).await;
    let first = world.register("13800138000", "shanhai1").await;
    let session = world.introspect(&first.token).await.unwrap().session_id;
    let renewed = refresh(&world, &first, &first.token).await.unwrap();
    let request = world.signed(&renewed, LogoutRequest::default());
    world.client().logout(request).await.unwrap();
    // Uploads and links go on when a token is renewed.
    assert_eq!(named(&world).await, [vec![], vec![session]]);
    world.finish().await;
}

async fn tokens_expire_and_are_cleaned_away(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    world.advance_seconds(15 * 24 * 3600 - 60);
    world.introspect(&person.token).await.unwrap();
    world.advance_seconds(120);
    assert!(world.introspect(&person.token).await.is_err());
    assert!(refresh(&world, &person, "").await.is_err());
    xl_auth::clean(&world.context).await.unwrap();
    use sea_orm::{EntityTrait, PaginatorTrait};
    let db = &world.context.db;
    assert_eq!(
        xl_auth::entity::session::Entity::find_any()
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
    let first = world.register("13800138000", "shanhai1").await;
    world.advance_seconds(1);
    let second = world
        .sign_in(&first.phone, "shanhai1", "", "10.0.0.1")
        .await
        .unwrap();
    world.advance_seconds(1);
    let third = world
        .sign_in(&first.phone, "shanhai1", "", "10.0.0.1")
        .await
        .unwrap();
    assert!(world.introspect(&first.token).await.is_err());
    world.introspect(&second.token).await.unwrap();
    world.introspect(&third.token).await.unwrap();
    world.finish().await;
}

const DAY: i64 = 24 * 3600;

async fn sessions_end_when_idle_and_in_any_case_at_last(shape: Shape) {
    let over = "[auth.token]\nidle_days = 3\nabsolute_days = 16\n";
    let world = World::with(shape, over).await;
    let idle = world.register("13800138000", "shanhai1").await;
    let used = world
        .sign_in(&idle.phone, "shanhai1", "", "10.0.0.1")
        .await
        .unwrap();
    for _ in 0..2 {
        world.advance_seconds(2 * DAY);
        world.introspect(&used.token).await.unwrap();
    }
    assert!(
        world.introspect(&idle.token).await.is_err(),
        "idle for four days"
    );
    let body = RefreshTokenRequest {
        user_id: idle.login_id.clone(),
        ..Default::default()
    };
    let late = world
        .client()
        .refresh_token(world.signed(&idle, body))
        .await;
    assert_eq!(late.unwrap_err().code(), Code::Unauthenticated);

    // Renewed again and again, it still ends, and its token says when.
    let mut last = used;
    for _ in 0..5 {
        world.advance_seconds(2 * DAY);
        let body = RefreshTokenRequest {
            user_id: last.login_id.clone(),
            ..Default::default()
        };
        let renewed = world
            .client()
            .refresh_token(world.signed(&last, body))
            .await;
        let datas: serde_json::Value =
            serde_json::from_str(&renewed.unwrap().into_inner().token).unwrap();
        last.token = datas["access_token"].as_str().unwrap().to_owned();
        assert!(datas["expires_in"].as_i64().unwrap() <= 12 * DAY);
    }
    world.advance_seconds(2 * DAY - 60);
    world.introspect(&last.token).await.unwrap();
    world.advance_seconds(120);
    assert!(
        world.introspect(&last.token).await.is_err(),
        "16 days after the sign-in"
    );
    xl_auth::clean(&world.context).await.unwrap();
    world.finish().await;
}

async fn list(world: &World, who: &Person) -> Vec<SessionInfo> {
    let request = world.signed(who, ListSessionsRequest::default());
    let reply = world.sessions().list_sessions(request).await.unwrap();
    reply.into_inner().results
}

async fn end(world: &World, who: &Person, id: &str) -> i32 {
    let body = EndSessionRequest {
        session_id: id.to_owned(),
        ..Default::default()
    };
    let reply = world.sessions().end_session(world.signed(who, body)).await;
    reply.unwrap().into_inner().ended
}

async fn an_account_sees_and_ends_its_sessions(shape: Shape) {
    let world = World::open(shape).await;
    let first = world.register("13800138000", "shanhai1").await;
    let stranger = world.register("13800138009", "shanhai1").await;
    world.advance_seconds(5);
    let again = world
        .sign_in_on(&first.device, &first.phone, "shanhai1", "", "10.0.0.1")
        .await;
    let again = again.unwrap();
    let wrong = world
        .sign_in(&first.phone, "wrong-one", "", "10.0.0.2")
        .await;
    assert!(wrong.is_err());
    world.advance_seconds(5);
    let third = world
        .sign_in(&first.phone, "shanhai1", "", "10.0.0.3")
        .await
        .unwrap();

    let shown = list(&world, &again).await;
    assert_eq!(shown.len(), 3);
    assert!(shown[0].current && shown[0].remote_addr == "10.0.0.1");
    let of = |info: &SessionInfo| (info.kind.clone(), info.method.clone(), info.device.clone());
    let words = |method: &str| {
        (
            "desktop".into(),
            method.to_owned(),
            "Chrome · Windows".into(),
        )
    };
    assert_eq!(of(&shown[0]), words("password"));
    assert_eq!(of(&shown[2]), words("register"));
    let of_third = shown
        .iter()
        .find(|info| info.remote_addr == "10.0.0.3")
        .unwrap();

    assert_eq!(end(&world, &stranger, &of_third.id).await, 0, "a stranger");
    world.introspect(&third.token).await.unwrap();
    assert_eq!(end(&world, &again, &of_third.id).await, 1);
    assert_eq!(end(&world, &again, &of_third.id).await, 0, "twice");
    assert!(world.introspect(&third.token).await.is_err());
    let request = world.signed(&again, EndOtherSessionsRequest::default());
    let ended = world.sessions().end_other_sessions(request).await.unwrap();
    assert_eq!(ended.into_inner().ended, 1);
    world.introspect(&again.token).await.unwrap();
    world.introspect(&stranger.token).await.unwrap();

    let request = world.signed(&again, ListSignInsRequest::default());
    let record = world
        .sessions()
        .list_sign_ins(request)
        .await
        .unwrap()
        .into_inner();
    let kept: Vec<(&str, &str, bool)> = record
        .results
        .iter()
        .map(|row| (row.method.as_str(), row.outcome.as_str(), row.new_device))
        .collect();
    let expected = [
        ("password", "opened", true),
        ("password", "wrongPassword", false),
        ("password", "opened", false),
        ("register", "opened", false),
    ];
    assert_eq!((record.total_count, kept), (4, expected.to_vec()));
    world.advance_seconds(181 * DAY);
    xl_auth::clean(&world.context).await.unwrap();
    use sea_orm::PaginatorTrait;
    let left = xl_auth::entity::sign_in::Entity::find_any().count(&world.context.db);
    assert_eq!(left.await.unwrap(), 0);
    world.finish().await;
}
