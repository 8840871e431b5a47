//! Everything served besides calls.

use chassis::messaging::Outbox;
use chassis::testing::Shape;
use serde_json::Value;

use crate::support::*;

/// A frontend folder as the build produces it.
fn frontend() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("assets")).unwrap();
    write("index.html", "<!doctype html><title>玄览云</title>");
    write("assets/app.0123456789ab.js", "console.log('plain')");
    write("assets/app.0123456789ab.js.gz", "packed");
    write(".hidden", "secret");
    folder
}

#[tokio::test]
async fn the_browser_gets_its_configuration() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        settings.set("site", "hotline", "400-000-0000");
    })
    .await;
    let answer = reqwest::get(running.url("/config.json")).await.unwrap();
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let config: Value = answer.json().await.unwrap();
    assert_eq!(config["clientId"], "web");
    assert_eq!(config["kid"], "k1");
    assert_eq!(config["clientSecret"].as_str().unwrap().len(), 64);
    assert_eq!(config["hotline"], "400-000-0000");
    assert!(config["contact"]["email"].is_string());
    assert!(config["serverTime"].is_i64());
    assert!(config.get("sandbox").is_none(), "only where it is on");
    let contract: Value = reqwest::get(running.url("/openapi.json"))
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert!(contract["paths"][INFO]["post"].is_object());
    running.finish().await;
}

#[tokio::test]
async fn the_frontend_is_served_with_its_rules() {
    let folder = frontend();
    let path = folder.path().display().to_string();
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        settings.set("gateway", "static_dir", path);
    })
    .await;
    let client = reqwest::Client::new();
    for address in ["/", "/workbench/uploads", "/index.html"] {
        let page = client.get(running.url(address)).send().await.unwrap();
        assert_eq!(page.status().as_u16(), 200, "{address}");
        assert_eq!(page.headers()["cache-control"], "no-cache");
        let policy = page.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.contains("frame-ancestors 'self'"));
        assert!(
            policy.contains("127.0.0.1:7081"),
            "the object store: {policy}"
        );
        assert!(page.text().await.unwrap().contains("玄览云"));
    }
    let script = running.url("/assets/app.0123456789ab.js");
    let plain = client.get(&script).send().await.unwrap();
    let headers = plain.headers().clone();
    assert_eq!(headers["content-type"], "text/javascript; charset=utf-8");
    assert_eq!(
        headers["cache-control"],
        "public, max-age=31536000, immutable"
    );
    assert!(headers.contains_key("last-modified"));
    assert_eq!(plain.text().await.unwrap(), "console.log('plain')");
    let known = client
        .get(&script)
        .header("if-none-match", &headers["etag"]);
    assert_eq!(known.send().await.unwrap().status().as_u16(), 304);
    let packed = client.get(&script).header("accept-encoding", "gzip, br");
    let packed = packed.send().await.unwrap();
    assert_eq!(packed.headers()["content-encoding"], "gzip");
    assert_eq!(packed.text().await.unwrap(), "packed");

    for address in [
        "/assets/none.js",
        "/.hidden",
        "/%2e%2e/%2e%2e/etc/passwd.txt",
    ] {
        let answer = client.get(running.url(address)).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 404, "{address}");
    }
    running.finish().await;
}

/// AM062, as far as the server answers: status 404; the page's sentence is Chinese.
#[tokio::test]
async fn unknown_addresses_are_404_and_what_is_not_open_is_not_listed() {
    let folder = frontend();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("pages")).unwrap();
    write("pages/pricePage.html", "<title>会员与价格</title>");
    write("pages/workbench.html", "<title>工作台</title>");
    write("pages/old.html", "<title>旧活动</title>");
    write("pages/unlisted.html", "<meta name=robots content=noindex>");
    write(
        "routes.json",
        r#"{"unlisted":"/pages/unlisted.html","pages":[
            {"path":"/pricePage","html":"/pages/pricePage.html","canonical":"/pricePage"},
            {"path":"/workbench","html":"/pages/workbench.html"},
            {"path":"/old","html":"/pages/old.html","gone":true}]}"#,
    );
    let path = folder.path().display().to_string();
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        settings.set("gateway", "static_dir", path);
    })
    .await;
    let client = reqwest::Client::new();
    for (address, status, robots, text) in [
        ("/pricePage", 200, None, "会员与价格"),
        ("/PricePage/?a=1", 200, None, "会员与价格"),
        ("/workbench", 200, Some("noindex"), "工作台"),
        ("/Workbench/?a=1", 200, Some("noindex"), "工作台"),
        ("/old", 410, Some("noindex"), "旧活动"),
        ("/nothing/here", 404, Some("noindex"), "noindex"),
        ("/workbench/uploads", 404, Some("noindex"), "noindex"),
    ] {
        let page = client.get(running.url(address)).send().await.unwrap();
        assert_eq!(page.status().as_u16(), status, "{address}");
        let found = page.headers().get("x-robots-tag");
        assert_eq!(found.map(|v| v.to_str().unwrap()), robots, "{address}");
        assert!(
            page.headers()["content-type"]
                .to_str()
                .unwrap()
                .starts_with("text/html")
        );
        assert!(page.text().await.unwrap().contains(text), "{address}");
    }
    running.finish().await;
}

#[tokio::test]
async fn what_is_written_for_a_request_goes_out_in_gzip() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |_| {}).await;
    let client = reqwest::Client::new();
    let contract = client
        .get(running.url("/openapi.json"))
        .header("accept-encoding", "gzip, br")
        .send()
        .await
        .unwrap();
    assert_eq!(contract.headers()["content-encoding"], "gzip");
    assert_eq!(contract.headers()["vary"], "Accept-Encoding");
    let packed = contract.bytes().await.unwrap();
    assert_eq!(packed[..2], [0x1f, 0x8b]);
    let plain = client
        .get(running.url("/openapi.json"))
        .send()
        .await
        .unwrap();
    assert!(!plain.headers().contains_key("content-encoding"));
    assert!(packed.len() * 4 < plain.bytes().await.unwrap().len());
    // a small response of a call stays as it is
    let call = client
        .post(running.url(READ))
        .header("accept-encoding", "gzip")
        .send()
        .await
        .unwrap();
    assert!(!call.headers().contains_key("content-encoding"));
    assert_eq!(call.headers()["vary"], "Accept-Encoding");
    let answer: Value = call.json().await.unwrap();
    assert!(answer["resp_code"].is_i64());
    running.finish().await;
}

#[tokio::test]
async fn other_sites_call_only_when_they_are_named() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        let origins = toml::Value::Array(vec!["https://partner.test".into()]);
        settings.set("gateway", "cors_origins", origins);
    })
    .await;
    let ask = async |origin: &str| {
        let request = reqwest::Client::new()
            .request(reqwest::Method::OPTIONS, running.url(READ))
            .header("origin", origin)
            .header("access-control-request-method", "POST");
        request.send().await.unwrap()
    };
    let known = ask("https://partner.test").await;
    assert_eq!(known.status().as_u16(), 204);
    assert_eq!(
        known.headers()["access-control-allow-origin"],
        "https://partner.test"
    );
    let allowed = known.headers()["access-control-allow-headers"]
        .to_str()
        .unwrap();
    for header in [
        "authorization",
        "client-id",
        "client-secret",
        "md5",
        "content-type",
    ] {
        assert!(allowed.contains(header), "{header}");
    }
    let other = ask("https://evil.test").await;
    assert!(!other.headers().contains_key("access-control-allow-origin"));
    let call = reqwest::Client::new()
        .post(running.url(READ))
        .header("origin", "https://partner.test");
    let call = call.send().await.unwrap();
    assert_eq!(
        call.headers()["access-control-allow-origin"],
        "https://partner.test"
    );
    running.finish().await;
}

#[tokio::test]
async fn every_response_is_protected() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        settings.set("gateway", "trusted_proxies", vec!["127.0.0.1"]);
    })
    .await;
    let client = reqwest::Client::new();
    for path in [
        "/healthz",
        "/readyz",
        "/openapi.json",
        "/config.json",
        "/",
        INFO,
    ] {
        for (scheme, strict) in [("https", true), ("http", false)] {
            let sent = client
                .get(running.url(path))
                .header("x-forwarded-proto", scheme);
            let headers = sent.send().await.unwrap().headers().clone();
            assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
            assert_eq!(
                headers["cross-origin-opener-policy"],
                "same-origin-allow-popups"
            );
            let reply = headers.get("strict-transport-security");
            let reply = reply.map(|value| value.to_str().unwrap());
            assert_eq!(reply, strict.then_some("max-age=31536000"), "{path}");
        }
    }
    running.finish().await;
}

/// Of a standalone: its services are in the process of the gateway.
#[tokio::test]
async fn a_gateway_with_services_is_ready_only_while_they_work() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        // A relay that has started is late at once.
        settings.set("outbox", "late_seconds", 0);
    })
    .await;
    // An answer serves all who ask within a moment.
    let becomes = async |wanted: u16, service: &str, part: &str, works: bool| {
        chassis::testing::eventually("readiness", || async {
            let answer = reqwest::get(running.url("/readyz")).await.unwrap();
            let status = answer.status().as_u16();
            let state: Value = answer.json().await.unwrap();
            let found = state["parts"][service][part] == Value::Bool(works);
            (status == wanted && found).then_some(state)
        })
        .await
    };
    let personal = running.test.context("personal").await;
    becomes(200, "personal", "database", true).await;
    let auth = running.test.context("auth").await;
    let outbox = Outbox::new(auth.db.clone(), auth.clock.clone());
    outbox.spawn_relays(&auth);
    let state = becomes(503, "auth", "relay", false).await;
    assert_eq!(state["parts"]["auth"]["database"], true);
    assert_eq!(state["services"]["auth"], false);
    assert_eq!(state["services"]["personal"], true);
    personal.db.clone().close().await.unwrap();
    let state = becomes(503, "personal", "database", false).await;
    assert_eq!(state["services"]["personal"], false);
    let alive = reqwest::get(running.url("/healthz")).await.unwrap();
    assert_eq!(alive.status().as_u16(), 200);
    running.finish().await;
}

#[tokio::test]
async fn a_gateway_that_ends_closes_the_connections_it_answers() {
    let running = Running::start(Shape::Embedded, Place::InProcess, |settings| {
        settings.set("gateway", "drain_wait_ms", 3_000);
    })
    .await;
    let user = running.user("u1");
    let client = reqwest::Client::new();
    let connection = async |path: &str| {
        let answer = client.get(running.url(path)).send().await.unwrap();
        let header = answer.headers().get("connection").cloned();
        (answer.status().as_u16(), header)
    };
    assert_eq!(connection("/healthz").await, (200, None));
    running.test.parts.shutdown.request();
    chassis::testing::eventually("it is not ready", || async {
        (connection("/readyz").await.0 == 503).then_some(())
    })
    .await;
    let (status, header) = connection("/healthz").await;
    assert_eq!((status, header.unwrap().to_str().unwrap()), (200, "close"));
    assert_eq!(user.call(INFO, &[]).await.unwrap().resp_code, 60000);
    running.finish().await;
}
