//! The demo's accounts, whose passwords are in the README: there from the first moment of a trial, and of no use to anybody
//! where the outside may come in.

use std::process::Command;

use gateway::client::{Envelope, SignedClient};
use proto::code::{NOT_REGISTERED, SUCCESS, WRONG_PASSWORD};

use crate::site::{Site, folder, program};

const OWNER: (&str, &str) = ("13800000001", "xuanlan1");
const OTHER: (&str, &str) = ("13800000002", "xuanlan2");
const OWN_PASSWORD: &str = "qingshan-7";

async fn sign_in(site: &Site, (username, password): (&str, &str)) -> Envelope {
    let client = SignedClient::connect(&site.address()).await.unwrap();
    let form = [("username", username), ("password", password)];
    let path = "/api-auth/oauth/user/token";
    client.call(path, &form).await.unwrap()
}

fn is_in(answer: &Envelope) -> bool {
    answer.resp_code == i64::from(SUCCESS)
}

/// The client of a session that has been opened.
async fn session(site: &Site, answer: &Envelope) -> SignedClient {
    let datas: serde_json::Value = serde_json::from_str(answer.datas.as_str().unwrap()).unwrap();
    let text = |name: &str| datas[name].as_str().unwrap().to_owned();
    let client = SignedClient::connect(&site.address()).await.unwrap();
    client.signed_in(&text("access_token"), &text("loginId"))
}

async fn knows_me(client: &SignedClient) -> bool {
    let answer = client.call("/api-auth/oauth/appuserinfo", &[]).await;
    is_in(&answer.unwrap())
}

/// A trial without the mall, whose listings nobody waits for here.
fn trial(folder: &std::path::Path) -> Command {
    let mut command = program(folder);
    command.env("XUANLAN__STANDALONE__MALL", "false");
    command
}

fn set_password(folder: &std::path::Path, phone: &str, password: &str) {
    let done = Command::new(env!("CARGO_BIN_EXE_xuanlan"))
        .args(["auth", "account", "set-password", "--phone", phone])
        .env("XUANLAN__DATA__DIR", folder.join("data"))
        .env("XUANLAN_PASSWORD", password)
        .output()
        .unwrap();
    assert!(done.status.success(), "{done:?}");
}

#[tokio::test]
async fn known_passwords_open_a_trial_at_once_and_nothing_that_is_started_on_it_later() {
    let folder = folder();
    let folder = folder.path();
    let site = Site::opened(trial(folder));
    for account in [OWNER, OTHER] {
        let answer = sign_in(&site, account).await;
        assert!(is_in(&answer), "{answer:?}");
    }
    let mut guest = session(&site, &sign_in(&site, OWNER).await).await;
    assert!(knows_me(&guest).await);
    set_password(folder, OTHER.0, OWN_PASSWORD);
    drop(site);

    let mut command = program(folder);
    command
        .arg("--no-sandbox")
        .env("XUANLAN__SITE__ENVIRONMENT", "production");
    let mut site = Site::opened(command);
    let refused = sign_in(&site, OWNER).await;
    assert_eq!(refused.resp_code, i64::from(WRONG_PASSWORD), "{refused:?}");
    guest.base = site.address();
    assert!(!knows_me(&guest).await, "the session of the trial goes on");
    let kept = sign_in(&site, (OTHER.0, OWN_PASSWORD)).await;
    assert!(is_in(&kept), "{kept:?}");
    let printed = site.all_printed();
    assert!(printed.contains("没有演示账号"), "{printed}");
    set_password(folder, OWNER.0, OWN_PASSWORD);
    let again = sign_in(&site, (OWNER.0, OWN_PASSWORD)).await;
    assert!(is_in(&again), "{again:?}");
}

#[tokio::test]
async fn a_site_that_the_outside_reaches_has_no_demo_accounts() {
    let folder = folder();
    let mut command = program(folder.path());
    command.args(["--no-sandbox", "--public-host", "3d.example.com"]);
    let mut site = Site::opened(command);
    let printed = site.all_printed();
    assert!(printed.contains("没有演示账号"), "{printed}");
    for account in [OWNER, OTHER] {
        let answer = sign_in(&site, account).await;
        assert_eq!(answer.resp_code, i64::from(NOT_REGISTERED), "{answer:?}");
    }
}
