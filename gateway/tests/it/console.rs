//! The operators' console at its own listener only.

use std::net::TcpListener;

use chassis::testing::{Shape, TestParts};
use gateway::Options;
use proto::catalogue::{Access, calls};
use proto::code;
use serde_json::{Value, json};

use crate::support::{INFO, Place, Running};

/// A gateway with both listeners, over a folder with a page for each; returns the console's URL too.
async fn with_console(networks: &[&str]) -> (Running, String) {
    let folder = tempfile::TempDir::new().unwrap().keep();
    for (name, text) in [
        ("index.html", "site"),
        ("console.html", "console"),
        ("assets/site.js", "site"),
        ("console/a.js", "console"),
    ] {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let networks: Vec<String> = networks.iter().map(|text| text.to_string()).collect();
    let test = TestParts::open(Shape::Embedded, &[gateway::DEFAULTS], |settings| {
        settings.set("gateway", "static_dir", folder.display().to_string());
        settings.put("gateway.console.networks", networks).unwrap();
    })
    .await;
    let options = Options {
        console: Some(TcpListener::bind("127.0.0.1:0").unwrap()),
        ..Options::default()
    };
    let running = Running::on(test, Place::InProcess, options).await;
    let console = format!("http://{}", running.gateway.console.unwrap());
    (running, console)
}

/// HTTP status and resp_code of a call with a token.
async fn post(url: &str, token: &str, body: &Value) -> (u16, i64) {
    let mut request = reqwest::Client::new().post(url).json(body);
    if !token.is_empty() {
        request = request.bearer_auth(token);
    }
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    let envelope: Value = answer.json().await.unwrap_or_default();
    (status, envelope["resp_code"].as_i64().unwrap_or_default())
}

/// Every call × no caller, a user, an operator without the permission, with a stale second factor, without a reason, with all
/// rights, × both listeners. Taken from the catalogue, so that new calls are included.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_operators_are_made_at_the_console_by_those_who_may() {
    let (running, console) = with_console(&[]).await;
    let user = running.user("u1");
    let of = |permission: &str, fresh_until: i64| running.fakes.operator(permission, fresh_until);
    let (all, without, stale) = (of("*", i64::MAX), of("none", i64::MAX), of("*", 0));
    let (empty, reason) = (json!({}), json!({"reason": "because"}));
    let mut looked_at = 0;
    for call in calls().iter().filter(|call| call.is_console()) {
        let (id, path) = (&call.id, &call.path);
        looked_at += 1;
        let site = running
            .client
            .signed_in(&all, "")
            .call_json(path, &empty)
            .await
            .unwrap();
        assert_eq!(site.status, 404, "{id} at the site");
        let url = format!("{console}{path}");
        // The services of this test do not implement these calls: an admitted caller gets "not open".
        let passed = (200, i64::from(code::NOT_OPEN));
        let body = if call.reason { &reason } else { &empty };
        assert_eq!(post(&url, &all, body).await, passed, "{id}");
        if call.access == Access::Public {
            continue;
        }
        assert_eq!(post(&url, "", body).await.0, 401, "{id}: nobody");
        assert_eq!(post(&url, &user.token, body).await.0, 401, "{id}: a user");
        let expected = if call.permission.is_empty() { 200 } else { 403 };
        assert_eq!(
            post(&url, &without, body).await.0,
            expected,
            "{id}: no permission"
        );
        let (_, reply) = post(&url, &stale, body).await;
        assert_eq!(
            reply == i64::from(code::NOT_FRESH),
            call.fresh,
            "{id}: stale"
        );
        if call.reason {
            let (_, reply) = post(&url, &all, &empty).await;
            assert_eq!(reply, i64::from(code::INVALID), "{id}: no reason");
        }
    }
    assert!(looked_at >= 27, "{looked_at}");

    // A large body is read only for a call that takes one, from a caller who may send it.
    let url = |path: &str| format!("{console}/api-console/personal/publications/{path}");
    let large = json!({"data": "A".repeat(2 * 1024 * 1024)});
    let picture = url("picture");
    let passed = (200, i64::from(code::NOT_OPEN));
    assert_eq!(post(&picture, &all, &large).await, passed);
    assert_eq!(post(&picture, &without, &large).await.0, 403);
    assert_eq!(post(&picture, "", &large).await.0, 401);
    assert_eq!(post(&url("save"), &all, &large).await.0, 413);
    let larger = json!({"data": "A".repeat(5 * 1024 * 1024)});
    assert_eq!(post(&picture, &all, &larger).await.0, 413);

    // An operator's token at a user call, and a user call at the console.
    let answer = running
        .client
        .signed_in(&all, "")
        .call(INFO, &[])
        .await
        .unwrap();
    assert_eq!(answer.status, 401);
    assert_eq!(post(&format!("{console}{INFO}"), &all, &empty).await.0, 404);

    // Neither a form nor another page's script gets through.
    let me = format!("{console}/api-console/auth/session/me");
    let http = reqwest::Client::new();
    let form = http
        .post(&me)
        .bearer_auth(&all)
        .form(&[("a", "b")])
        .send()
        .await
        .unwrap();
    assert_eq!(form.status().as_u16(), 415);
    let foreign = http
        .post(&me)
        .bearer_auth(&all)
        .header("origin", "http://evil.test");
    let foreign = foreign.json(&empty).send().await.unwrap();
    assert_eq!(foreign.status().as_u16(), 403);
    assert!(
        !foreign
            .headers()
            .contains_key("access-control-allow-origin")
    );
    running.finish().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_listener_serves_its_own_page_alone() {
    let (running, console) = with_console(&[]).await;
    let client = reqwest::Client::new();
    let get = async |url: String| client.get(url).send().await.unwrap();
    for path in ["/", "/console.html", "/console/a.js"] {
        let page = get(format!("{console}{path}")).await;
        assert_eq!(page.status().as_u16(), 200, "{path}");
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(
            policy.contains("frame-ancestors 'none'") && policy.contains("connect-src 'self';"),
            "{policy}"
        );
        // Only pictures are loaded from elsewhere: those of listings, from the store.
        let named: Vec<&str> = policy
            .split(';')
            .filter(|one| one.contains("http"))
            .collect();
        assert!(
            matches!(named.as_slice(), [one] if one.trim().starts_with("img-src")),
            "{policy}"
        );
        assert_eq!(page.text().await.unwrap(), "console", "{path}");
    }
    for path in [
        "/index.html",
        "/assets/site.js",
        "/config.json",
        "/openapi.json",
    ] {
        assert_eq!(
            get(format!("{console}{path}")).await.status().as_u16(),
            404,
            "{path}"
        );
    }
    for path in [
        "/console.html",
        "/console/a.js",
        "/console",
        "/%63onsole.html",
    ] {
        assert_eq!(
            get(running.url(path)).await.status().as_u16(),
            404,
            "{path}"
        );
    }
    let contract = get(running.url("/openapi.json"))
        .await
        .text()
        .await
        .unwrap();
    assert!(!contract.contains("api-console"));
    running.finish().await;

    let (running, console) = with_console(&["10.0.0.0/8"]).await;
    for path in ["", "/console.html", "/readyz"] {
        let refused = get(format!("{console}{path}")).await;
        assert_eq!(refused.status().as_u16(), 403, "{path}");
    }
    let me = format!("{console}/api-console/auth/session/me");
    let all = running.fakes.operator("*", i64::MAX);
    assert_eq!(post(&me, &all, &json!({})).await.0, 403);
    running.finish().await;
}
