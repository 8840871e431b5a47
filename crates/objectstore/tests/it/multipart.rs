//! Multipart uploads.

use objectstore::sign::sha256_hex;
use reqwest::Method;

use crate::harness::{BUCKET, Caller, TestStore, elements, noise};

const PART: usize = 64 * 1024;

fn etag(answer: &crate::harness::Answer) -> String {
    answer.header("etag").to_owned()
}

#[tokio::test]
async fn two_keys_at_once_and_renewed_credentials_in_the_middle() {
    let store = TestStore::start().await;
    let mut tasks = Vec::new();
    for n in 0..2u64 {
        let (first, second) = (store.user("1").await, store.user("1").await);
        tasks.push(tokio::spawn(async move {
            let key = format!("u/1/模型-{n}.glb");
            let parts: Vec<Vec<u8>> = (0..4)
                .map(|p| noise(n * 10 + p, PART + p as usize))
                .collect();
            let id = first.begin(&key).await;
            let mut done = Vec::new();
            for (p, part) in parts.iter().enumerate() {
                // The second half is sent with other credentials of the same user.
                let caller = if p < 2 { &first } else { &second };
                let answer = caller
                    .part(&key, &id, p as u32 + 1, part.clone())
                    .await
                    .expect(200);
                done.push((p as u32 + 1, etag(&answer)));
            }
            let listed = second
                .list_parts(&key, &id, &[("max-parts", "3")])
                .await
                .expect(200);
            assert_eq!(elements(&listed.text(), "PartNumber"), ["1", "2", "3"]);
            assert_eq!(listed.element("IsTruncated").as_deref(), Some("true"));
            let rest = second
                .list_parts(&key, &id, &[("part-number-marker", "3")])
                .await
                .expect(200);
            assert_eq!(elements(&rest.text(), "ETag"), [done[3].1.clone()]);
            let finished = second
                .complete(&key, &id, &done)
                .await
                .expect(200)
                .element("ETag")
                .unwrap();
            assert!(finished.ends_with("-4\""), "{finished}");
            // Completing again returns the same, also with older credentials.
            let again = first
                .complete(&key, &id, &done)
                .await
                .expect(200)
                .element("ETag")
                .unwrap();
            assert_eq!(again, finished);
            first
                .complete(&key, &id, &done[..3])
                .await
                .refused(404, "NoSuchUpload");
            let whole: Vec<u8> = parts.concat();
            let got = first.get(&key).await.expect(200);
            assert!(got.body == whole);
            assert_eq!(got.header("x-amz-meta-sha256"), sha256_hex(&whole));
            assert_eq!(got.header("etag"), finished);
            let range = first
                .call(
                    Method::GET,
                    &key,
                    &[],
                    &[("range", "bytes=65530-65545")],
                    Vec::new(),
                )
                .await;
            assert_eq!(range.expect(206).body, whole[65530..65546]);
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    store.stop().await;
}

#[tokio::test]
async fn parts_are_replaced_checked_and_demanded() {
    let store = TestStore::start().await;
    let user = store.user("1").await;
    let key = "u/1/x";
    let id = user.begin(key).await;
    let old = etag(&user.part(key, &id, 1, noise(1, PART)).await.expect(200));
    let new = etag(&user.part(key, &id, 1, noise(2, PART)).await.expect(200));
    let second = etag(&user.part(key, &id, 2, noise(3, 10)).await.expect(200));
    let listed = user.list_parts(key, &id, &[]).await.expect(200).text();
    assert_eq!(elements(&listed, "ETag"), [new.clone(), second.clone()]);
    user.complete(key, &id, &[(1, old), (2, second.clone())])
        .await
        .refused(400, "InvalidPart");
    user.complete(key, &id, &[(1, new.clone()), (3, second.clone())])
        .await
        .refused(400, "InvalidPart");
    user.complete(key, &id, &[(2, second.clone()), (1, new.clone())])
        .await
        .refused(400, "InvalidPartOrder");
    user.complete(key, &id, &[])
        .await
        .refused(400, "MalformedXML");
    // Only the last part may be small.
    let third = etag(&user.part(key, &id, 3, noise(4, 10)).await.expect(200));
    let all = [(1, new.clone()), (2, second.clone()), (3, third)];
    user.complete(key, &id, &all)
        .await
        .refused(400, "EntityTooSmall");
    user.part(key, &id, 0, vec![1])
        .await
        .refused(400, "InvalidArgument");
    user.part(key, &id, 10_001, vec![1])
        .await
        .refused(400, "InvalidArgument");
    user.complete(key, &id, &[(1, new), (2, second)])
        .await
        .expect(200);
    assert_eq!(
        user.get(key).await.body,
        [noise(2, PART), noise(3, 10)].concat()
    );
    user.part(key, &id, 1, vec![1])
        .await
        .refused(404, "NoSuchUpload");
    user.abort(key, &id).await.refused(404, "NoSuchUpload");
    store.stop().await;
}

#[tokio::test]
async fn a_part_with_a_wrong_digest_or_size_is_not_kept() {
    let store = TestStore::start_with(|config| config.max_object_bytes = 200_000).await;
    let user = store.user("1").await;
    let key = "u/1/x";
    let id = user.begin(key).await;
    let place = [("partNumber", "1"), ("uploadId", id.as_str())];
    let wrong = [
        ("content-md5", "AAAAAAAAAAAAAAAAAAAAAA==", "BadDigest"),
        ("content-md5", "nonsense", "InvalidDigest"),
        ("x-amz-checksum-crc32", "AAAAAA==", "BadDigest"),
        (
            "x-amz-checksum-sha256",
            "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
            "BadDigest",
        ),
    ];
    for (name, value, code) in wrong {
        user.call(
            Method::PUT,
            key,
            &place,
            &[(name, value)],
            b"content".to_vec(),
        )
        .await
        .refused(400, code);
    }
    user.part(key, &id, 1, vec![0; 200_001])
        .await
        .refused(400, "EntityTooLarge");
    assert!(
        elements(
            &user.list_parts(key, &id, &[]).await.expect(200).text(),
            "ETag"
        )
        .is_empty()
    );
    // The sum of all parts is limited as well.
    user.part(key, &id, 1, vec![0; 150_000]).await.expect(200);
    user.part(key, &id, 2, vec![0; 60_000])
        .await
        .refused(400, "EntityTooLarge");
    user.part(key, &id, 1, vec![1; 150_000]).await.expect(200);
    user.call(
        Method::PUT,
        key,
        &[("partNumber", "2"), ("uploadId", &id)],
        &[("content-md5", "mgNkuembtIDdJeHwKEyFVQ==")],
        b"content".to_vec(),
    )
    .await
    .expect(200);
    store.stop().await;
}

#[tokio::test]
async fn an_upload_does_not_exist_for_others() {
    let store = TestStore::start_with(|config| config.max_open_uploads_per_user = 2).await;
    let (one, two) = (store.user("1").await, store.user("2").await);
    let id = one.begin("u/1/x").await;
    let part = etag(&one.part("u/1/x", &id, 1, vec![1]).await.expect(200));
    two.list_parts("u/1/x", &id, &[])
        .await
        .refused(403, "AccessDenied");
    two.part("u/1/x", &id, 1, vec![2])
        .await
        .refused(403, "AccessDenied");
    two.complete("u/1/x", &id, &[(1, part.clone())])
        .await
        .refused(403, "AccessDenied");
    two.abort("u/1/x", &id).await.refused(403, "AccessDenied");
    // An id is not found under a key of the caller's own.
    two.list_parts("u/2/x", &id, &[])
        .await
        .refused(404, "NoSuchUpload");
    two.part("u/2/x", &id, 1, vec![2])
        .await
        .refused(404, "NoSuchUpload");
    two.complete("u/2/x", &id, &[(1, part.clone())])
        .await
        .refused(404, "NoSuchUpload");
    one.list_parts("u/1/x", "../../../objects", &[])
        .await
        .refused(404, "NoSuchUpload");
    let uploads = async |caller: &Caller, prefix| {
        let query = [("uploads", ""), ("prefix", prefix)];
        elements(
            &caller
                .call(Method::GET, "", &query, &[], Vec::new())
                .await
                .expect(200)
                .text(),
            "UploadId",
        )
    };
    assert_eq!(uploads(&one, "u/1/").await, [id.as_str()]);
    assert!(uploads(&two, "u/2/").await.is_empty());
    let other = one.begin("u/1/y").await;
    one.call(Method::POST, "u/1/z", &[("uploads", "")], &[], Vec::new())
        .await
        .refused(403, "TooManyObjects");
    two.begin("u/2/x").await;
    let page = [("uploads", ""), ("prefix", "u/1/"), ("max-uploads", "1")];
    let first = one
        .call(Method::GET, "", &page, &[], Vec::new())
        .await
        .expect(200);
    assert_eq!(first.element("NextKeyMarker").as_deref(), Some("u/1/x"));
    let marks = [
        ("uploads", ""),
        ("prefix", "u/1/"),
        ("key-marker", "u/1/x"),
        ("upload-id-marker", id.as_str()),
    ];
    let next = one
        .call(Method::GET, "", &marks, &[], Vec::new())
        .await
        .expect(200);
    assert_eq!(elements(&next.text(), "UploadId"), [other.as_str()]);
    one.abort("u/1/y", &other).await.expect(204);
    assert_eq!(uploads(&one, "u/1/").await, [id.as_str()]);
    one.complete("u/1/x", &id, &[(1, part)]).await.expect(200);
    assert!(uploads(&one, "u/1/").await.is_empty());
    store.stop().await;
}

#[tokio::test]
async fn presigned_parts_need_no_credentials_in_the_browser() {
    let store = TestStore::start().await;
    let user = store.user("1").await;
    let id = user.begin("u/1/x").await;
    let objects = store.embedded.objects(BUCKET).unwrap();
    let url = objects
        .presign_part("u/1/x", &id, 1, std::time::Duration::from_secs(60))
        .unwrap();
    let put = crate::harness::answer(reqwest::Client::new().put(url).body("content"))
        .await
        .expect(200);
    user.complete("u/1/x", &id, &[(1, etag(&put))])
        .await
        .expect(200);
    assert_eq!(user.get("u/1/x").await.text(), "content");
    store.stop().await;
}

#[tokio::test]
async fn what_nobody_comes_back_for_is_collected() {
    let store = TestStore::start().await;
    let user = store.user("1").await;
    let id = user.begin("u/1/x").await;
    user.part("u/1/x", &id, 1, noise(1, PART)).await.expect(200);
    let bucket = store.config.root.join("buckets").join(BUCKET);
    user.put("u/1/kept", "kept").await.expect(200);
    let orphan = walk(&bucket.join("objects"))
        .into_iter()
        .find(|p| p.ends_with("object.json"))
        .unwrap();
    let orphan = orphan.with_file_name("0123456789abcdef-0");
    std::fs::write(&orphan, "left by a kill").unwrap();
    store
        .embedded
        .sweep(std::time::Duration::from_secs(3600))
        .await;
    user.list_parts("u/1/x", &id, &[]).await.expect(200);
    assert!(!orphan.exists());
    store.embedded.sweep(std::time::Duration::ZERO).await;
    user.list_parts("u/1/x", &id, &[])
        .await
        .refused(404, "NoSuchUpload");
    assert!(walk(&bucket.join("uploads")).is_empty());
    assert_eq!(user.get("u/1/kept").await.expect(200).text(), "kept");
    store.stop().await;
}

/// All files below a folder.
pub fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(walk(&path));
        } else {
            files.push(path);
        }
    }
    files
}
