//! Everything served besides calls.

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
