//! Keys and limits that change while the gateway runs.

use std::sync::{Arc, Mutex};

use chassis::testing::{Shape, TestParts};
use gateway::{ConfigSource, Options};

use crate::support::*;

#[tokio::test]
async fn a_key_can_be_changed_while_the_old_one_still_serves() {
    let test = TestParts::open(Shape::Embedded, &[gateway::DEFAULTS], |settings| {
        settings.set("gateway", "client", client("k1", "first secret", "", ""));
    })
    .await;
    let shared = Arc::new(Mutex::new(test.settings.clone()));
    let source = ConfigSource {
        file: None,
        load: {
            let shared = shared.clone();
            Arc::new(move || Ok(shared.lock().unwrap().clone()))
        },
    };
    let options = Options {
        source: Some(source),
        ..Options::default()
    };
    let running = Running::on(test, Place::InProcess, options).await;
    let old = running.user("u1");
    assert_eq!(old.call(INFO, &[]).await.unwrap().resp_code, 60000);

    let next = client("k2", "second secret", "k1", "first secret");
    shared.lock().unwrap().set("gateway", "client", next);
    running.gateway.reload();
    let mut fresh = gateway::client::SignedClient::connect(&running.client.base)
        .await
        .unwrap();
    fresh.clock = running.client.clock.clone();
    assert_eq!(
        (fresh.kid.as_str(), fresh.secret.as_str()),
        ("k2", "second secret")
    );
    let fresh = fresh.signed_in(&old.token, "u1");
    assert_eq!(fresh.call(INFO, &[]).await.unwrap().resp_code, 60000);
    assert_eq!(old.call(INFO, &[]).await.unwrap().resp_code, 60000);
    let mut mixed = fresh.clone();
    mixed.kid = "k1".into();
    assert_eq!(mixed.call(INFO, &[]).await.unwrap().resp_code, 60301);

    let last = client("k2", "second secret", "", "");
    shared.lock().unwrap().set("gateway", "client", last);
    running.gateway.reload();
    assert_eq!(old.call(INFO, &[]).await.unwrap().resp_code, 60301);
    running.finish().await;
}

fn client(kid: &str, secret: &str, previous: &str, previous_secret: &str) -> toml::Table {
    let mut table = toml::Table::new();
    table.insert("id".into(), "web".into());
    table.insert("kid".into(), kid.into());
    table.insert("secret".into(), secret.into());
    table.insert("previous_kid".into(), previous.into());
    table.insert("previous_secret".into(), previous_secret.into());
    table.insert("previous_until_ms".into(), i64::MAX.into());
    table
}
