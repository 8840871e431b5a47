//! Comments on works.

use chassis::testing::{code_of, eventually, message_of, shapes};
use proto::code;
use proto::works::v1::*;
use tonic::Status;

use crate::support::{Running, named};

impl Running {
    pub async fn say(
        &self,
        user: &str,
        id: &str,
        parent: &str,
        content: &str,
    ) -> Result<WorkComment, Status> {
        let form = AddCommentRequest {
            works_id: id.to_owned(),
            parent_id: parent.to_owned(),
            content: content.to_owned(),
            ..Default::default()
        };
        let said = self.talk().add_comment(self.by(user, form)).await?;
        Ok(said.into_inner())
    }

    async fn comments(&self, user: &str, id: &str, root: &str) -> CommentPage {
        let form = CommentListRequest {
            works_id: id.to_owned(),
            root_id: root.to_owned(),
            ..Default::default()
        };
        let page = self.talk().comment_list(self.by(user, form)).await;
        page.expect("a page").into_inner()
    }

    async fn unsay(&self, user: &str, id: &str) -> Result<(), Status> {
        let form = CommentRequest {
            comment_id: id.to_owned(),
            ..Default::default()
        };
        let gone = self.talk().delete_comment(self.by(user, form)).await;
        gone.map(|_| ())
    }

    async fn reword(&self, user: &str, id: &str, content: &str) -> Result<WorkComment, Status> {
        let form = EditCommentRequest {
            comment_id: id.to_owned(),
            content: content.to_owned(),
            ..Default::default()
        };
        let edited = self.talk().edit_comment(self.by(user, form)).await?;
        Ok(edited.into_inner())
    }

    async fn received(&self, user: &str, kind: &str) -> Vec<CommentOnWork> {
        let form = ReceivedCommentsRequest {
            kind: kind.to_owned(),
            ..Default::default()
        };
        let page = self.talk().received_comments(self.by(user, form)).await;
        page.expect("a page").into_inner().results
    }
}

/// (MS007)
#[tokio::test(flavor = "multi_thread")]
async fn comments_have_answers_and_people_are_told() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.work("u1", "f1", named("齿轮")).await;
        let before = running.notifications().await;
        for (content, expected) in [
            ("", code::INVALID),
            ("  ", code::INVALID),
            ("a\u{202e}b", code::INVALID),
            ("赌博网站", code::TEXT_REFUSED),
        ] {
            let refused = running.say("u2", &id, "", content).await.unwrap_err();
            assert_eq!(code_of(&refused), expected, "{content:?}");
        }
        let long = running.say("u2", &id, "", &"长".repeat(501)).await;
        assert_eq!(code_of(&long.unwrap_err()), code::INVALID);
        assert_eq!(
            code_of(&running.say("u2", &id, "nothing", "在").await.unwrap_err()),
            code::NOT_FOUND
        );
        let first = running.say("u2", &id, "", "<b>齿形</b>准确").await.unwrap();
        assert_eq!(
            (first.content.as_str(), first.mine),
            ("<b>齿形</b>准确", true)
        );
        running.test.parts.clock.advance_ms(1_000);
        let answer = running
            .say("u1", &id, &first.comment_id, "谢谢")
            .await
            .unwrap();
        assert_eq!(answer.parent_nickname, "作者u2");
        assert!(answer.by_author);
        assert_eq!(answer.certified, "enterprise");
        running.test.parts.clock.advance_ms(1_000);
        let third = running
            .say("u3", &id, &answer.comment_id, "同意")
            .await
            .unwrap();
        assert_eq!(third.root_id, first.comment_id);
        assert_eq!(running.notifications().await - before, 3);
        running.say("u1", &id, "", "更新了").await.unwrap();
        assert_eq!(
            running.notifications().await - before,
            3,
            "nobody is told of one's own"
        );

        let page = running.comments("", &id, "").await;
        assert_eq!((page.total_count, page.comment_number), (2, 4));
        let shown = &page.results[1];
        assert_eq!((shown.reply_count, shown.replies.len()), (2, 2));
        assert_eq!(shown.replies[1].content, "同意");
        assert!(!shown.mine && !shown.editable);
        assert_eq!(
            running
                .comments("", &id, &first.comment_id)
                .await
                .total_count,
            2
        );
        assert_eq!(running.card("", &id).await.comment_number, 4);

        let to_author = running.received("u1", "comments").await;
        assert_eq!(to_author.len(), 1);
        assert_eq!(to_author[0].works_name, "齿轮");
        assert_eq!(
            to_author[0].prev_path,
            format!("/production/detail?worksId={id}")
        );
        let answers = running.received("u1", "replies").await;
        assert_eq!(answers[0].parent_content, "谢谢");
        assert_eq!(running.received("u2", "").await.len(), 1);
        let mine = running
            .talk()
            .my_comments(running.by("u3", MyCommentsRequest::default()))
            .await;
        assert_eq!(mine.unwrap().into_inner().total_count, 1);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_changed_for_a_while_and_leaves_its_place_when_it_was_answered() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.work("u1", "f1", named("齿轮")).await;
        let first = running.say("u2", &id, "", "齿形准确").await.unwrap();
        let answer = running
            .say("u3", &id, &first.comment_id, "是的")
            .await
            .unwrap();
        let root = first.comment_id.as_str();
        for stranger in ["u1", "u3"] {
            assert_eq!(
                code_of(&running.reword(stranger, root, "改").await.unwrap_err()),
                code::NOT_FOUND
            );
            assert_eq!(
                code_of(&running.unsay(stranger, root).await.unwrap_err()),
                code::NOT_FOUND
            );
        }
        let edited = running.reword("u2", root, "齿形很准确").await.unwrap();
        assert!(edited.edited_at > 0 && edited.content == "齿形很准确");
        assert_eq!(
            code_of(&running.reword("u2", root, "赌博网站").await.unwrap_err()),
            code::TEXT_REFUSED
        );
        running.test.parts.clock.advance_ms(16 * 60_000);
        let late = running.reword("u2", root, "再改").await.unwrap_err();
        assert_eq!(message_of(&late), "评论发出 15 分钟后不能再修改");

        running.unsay("u2", root).await.unwrap();
        let page = running.comments("u2", &id, "").await;
        assert_eq!((page.total_count, page.comment_number), (1, 1));
        let place = &page.results[0];
        assert_eq!(place.state, "deleted");
        assert!(place.content.is_empty() && place.user_id.is_empty() && !place.mine);
        assert_eq!(place.replies[0].content, "是的");
        assert_eq!(
            code_of(&running.say("u3", &id, root, "在吗").await.unwrap_err()),
            code::NOT_FOUND
        );
        running.unsay("u3", &answer.comment_id).await.unwrap();
        let page = running.comments("", &id, "").await;
        assert_eq!((page.total_count, page.comment_number), (0, 0));
        assert_eq!(running.number("SELECT heat FROM work").await, 0);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pin_keeps_the_bundle_that_was_looked_at() {
    for shape in shapes() {
        let running = Running::start(shape, false).await;
        let id = running.draft("u1", "f1", named("齿轮")).await;
        running.submit("u1", &id).await.unwrap();
        let pinned = |pin: &str, bundle: i32| AddCommentRequest {
            works_id: id.clone(),
            content: "这里".to_owned(),
            pin: pin.to_owned(),
            bundle,
            ..Default::default()
        };
        let place = r#"{"at": [1, 2, 3], "position": [4, 5, 6], "target": [0, 0, 0]}"#;
        for (pin, bundle) in [("{}", 0), ("[1]", 0), (place, 2), (place, -1)] {
            let refused = running
                .talk()
                .add_comment(running.by("u2", pinned(pin, bundle)))
                .await;
            assert_eq!(code_of(&refused.unwrap_err()), code::INVALID, "{pin}");
        }
        let said = running
            .talk()
            .add_comment(running.by("u2", pinned(place, 0)))
            .await;
        let pin = said.unwrap().into_inner().pin.unwrap();
        assert_eq!((pin.at, pin.bundle), (vec![1.0, 2.0, 3.0], 1));
        running.studio.has("u1", "f2", "ready");
        let replace = ReplaceWorkModelRequest {
            works_id: id.clone(),
            file_id: "f2".to_owned(),
            ..Default::default()
        };
        let replaced = running
            .authors()
            .replace_work_model(running.by("u1", replace))
            .await;
        replaced.unwrap();
        running.submit("u1", &id).await.unwrap();
        assert_eq!(
            running.detail("", &id).await.unwrap().model.unwrap().bundle,
            2
        );
        let page = running.comments("", &id, "").await;
        assert_eq!(page.results[0].pin.as_ref().unwrap().bundle, 1);

        let closed = SaveWorkRequest {
            works_id: id.clone(),
            comments_allowed: Some(false),
            ..Default::default()
        };
        running.save("u1", closed).await.unwrap();
        let refused = running.say("u2", &id, "", "还在吗").await.unwrap_err();
        assert_eq!(message_of(&refused), "作者没有开放评论");
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_are_all_counted() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.work("u1", "f1", named("齿轮")).await;
        let root = running.say("u2", &id, "", "开始").await.unwrap().comment_id;
        let all = (0..32).map(|one| {
            let (running, id, root) = (&running, &id, &root);
            async move {
                let user = format!("v{one}");
                let said = running.say(&user, id, root, "好").await.unwrap();
                if one % 2 == 0 {
                    running.unsay(&user, &said.comment_id).await.unwrap();
                }
            }
        });
        futures::future::join_all(all).await;
        let page = running.comments("", &id, "").await;
        assert_eq!((page.comment_number, page.results[0].reply_count), (17, 16));
        assert_eq!(running.number("SELECT COUNT(*) FROM comment").await, 17);
        eventually("all are told", || async {
            (running.notifications().await == 34).then_some(())
        })
        .await;
        running.test.finish().await;
    }
}
