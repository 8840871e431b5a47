//! A user closes the account: works are deleted, and what others see stays consistent.

use chassis::testing::{eventually, shapes};
use proto::auth::v1::AccountClosed;
use proto::works::v1::*;

use crate::support::{Running, named};

#[tokio::test(flavor = "multi_thread")]
async fn works_go_and_counters_stay_right() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let own = running.work("u1", "f1", named("自己的")).await;
        let other = running.work("u2", "f2", named("别人的")).await;
        let operate = |operate: &str| WorkOperateRequest {
            works_id: other.clone(),
            operate: operate.to_owned(),
            ..Default::default()
        };
        let mut gallery = running.gallery();
        gallery
            .like_work(running.by("u1", operate("LIKE")))
            .await
            .unwrap();
        gallery
            .like_work(running.by("u3", operate("LIKE")))
            .await
            .unwrap();
        gallery
            .collect_work(running.by("u1", operate("COLLECT")))
            .await
            .unwrap();
        let root = running.say("u1", &other, "", "走之前说的").await.unwrap();
        running
            .say("u3", &other, &root.comment_id, "回复")
            .await
            .unwrap();
        running.say("u1", &other, "", "没有人回复").await.unwrap();
        running.say("u3", &own, "", "会消失").await.unwrap();
        running
            .publish(
                "closed-1",
                &AccountClosed {
                    closure_id: "c1".to_owned(),
                    login_id: "u1".to_owned(),
                    pseudonym: "p1".to_owned(),
                    round: 1,
                },
            )
            .await;
        running
            .becomes(
                "SELECT COUNT(*) FROM outbox WHERE event_key = 'works.account.erased'",
                1,
            )
            .await;
        assert!(running.detail("u1", &own).await.is_err());
        let card = running.card("", &other).await;
        assert_eq!(
            (card.likenumber, card.collect_number, card.comment_number),
            (1, 0, 1)
        );
        let form = CommentListRequest {
            works_id: other.clone(),
            ..Default::default()
        };
        let page = running.talk().comment_list(running.by("", form)).await;
        let page = page.unwrap().into_inner();
        assert_eq!(page.total_count, 1);
        assert_eq!(
            (
                page.results[0].state.as_str(),
                page.results[0].content.as_str()
            ),
            ("deleted", "")
        );
        for (table, column) in [
            ("work", "owner"),
            ("comment", "owner"),
            ("comment", "addressee"),
            ("liked", "owner"),
            ("collected", "owner"),
        ] {
            let query = format!("SELECT COUNT(*) FROM {table} WHERE {column} = 'u1'");
            assert_eq!(running.number(&query).await, 0, "{table}.{column}");
        }
        eventually("the model is gone", || async {
            (!running.object(&format!("w/{own}/1/model.glb")).await).then_some(())
        })
        .await;
        running.test.finish().await;
    }
}
