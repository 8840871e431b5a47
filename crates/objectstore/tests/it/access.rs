//! Access control over HTTP.

use std::time::Duration;

use objectstore::sign::{UNSIGNED_PAYLOAD, sha256_hex};
use objectstore::{ClientConfig, CredentialIssuer, EmbeddedIssuer};
use reqwest::Method;
use time::OffsetDateTime;

use crate::harness::{BUCKET, Caller, ROOT_KEY, ROOT_SECRET, TestStore, answer};

#[tokio::test]
async fn only_right_signatures_get_in() {
    let store = TestStore::start().await;
    store.root().put("u/1/x", "secret").await.expect(200);
    let unsigned = reqwest::Client::new().get(format!("{}/{BUCKET}/u/1/x", store.base()));
    answer(unsigned).await.refused(403, "AccessDenied");
    let wrong = Caller::new(
        &store.base(),
        ROOT_KEY,
        "another secret, also long enough",
        None,
    );
    wrong
        .get("u/1/x")
        .await
        .refused(403, "SignatureDoesNotMatch");
    let unknown = Caller::new(&store.base(), "NOBODY", ROOT_SECRET, None);
    unknown
        .get("u/1/x")
        .await
        .refused(403, "InvalidAccessKeyId");
    for minutes in [-20, 20] {
        let then = OffsetDateTime::now_utc() + time::Duration::minutes(minutes);
        let nothing = (sha256_hex(b""), Vec::new());
        let root = store.root();
        let late = root
            .call_at(
                then,
                Method::GET,
                "u/1/x",
                &[],
                &[],
                (&nothing.0, nothing.1),
            )
            .await;
        late.refused(403, "RequestTimeTooSkewed");
    }
    // The signature covers the body unless the client declares otherwise.
    let now = OffsetDateTime::now_utc();
    let root = store.root();
    let other = (sha256_hex(b"announced"), b"different".to_vec());
    let forged = root
        .call_at(now, Method::PUT, "u/1/y", &[], &[], (&other.0, other.1))
        .await;
    assert!(forged.status >= 400);
    assert_eq!(root.get("u/1/y").await.status, 404);
    root.call_at(
        now,
        Method::PUT,
        "u/1/y",
        &[],
        &[],
        (UNSIGNED_PAYLOAD, b"free".to_vec()),
    )
    .await
    .expect(200);
    assert_eq!(root.get("u/1/y").await.text(), "free");
    // Version 2 signatures and form posts are rejected.
    let v2 = reqwest::Client::new().get(format!("{}/{BUCKET}/u/1/x", store.base()));
    assert!(
        answer(v2.header("authorization", format!("AWS {ROOT_KEY}:c2ln")))
            .await
            .status
            >= 400
    );
    store.stop().await;
}

#[tokio::test]
async fn a_user_stays_below_the_own_prefix() {
    let store = TestStore::start().await;
    let root = store.root();
    root.put("u/2/theirs", "secret").await.expect(200);
    root.put("u/1", "not below").await.expect(200);
    root.put("u/10/x", "neighbour by name").await.expect(200);
    let user = store.user("1").await;
    user.put("u/1/mine", "mine").await.expect(200);
    assert_eq!(user.get("u/1/mine").await.expect(200).text(), "mine");
    for key in ["u/2/theirs", "u/10/x", "u/1", "u/1/", "other", "u/2/new"] {
        user.get(key).await.refused(403, "AccessDenied");
        assert_eq!(user.put(key, "x").await.status, 403, "{key}");
        let begin = user
            .call(Method::POST, key, &[("uploads", "")], &[], Vec::new())
            .await;
        begin.refused(403, "AccessDenied");
    }
    for query in [
        vec![],
        vec![("prefix", "")],
        vec![("prefix", "u/")],
        vec![("prefix", "u/1")],
        vec![("prefix", "u/2/")],
    ] {
        user.list(&query).await.refused(403, "AccessDenied");
        let mut uploads = query.clone();
        uploads.push(("uploads", ""));
        user.call(Method::GET, "", &uploads, &[], Vec::new())
            .await
            .refused(403, "AccessDenied");
        user.call(Method::GET, "", &query, &[], Vec::new())
            .await
            .refused(403, "AccessDenied");
    }
    let own = user.list(&[("prefix", "u/1/")]).await.expect(200);
    assert_eq!(crate::harness::elements(&own.text(), "Key"), ["u/1/mine"]);
    // Listing tokens cannot reach outside the prefix.
    let token = hex::encode("u/0");
    let bent = user
        .list(&[("prefix", "u/1/"), ("continuation-token", &token)])
        .await
        .expect(200);
    assert_eq!(crate::harness::elements(&bent.text(), "Key"), ["u/1/mine"]);
    // Deleting, copying and bucket operations are not permitted to users.
    user.call(Method::DELETE, "u/1/mine", &[], &[], Vec::new())
        .await
        .refused(403, "AccessDenied");
    let source = [("x-amz-copy-source", "xuanlan-private/u/2/theirs")];
    user.call(Method::PUT, "u/1/stolen", &[], &source, Vec::new())
        .await
        .refused(403, "AccessDenied");
    let id = user.begin("u/1/stolen").await;
    let part = [("partNumber", "1"), ("uploadId", id.as_str())];
    user.call(Method::PUT, "u/1/stolen", &part, &source, Vec::new())
        .await
        .refused(403, "AccessDenied");
    let bucket = user.call(Method::PUT, "", &[], &[], Vec::new()).await;
    assert_eq!(bucket.status, 403);
    user.call(
        Method::POST,
        "",
        &[("delete", "")],
        &[],
        b"<Delete/>".to_vec(),
    )
    .await
    .refused(403, "AccessDenied");
    assert_eq!(root.get("u/2/theirs").await.text(), "secret");
    store.stop().await;
}

#[tokio::test]
async fn tokens_expire_and_belong_to_their_key() {
    let store = TestStore::start().await;
    let issuer = EmbeddedIssuer::new(ROOT_SECRET, BUCKET).unwrap();
    let short = issuer
        .issue("1", "u/1/", Duration::from_secs(1))
        .await
        .unwrap();
    let caller = Caller::of(&store.base(), &short);
    while OffsetDateTime::now_utc() < short.expiration {
        tokio::task::yield_now().await;
    }
    caller.get("u/1/x").await.refused(400, "ExpiredToken");

    let (one, two) = (store.credentials("1").await, store.credentials("2").await);
    let mixed = Caller::new(
        &store.base(),
        &one.access_key,
        &one.secret_key,
        Some(two.session_token.clone()),
    );
    mixed.get("u/2/x").await.refused(400, "InvalidToken");
    let bare = Caller::new(&store.base(), &one.access_key, &one.secret_key, None);
    bare.get("u/1/x").await.refused(400, "InvalidToken");
    let other_store =
        EmbeddedIssuer::new("the secret of another store altogether", BUCKET).unwrap();
    let foreign = other_store
        .issue("1", "u/1/", Duration::from_secs(60))
        .await
        .unwrap();
    Caller::of(&store.base(), &foreign)
        .get("u/1/x")
        .await
        .refused(403, "SignatureDoesNotMatch");
    store.stop().await;
}

#[tokio::test]
async fn a_presigned_url_is_good_for_one_thing() {
    let store = TestStore::start().await;
    let root = store.root();
    root.put("u/2/theirs", "secret").await.expect(200);
    let objects = store.embedded.objects(BUCKET).unwrap();
    let minute = Duration::from_secs(60);
    let url = objects.presign_put("u/1/x", minute).unwrap();
    let http = reqwest::Client::new();
    // Unsigned headers must not turn a put into a copy with the signer's rights.
    let source = http
        .put(&url)
        .header("x-amz-copy-source", "xuanlan-private/u/2/theirs");
    answer(source.try_clone().unwrap())
        .await
        .refused(403, "AccessDenied");
    let vouched = "AWS4-HMAC-SHA256 Credential=a/b/c/s3/aws4_request, SignedHeaders=x-amz-copy-source, Signature=0";
    assert_eq!(
        answer(source.header("authorization", vouched)).await.status,
        403
    );
    assert_eq!(root.get("u/1/x").await.status, 404);
    answer(http.put(&url).body("fine")).await.expect(200);
    assert_eq!(root.get("u/1/x").await.text(), "fine");
    answer(http.get(&url))
        .await
        .refused(403, "SignatureDoesNotMatch");
    answer(http.put(url.replace("/u/1/x", "/u/2/theirs")).body("x"))
        .await
        .refused(403, "SignatureDoesNotMatch");
    let read = objects.presign_get("u/1/x", minute, None, None).unwrap();
    answer(http.get(&read)).await.expect(200);
    // Signed two minutes ago for one.
    let path = format!("/{BUCKET}/u/1/x");
    let of_then = OffsetDateTime::now_utc() - 2 * minute;
    let read = root
        .signer
        .presign(("GET", &root.base, &path), &[], minute, of_then)
        .unwrap();
    answer(http.get(&read)).await.refused(403, "AccessDenied");
    store.stop().await;
}

#[tokio::test]
async fn any_process_that_knows_the_root_secret_issues_for_the_store() {
    let store = TestStore::start().await;
    let remote = store.client().await;
    assert_eq!(remote.issuer.bucket(), BUCKET);
    let made = remote
        .issuer
        .issue("5", "u/5/", Duration::from_secs(60))
        .await
        .unwrap();
    let user = Caller::of(&store.base(), &made);
    user.put("u/5/x", "x").await.expect(200);
    user.put("u/6/x", "x").await.refused(403, "AccessDenied");
    let nonsense = ClientConfig {
        url: "ftp://x".into(),
        ..Default::default()
    };
    assert!(
        objectstore::connect(&nonsense, &store.config)
            .await
            .is_err()
    );
    store.stop().await;
}
