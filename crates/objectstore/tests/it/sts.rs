//! The issuer for external stores, against a small STS that checks what AWS would check.

use std::time::Duration;

use objectstore::sign::{Signer, ToSign, sha256_hex};
use objectstore::{ClientConfig, Connection, CredentialIssuer, Grantee, StoreConfig, StoreError};
use time::OffsetDateTime;
use time::macros::format_description;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const SECRET: &str = "the secret of the platform at the outside store";

/// Serves `count` requests; returns the form of the last one.
async fn sts(listener: TcpListener, count: usize) -> Vec<(String, String)> {
    let mut form = Vec::new();
    for _ in 0..count {
        let (mut stream, _) = listener.accept().await.unwrap();
        let (head, body) = read_request(&mut stream).await;
        let good = is_signed(&head, &body);
        form = form_urlencoded_pairs(&body);
        let (status, xml) = if good {
            (
                "200 OK",
                "<AssumeRoleResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><AssumeRoleResult>\
                <Credentials><AccessKeyId>ASIATEST</AccessKeyId><SecretAccessKey>s/e+c</SecretAccessKey>\
                <SessionToken>tok&amp;en</SessionToken><Expiration>2026-11-21T03:04:05Z</Expiration></Credentials>\
                <AssumedRoleUser><Arn>a</Arn></AssumedRoleUser></AssumeRoleResult><ResponseMetadata>\
                <RequestId>r</RequestId></ResponseMetadata></AssumeRoleResponse>",
            )
        } else {
            (
                "403 Forbidden",
                "<ErrorResponse><Error><Type>Sender</Type><Code>SignatureDoesNotMatch</Code>\
                <Message>no</Message></Error></ErrorResponse>",
            )
        };
        let answer = format!(
            "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{xml}",
            xml.len()
        );
        stream.write_all(answer.as_bytes()).await.unwrap();
    }
    form
}

async fn read_request(stream: &mut tokio::net::TcpStream) -> (String, Vec<u8>) {
    let mut bytes = Vec::new();
    loop {
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.unwrap();
        assert!(read > 0);
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length: usize = header(head, "content-length").unwrap().parse().unwrap();
        if body.len() >= length {
            return (head.to_owned(), body.as_bytes().to_vec());
        }
    }
}

fn header(head: &str, name: &str) -> Option<String> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines
        .filter(|(n, _)| n.eq_ignore_ascii_case(name))
        .map(|(_, v)| v.trim().to_owned())
        .next()
}

/// Signs the received request again and compares.
fn is_signed(head: &str, body: &[u8]) -> bool {
    let signer = Signer {
        access_key: "PLATFORM".into(),
        secret_key: SECRET.into(),
        session_token: None,
        region: "cn-north-1".into(),
        service: "sts",
    };
    let format = format_description!("[year][month][day]T[hour][minute][second]Z");
    let date = header(head, "x-amz-date").unwrap();
    let now = time::PrimitiveDateTime::parse(&date, &format)
        .unwrap()
        .assume_utc();
    let to_sign = ToSign {
        method: "POST",
        host: &header(head, "host").unwrap(),
        path: "/",
        query: &[],
        headers: &[("content-type", "application/x-www-form-urlencoded")],
        payload: &sha256_hex(body),
    };
    let wanted = signer.sign(&to_sign, now).unwrap();
    let wanted = &wanted
        .iter()
        .find(|(name, _)| *name == "authorization")
        .unwrap()
        .1;
    (OffsetDateTime::now_utc() - now).abs() < Duration::from_secs(60)
        && head.starts_with("POST / HTTP/1.1")
        && header(head, "authorization").as_ref() == Some(wanted)
}

fn form_urlencoded_pairs(body: &[u8]) -> Vec<(String, String)> {
    form_urlencoded::parse(body).into_owned().collect()
}

async fn connect(secret: &str, address: &str) -> Connection {
    let config = ClientConfig {
        url: format!("s3:http://{address}"),
        region: "cn-north-1".into(),
        access_key: "PLATFORM".into(),
        secret_key: secret.into(),
        issuer: objectstore::IssuerKind::Sts,
        sts_role_arn: "arn:aws:iam::1:role/upload".into(),
        ..Default::default()
    };
    objectstore::connect(&config, &StoreConfig::default())
        .await
        .unwrap()
}

async fn issuer(secret: &str, address: &str) -> std::sync::Arc<dyn CredentialIssuer> {
    connect(secret, address).await.issuer
}

#[tokio::test]
async fn assume_role_with_a_policy_for_the_own_prefix() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = tokio::spawn(sts(listener, 1));
    let issuer = issuer(SECRET, &address).await;
    let made = issuer
        .issue("7", "u/7/", Duration::from_secs(1800))
        .await
        .unwrap();
    assert_eq!(
        (made.access_key.as_str(), made.secret_key.as_str()),
        ("ASIATEST", "s/e+c")
    );
    assert_eq!(made.session_token, "tok&en");
    assert_eq!(
        made.expiration,
        time::macros::datetime!(2026-11-21 03:04:05 UTC)
    );
    let form = serving.await.unwrap();
    let value = |name: &str| {
        form.iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
            .unwrap()
    };
    assert_eq!(
        (value("Action"), value("Version")),
        ("AssumeRole", "2011-06-15")
    );
    assert_eq!(
        (value("DurationSeconds"), value("RoleArn")),
        ("900", "arn:aws:iam::1:role/upload")
    );
    let policy: serde_json::Value = serde_json::from_str(value("Policy")).unwrap();
    assert_eq!(
        policy["Statement"][0]["Resource"][0],
        "arn:aws:s3:::xuanlan-private/u/7/*"
    );
    assert_eq!(
        policy["Statement"][1]["Condition"]["StringLike"]["s3:prefix"][0],
        "u/7/*"
    );
    assert!(!value("Policy").contains("Delete"));
}

#[tokio::test]
async fn a_refusal_and_an_unreachable_sts_are_distinguished() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = tokio::spawn(sts(listener, 1));
    let minute = Duration::from_secs(60);
    let refused = issuer("another secret of the platform", &address)
        .await
        .issue("7", "u/7/", minute)
        .await;
    assert!(
        matches!(&refused, Err(StoreError::Remote { status: 403, code, .. }) if code == "SignatureDoesNotMatch"),
        "{refused:?}"
    );
    serving.await.unwrap();
    let absent = issuer(SECRET, &address)
        .await
        .issue("7", "u/7/", minute)
        .await;
    assert!(
        matches!(absent, Err(StoreError::Connection(_))),
        "{absent:?}"
    );
    // No request is sent for a scope other than the user's own.
    let foreign = issuer(SECRET, &address)
        .await
        .issue("7", "u/8/", minute)
        .await;
    assert!(matches!(foreign, Err(StoreError::InvalidArgument(_))));
}

#[tokio::test]
async fn links_of_a_store_that_knows_no_sessions_live_for_a_minute() {
    let foreign = connect(SECRET, "127.0.0.1:9").await;
    let to = Grantee {
        user: "7",
        session: "a",
        left: None,
    };
    let hour = Duration::from_secs(3600);
    let link = foreign
        .store
        .presign_get_for(&to, "d/7/x", hour, None, None);
    assert!(link.unwrap().contains("X-Amz-Expires=60&"));
    // Pages for everybody keep theirs.
    let link = foreign.store.presign_get("d/7/x", hour, None, None);
    assert!(link.unwrap().contains("X-Amz-Expires=3600&"));
    foreign.issuer.revoke(&["a".into()]).await.unwrap();
}
