//! Tokens: looked up, cached, revoked.

use std::sync::atomic::Ordering;

use chassis::testing::{eventually, shapes};
use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn a_revoked_token_ends_at_once() {
    for shape in shapes() {
        let running = Running::start(shape, Place::InProcess, |_| {}).await;
        let user = running.user("u1");
        let other = running.user("u1");
        for _ in 0..3 {
            assert_eq!(user.call(INFO, &[]).await.unwrap().status, 200);
        }
        assert_eq!(
            running.fakes.lookups.load(Ordering::SeqCst),
            1,
            "kept for a while"
        );
        assert_eq!(other.call(INFO, &[]).await.unwrap().status, 200);

        running.fakes.sign_out(&user.token);
        let notice = json!({
            "type": "REVOKED",
            "loginId": "u1",
            "tokenHashes": [d3sig::token_hash(&user.token)],
        });
        running
            .test
            .parts
            .bus
            .push_text("#gateway", notice.to_string());
        let refused = eventually("the token is refused", || async {
            let answer = user.call(INFO, &[]).await.unwrap();
            (answer.status == 401).then_some(answer)
        })
        .await;
        assert_eq!(
            (refused.resp_code, refused.resp_msg.as_str()),
            (401, "请登录")
        );
        assert_eq!(other.call(INFO, &[]).await.unwrap().status, 200);
        running.finish().await;
    }
}

/// Where several gateways serve, the others learn it by the push.
#[tokio::test]
async fn what_a_user_ended_is_ended_with_the_answer() {
    for shape in shapes() {
        let running = Running::start(shape, Place::InProcess, |_| {}).await;
        let user = running.user("u1");
        let other = running.user("u1");
        let stranger = running.user("u2");
        for known in [&user, &other, &stranger] {
            assert_eq!(known.call(INFO, &[]).await.unwrap().status, 200);
        }
        let ended = user.call(END_OTHERS, &[]).await.unwrap();
        assert_eq!(ended.status, 200, "{}", ended.resp_msg);
        assert_eq!(other.call(INFO, &[]).await.unwrap().status, 401);
        let lookups = running.fakes.lookups.load(Ordering::SeqCst);
        assert_eq!(stranger.call(INFO, &[]).await.unwrap().status, 200);
        assert_eq!(
            running.fakes.lookups.load(Ordering::SeqCst),
            lookups,
            "known"
        );
        assert_eq!(user.call(INFO, &[]).await.unwrap().status, 200);
        running.finish().await;
    }
}

#[tokio::test]
async fn tokens_are_demanded_checked_and_expire() {
    let running = Running::embedded().await;
    let anonymous = running.client.call(INFO, &[]).await.unwrap();
    assert_eq!(
        (anonymous.status, anonymous.resp_msg.as_str()),
        (401, "请登录")
    );
    let guess = running.client.signed_in("guess", "u1");
    assert_eq!(guess.call(INFO, &[]).await.unwrap().status, 401);
    let long = running.client.signed_in(&"x".repeat(600), "u1");
    assert_eq!(long.call(INFO, &[]).await.unwrap().status, 401);
    let past = running
        .fakes
        .sign_in("u1", running.test.parts.clock.now_ms() - 1);
    let past = running.client.signed_in(&past, "u1");
    assert_eq!(past.call(INFO, &[]).await.unwrap().status, 401);
    // Where a token is optional an invalid one is still refused.
    assert_eq!(guess.call(STORAGE, &[]).await.unwrap().status, 401);
    running.finish().await;
}

#[tokio::test]
async fn a_call_without_a_token_does_not_look_at_one() {
    let running = Running::embedded().await;
    // No real `auth` runs here: what matters is that the status is not 401.
    let guess = running.client.signed_in("guess", "");
    let answer = guess
        .call(
            "/api-auth/thirdPartLogin/public/userIsExist",
            &[("username", "1")],
        )
        .await
        .unwrap();
    assert_eq!(answer.resp_code, 60404);
    running.finish().await;
}

/// ST005.
#[tokio::test]
async fn credentials_are_encrypted_for_their_user() {
    let running = Running::embedded().await;
    let anonymous = running.client.call(STORAGE, &[]).await.unwrap();
    assert_eq!(anonymous.datas["server"], "https://store.example.test");
    assert!(anonymous.datas["ak"].is_null() && anonymous.datas["expiration"].is_null());

    let user = running.user("u1");
    let answer = user.call(STORAGE, &[]).await.unwrap();
    assert_eq!(answer.datas["expiration"], 1_795_219_200_000_i64);
    let fields = [
        ("ak", "temporary-ak"),
        ("sk", "temporary-sk"),
        ("server", "https://store.example.test"),
    ];
    for (field, plain) in fields {
        let value = answer.datas[field].as_str().unwrap();
        let open = |token: &str, user_id: &str| {
            d3sig::decrypt_credential(token, &user.client_id, field, user_id, value)
        };
        assert_eq!(open(&user.token, "u1").as_deref(), Ok(plain));
        assert!(open(&user.token, "u2").is_err());
        assert!(open("other", "u1").is_err());
    }
    running.finish().await;
}
