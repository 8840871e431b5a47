//! Third-party clients of Alipay and WeChat Pay, for Node.js and Python, against the sandbox, and verifying what our
//! own client signs.

use std::path::{Path, PathBuf};

use chassis::bus::Bus;
use chassis::{Clock, Settings, Shutdown};
use payprotocol::alipay::{Dialect, merchant::Merchant as Alipay, sign};
use payprotocol::wechat::cipher::ApiKey;
use payprotocol::wechat::merchant::Merchant as Wechat;
use payprotocol::{Order, PrivateKey, PublicKey};
use sandbox::pay::identity::{Identity, MerchantKeys};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::process::Command;

fn ours(keys: &MerchantKeys, now_ms: i64) -> Value {
    let app_key = PrivateKey::read(&keys.alipay_app_key).unwrap();
    let merchant_key = PrivateKey::read(&keys.wechat_merchant_key).unwrap();
    let order = Order {
        number: "ours0001",
        cents: 29_900,
        subject: "基础会员&一年 <\"'>",
        expires_at_ms: now_ms + 1_800_000,
    };
    let alipay = Alipay {
        app_id: keys.alipay_app_id.clone(),
        seller_id: keys.alipay_seller_id.clone(),
        gateway: "https://x/gateway.do".to_owned(),
        notify_url: "https://y/notify".to_owned(),
        key: app_key.clone(),
        alipay_key: PublicKey::read(&keys.alipay_public_key).unwrap(),
        other_alipay_key: None,
    };
    let wechat = Wechat {
        app_id: keys.wechat_app_id.clone(),
        mch_id: keys.wechat_mch_id.clone(),
        serial: keys.wechat_serial.clone(),
        key: merchant_key.clone(),
        api_key: ApiKey::read(&keys.wechat_api_key).unwrap(),
        other_api_key: None,
        platform: Default::default(),
        notify_url: "https://y/notify".to_owned(),
    };
    let call = wechat.native(&order, now_ms).unwrap();
    let notice = [("seller_id", "2088"), ("subject", "会员 一年")];
    let notice = notice.map(|(name, value)| (name.to_owned(), value.to_owned()));
    json!({
        "alipayAppPublicKey": app_key.public().unwrap().to_pem(),
        "wechatMerchantPublicKey": merchant_key.public().unwrap().to_pem(),
        "form": alipay.page_pay(&order, "https://y/back", now_ms).unwrap(),
        "notice": sign(notice.into(), Dialect::Notice, &app_key).unwrap(),
        "call": {"method": call.method, "path": call.path, "body": call.body,
            "authorization": call.authorization},
    })
}

async fn judged_by(mut client: Command) {
    let folder = TempDir::new().unwrap();
    let shutdown = Shutdown::new();
    let bus = Bus::within_process(&shutdown);
    let variables = [
        ("XUANLAN__DATA__DIR", folder.path().to_str().unwrap()),
        ("XUANLAN__SITE__PUBLIC_ADDRESS", "http://127.0.0.1:1"),
        ("XUANLAN__SANDBOX__ENABLED", "true"),
        ("XUANLAN__SANDBOX__LISTEN", "127.0.0.1:0"),
    ];
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = Settings::load_from(&[sandbox::DEFAULTS], None, variables).unwrap();
    let clock = Clock::system();
    let running = sandbox::start(&settings, &bus, clock.clone(), &shutdown)
        .await
        .unwrap()
        .unwrap();
    let identity = Identity::open(&folder.path().join("sandbox"), clock.now_ms()).unwrap();
    let keys = identity.merchant_keys().unwrap();
    let environment = json!({
        "address": running.public_address,
        "keys": &keys,
        "other": PrivateKey::generate().unwrap().to_pem().unwrap(),
        "ours": ours(&keys, clock.now_ms()),
    });
    client.env("SANDBOX", environment.to_string());
    let output = client.kill_on_drop(true).output().await.unwrap();
    assert!(
        output.status.success(),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    shutdown.finish(std::time::Duration::from_secs(5)).await;
}

async fn made(mut command: Command, what: &str) {
    let status = command.kill_on_drop(true).status().await;
    assert!(status.is_ok_and(|status| status.success()), "{what} failed");
}

#[actix_web::test]
async fn alipay_sdk_and_wechatpay_axios_plugin() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node");
    if !folder.join("node_modules/wechatpay-axios-plugin").is_dir() {
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-save", "--no-audit", "--no-fund"]);
        npm.current_dir(&folder);
        made(npm, "npm install").await;
    }
    let mut node = Command::new("node");
    node.args(["--test", "client.test.mjs"])
        .current_dir(&folder);
    judged_by(node).await;
}

#[actix_web::test]
async fn python_alipay_sdk_and_wechatpayv3() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python");
    let python = match std::env::var_os("XUANLAN_TEST_PYTHON") {
        Some(python) => python.into(),
        None => own_python(&folder).await,
    };
    let mut client = Command::new(&python);
    client
        .args(["-W", "ignore", "client.py"])
        .current_dir(&folder);
    judged_by(client).await;
}

/// A separate environment, for runs without scripts/test.
async fn own_python(folder: &Path) -> PathBuf {
    let python = folder.join(".venv/bin/python");
    if !folder.join(".venv/.installed").is_file() {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv", ".venv"]).current_dir(folder);
        made(venv, "python3 -m venv").await;
        let mut pip = Command::new(&python);
        pip.args(["-m", "pip", "install", "-q", "-r", "requirements.txt"]);
        pip.current_dir(folder);
        made(pip, "pip install").await;
    }
    python
}
