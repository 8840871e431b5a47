//! Works of their authors: created from a file, reviewed, edited, withdrawn, deleted.

use chassis::testing::{code_of, eventually, message_of, shapes};
use proto::code;
use proto::works::v1::*;

use crate::support::{Running, named, own};

#[tokio::test(flavor = "multi_thread")]
async fn a_draft_is_made_of_the_callers_checked_file_and_published_by_an_operator() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        running.studio.has("u1", "raw", "unchecked");
        running.studio.has("u1", "f1", "ready");
        for (user, file, expected) in [
            ("u2", "f1", code::NOT_FOUND),
            ("u1", "nothing", code::NOT_FOUND),
            ("u1", "", code::NOT_FOUND),
            ("u1", "raw", code::CONFLICT),
        ] {
            let refused = running.create(user, file).await.unwrap_err();
            assert_eq!(code_of(&refused), expected, "{user} {file}");
        }
        assert_eq!(running.number("SELECT COUNT(*) FROM work").await, 0);

        let made = running.create("u1", "f1").await.unwrap();
        let card = made.card.clone().unwrap();
        let id = card.id.clone();
        assert_eq!(
            (made.state.as_str(), card.name.as_str()),
            ("draft", "模型 f1")
        );
        assert_eq!(made.model_state, "ready");
        assert!(!made.model.unwrap().model_url.is_empty());
        assert_eq!(made.missing, ["请选择分类"]);
        // Only its owner can view it before it is published.
        assert_eq!(running.detail("u1", &id).await.unwrap().state, "draft");
        for stranger in ["", "u2"] {
            let hidden = running.detail(stranger, &id).await.unwrap_err();
            assert_eq!(code_of(&hidden), code::NOT_FOUND);
        }
        let refused = running.submit("u1", &id).await.unwrap_err();
        assert_eq!(message_of(&refused), "请选择分类");
        let form = SaveWorkRequest {
            works_id: id.clone(),
            name: Some("行星齿轮组".to_owned()),
            category_id: Some("wc01".to_owned()),
            labels: Some("齿轮，传动,齿轮".to_owned()),
            scene: Some(
                r##"{"format":"xlscene","version":1,"background":{"color":"#102030"}}"##.to_owned(),
            ),
            ..Default::default()
        };
        for other in [
            SaveWorkRequest {
                scene: Some("{\"format\":\"xlscene\",\"version\":7}".to_owned()),
                ..form.clone()
            },
            SaveWorkRequest {
                name: Some("长".repeat(51)),
                ..form.clone()
            },
            SaveWorkRequest {
                category_id: Some("wi01".to_owned()),
                ..form.clone()
            },
            SaveWorkRequest {
                r#type: Some(9),
                ..form.clone()
            },
        ] {
            let refused = running.save("u1", other).await.unwrap_err();
            assert_eq!(code_of(&refused), code::INVALID);
        }
        let saved = running.save("u1", form).await.unwrap();
        assert_eq!(saved.card.clone().unwrap().labels, ["齿轮", "传动"]);
        let old = SaveWorkRequest {
            works_id: id.clone(),
            revision: saved.revision - 1,
            ..named("另一个")
        };
        assert_eq!(
            code_of(&running.save("u1", old).await.unwrap_err()),
            code::CONFLICT
        );

        assert_eq!(running.submit("u1", &id).await.unwrap().state, "review");
        let waiting = running
            .save(
                "u1",
                SaveWorkRequest {
                    works_id: id.clone(),
                    ..named("改")
                },
            )
            .await;
        assert_eq!(code_of(&waiting.unwrap_err()), code::CONFLICT);
        running.decide(&id, "refuse").await.unwrap();
        let refused = running.mine("u1", &id).await.unwrap();
        assert_eq!(
            (refused.state.as_str(), refused.reason.as_str()),
            ("refused", "封面看不清")
        );
        running.submit("u1", &id).await.unwrap();
        running.decide(&id, "approve").await.unwrap();
        assert_eq!(
            code_of(&running.decide(&id, "approve").await.unwrap_err()),
            code::CONFLICT
        );
        assert_eq!(running.notifications().await, 2, "refused, approved");
        let shown = running.detail("", &id).await.unwrap();
        assert_eq!(shown.state, "published");
        assert!(shown.scene.contains("#102030"));
        let model = shown.model.unwrap();
        assert!(!model.model_url.is_empty() && model.download_url.is_empty());
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_a_published_work_are_seen_once_they_are_approved() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.work("u1", "f1", named("旧名")).await;
        let change = SaveWorkRequest {
            works_id: id.clone(),
            download_allowed: Some(true),
            ..named("新名")
        };
        let saved = running.save("u1", change.clone()).await.unwrap();
        assert_eq!(
            (saved.state.as_str(), saved.edit_state.as_str()),
            ("published", "editing")
        );
        let shown = running.detail("", &id).await.unwrap();
        assert_eq!(shown.card.unwrap().name, "旧名");
        assert!(!shown.model.unwrap().download_url.is_empty(), "at once");
        // Changed back to what is published: there is nothing to submit.
        let back = SaveWorkRequest {
            works_id: id.clone(),
            ..named("旧名")
        };
        assert_eq!(running.save("u1", back).await.unwrap().edit_state, "");
        running.save("u1", change).await.unwrap();

        // Another model: the address stays, the bundle is new, and the old one is removed once unused.
        running.studio.has("u1", "f2", "ready");
        let replace = |file: &str| ReplaceWorkModelRequest {
            works_id: id.clone(),
            file_id: file.to_owned(),
            ..Default::default()
        };
        let strange = running
            .authors()
            .replace_work_model(running.by("u1", replace("none")))
            .await;
        assert_eq!(code_of(&strange.unwrap_err()), code::NOT_FOUND);
        let replaced = running
            .authors()
            .replace_work_model(running.by("u1", replace("f2")))
            .await;
        let number = replaced.unwrap().into_inner().model.unwrap().bundle;
        assert_eq!(
            running.detail("", &id).await.unwrap().model.unwrap().bundle,
            1
        );
        running.submit("u1", &id).await.unwrap();
        running.decide(&id, "approve").await.unwrap();
        let shown = running.detail("", &id).await.unwrap();
        assert_eq!(shown.card.unwrap().name, "新名");
        assert_eq!(shown.model.unwrap().bundle, number);
        let first = format!("w/{id}/1/model.glb");
        eventually("the first model is gone", || async {
            (!running.object(&first).await).then_some(())
        })
        .await;
        assert!(running.object(&format!("w/{id}/{number}/model.glb")).await);

        running
            .authors()
            .withdraw_work(running.by("u1", own(&id)))
            .await
            .unwrap();
        assert!(running.detail("", &id).await.is_err());
        assert_eq!(
            running
                .list("", WorkListRequest::default())
                .await
                .total_count,
            0
        );
        running
            .authors()
            .relist_work(running.by("u1", own(&id)))
            .await
            .unwrap();
        assert!(running.detail("", &id).await.is_ok());
        let strange = running
            .authors()
            .delete_work(running.by("u2", own(&id)))
            .await;
        assert_eq!(code_of(&strange.unwrap_err()), code::NOT_FOUND);
        running
            .authors()
            .delete_work(running.by("u1", own(&id)))
            .await
            .unwrap();
        eventually("nothing is left in the store", || async {
            let key = format!("w/{id}/{number}/model.glb");
            (!running.object(&key).await).then_some(())
        })
        .await;
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_private_work_is_its_owners_alone_and_an_unlisted_one_is_for_whoever_knows_it() {
    for shape in shapes() {
        let running = Running::start(shape, false).await;
        let id = running.draft("u1", "f1", named("齿轮")).await;
        assert_eq!(running.submit("u1", &id).await.unwrap().state, "published");
        let set = async |visibility: &str| {
            let form = SaveWorkRequest {
                works_id: id.clone(),
                visibility: Some(visibility.to_owned()),
                ..Default::default()
            };
            running.save("u1", form).await.unwrap();
        };
        let listed = async || {
            running
                .list("u1", WorkListRequest::default())
                .await
                .total_count
        };
        assert_eq!(listed().await, 1);
        set("unlisted").await;
        assert_eq!(listed().await, 0);
        assert!(running.detail("", &id).await.is_ok());
        set("private").await;
        assert_eq!(listed().await, 0);
        assert!(running.detail("u1", &id).await.unwrap().mine);
        for stranger in ["", "u2"] {
            assert!(running.detail(stranger, &id).await.is_err());
            let form = WorkNeighboursRequest {
                works_id: id.clone(),
                ..Default::default()
            };
            let beside = running
                .gallery()
                .other_works(running.by(stranger, form))
                .await;
            assert_eq!(code_of(&beside.unwrap_err()), code::NOT_FOUND);
        }
        let like = WorkOperateRequest {
            works_id: id.clone(),
            operate: "LIKE".to_owned(),
            ..Default::default()
        };
        let refused = running.gallery().like_work(running.by("u2", like)).await;
        assert_eq!(code_of(&refused.unwrap_err()), code::NOT_FOUND);
        running.test.finish().await;
    }
}

/// A missing picture is waited for, and a file deleted meanwhile is reported.
#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_is_not_ready_is_asked_for_again() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        running.studio.has("u1", "f1", "waiting");
        running.studio.has("u1", "f2", "waiting");
        let [first, second] = [
            running.create("u1", "f1").await.unwrap(),
            running.create("u1", "f2").await.unwrap(),
        ];
        assert_eq!(first.model_state, "making");
        running.studio.has("u1", "f1", "ready");
        running
            .studio
            .files
            .lock()
            .unwrap()
            .remove(&("u1".to_owned(), "f2".to_owned()));
        let state = async |work: &MyWork, expected: &'static str| {
            let id = &work.card.as_ref().unwrap().id;
            eventually(expected, || async {
                running.test.parts.clock.advance_ms(5_000);
                let found = running.mine("u1", id).await.unwrap();
                (found.model_state == expected).then_some(found)
            })
            .await
        };
        let first = state(&first, "ready").await.card.unwrap().id;
        let named = running.mine("u1", &first).await.unwrap();
        assert_eq!(named.card.unwrap().name, "模型 f1");
        let failed = state(&second, "failed").await;
        assert_eq!(failed.model_reason, "源文件已被删除，请选择其他文件");
        running.test.finish().await;
    }
}
