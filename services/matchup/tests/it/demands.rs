//! Needs: each state and each actor, including strangers. covers: X344 X345 X346 X347 X348 X349 X350 X355 X356

use bytes::Bytes;
use chassis::testing::{eventually, shapes};
use proto::code;
use proto::matchup::v1::*;

use crate::support::{DAY, Running, code_of, demand, message_of};

#[tokio::test(flavor = "multi_thread")]
async fn a_need_is_whole_before_it_is_handed_in() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        assert_eq!(
            code_of(running.save("u1", running.need("没有说过身份")).await),
            code::CONFLICT
        );
        running.is_a("u1", 1).await;
        let whole = running.need("减速机轻量化");
        let bad = |change: fn(&mut SaveDemandRequest)| {
            let mut form = whole.clone();
            change(&mut form);
            form
        };
        for (form, expected) in [
            (bad(|one| one.category = "别的".to_owned()), code::INVALID),
            (bad(|one| one.industry = "别的".to_owned()), code::INVALID),
            (bad(|one| one.title = "长".repeat(61)), code::INVALID),
            (bad(|one| one.content = "长".repeat(3001)), code::INVALID),
            (
                bad(|one| one.title = "a\u{202e}bcd".to_owned()),
                code::INVALID,
            ),
            (
                bad(|one| one.content = "赌博网站".to_owned()),
                code::TEXT_REFUSED,
            ),
            (bad(|one| one.budget_low = 9000), code::INVALID),
            (bad(|one| one.budget_high = 100_000_001), code::INVALID),
            (bad(|one| one.budget_low = -1), code::INVALID),
            (bad(|one| one.until += 400 * DAY), code::INVALID),
            (bad(|one| one.contact = "9".repeat(101)), code::INVALID),
            (
                bad(|one| one.title = "加微信 maker_01 详谈".to_owned()),
                code::INVALID,
            ),
        ] {
            assert_eq!(
                code_of(running.save("u1", form.clone()).await),
                expected,
                "{form:?}"
            );
        }
        for (change, said) in [
            (bad(|one| one.category.clear()), "类别"),
            (bad(|one| one.title = "短".to_owned()), "标题"),
            (bad(|one| one.content = "太短".to_owned()), "说明"),
            (bad(|one| one.contact.clear()), "联系方式"),
            (bad(|one| one.until = 0), "截止"),
        ] {
            let id = running.save("u1", change).await.unwrap().demand_id;
            let refused = running.submit("u1", &id).await;
            let refused = message_of(refused);
            assert!(refused.contains(said), "{refused}");
            running
                .demands()
                .delete_demand(running.by("u1", demand(&id)))
                .await
                .unwrap();
        }
        assert_eq!(running.number("SELECT COUNT(*) FROM demand").await, 0);
        running.test.finish().await;
    }
}

/// What the owner, a user who has offered, and a stranger may do in each state.
#[tokio::test(flavor = "multi_thread")]
async fn each_state_each_actor_and_strangers() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        running.provider("p1").await;
        running.provider("p2").await;
        let id = running.draft("u1", "减速机轻量化").await;
        let strangers = ["", "p1", "u2"];
        let unseen = async |id: &str| {
            for stranger in strangers {
                let seen = running.detail(stranger, id).await;
                assert_eq!(code_of(seen), code::NOT_FOUND, "{stranger:?}");
            }
        };
        // Draft: visible to the owner only.
        unseen(&id).await;
        assert_eq!(
            code_of(running.offer("p1", &id, 100).await),
            code::NOT_FOUND
        );
        assert_eq!(code_of(running.withdraw("u1", &id).await), code::CONFLICT);
        assert_eq!(code_of(running.close("u1", &id).await), code::CONFLICT);
        assert_eq!(code_of(running.rate("u1", &id, 5).await), code::CONFLICT);
        for stranger in ["p1", "u2"] {
            running.is_a(stranger, 3).await;
            let form = SaveDemandRequest {
                demand_id: id.clone(),
                ..running.need("抢来的需求")
            };
            assert_eq!(code_of(running.save(stranger, form).await), code::NOT_FOUND);
            assert_eq!(
                code_of(running.submit(stranger, &id).await),
                code::NOT_FOUND
            );
            assert_eq!(
                code_of(running.withdraw(stranger, &id).await),
                code::NOT_FOUND
            );
            assert_eq!(code_of(running.close(stranger, &id).await), code::NOT_FOUND);
            assert_eq!(
                code_of(running.rate(stranger, &id, 5).await),
                code::NOT_FOUND
            );
            let gone = running
                .demands()
                .delete_demand(running.by(stranger, demand(&id)))
                .await;
            assert_eq!(code_of(gone), code::NOT_FOUND);
        }
        // Review: no other user sees it, and it cannot be changed.
        assert_eq!(running.submit("u1", &id).await.unwrap().state, "review");
        assert_eq!(code_of(running.submit("u1", &id).await), code::CONFLICT);
        unseen(&id).await;
        let form = SaveDemandRequest {
            demand_id: id.clone(),
            ..running.need("改一改标题")
        };
        assert_eq!(
            code_of(running.save("u1", form.clone()).await),
            code::CONFLICT
        );
        // Refused: the owner sees the reason, edits and submits again.
        running.decide(&id, "refuse").await.unwrap();
        let refused = running.detail("u1", &id).await.unwrap();
        assert_eq!(
            (refused.state.as_str(), refused.reason.as_str()),
            ("refused", "交付标准不清楚")
        );
        unseen(&id).await;
        running.save("u1", form).await.unwrap();
        running.submit("u1", &id).await.unwrap();
        running.decide(&id, "approve").await.unwrap();
        assert_eq!(
            code_of(running.decide(&id, "approve").await),
            code::CONFLICT
        );
        // Open: visible to all, without the contact.
        for anybody in strangers {
            let seen = running.detail(anybody, &id).await.unwrap();
            assert_eq!(
                (seen.state.as_str(), seen.title.as_str()),
                ("open", "改一改标题")
            );
            assert!(!format!("{seen:?}").contains("13800138000"), "{anybody:?}");
        }
        assert_eq!(
            running.detail("u1", &id).await.unwrap().own_contact,
            "13800138000"
        );
        let gone = running
            .demands()
            .delete_demand(running.by("u1", demand(&id)))
            .await;
        assert_eq!(code_of(gone), code::CONFLICT);
        // Withdrawn: users who have offered are notified, and their offers are lost.
        running.offer("p2", &id, 4000).await.unwrap();
        let before = running.notifications().await;
        assert_eq!(
            running.withdraw("u1", &id).await.unwrap().state,
            "withdrawn"
        );
        assert_eq!(running.notifications().await - before, 1);
        unseen(&id).await;
        assert_eq!(code_of(running.detail("p2", &id).await), code::NOT_FOUND);
        assert_eq!(
            code_of(running.offer("p2", &id, 4000).await),
            code::CONFLICT
        );
        running.submit("u1", &id).await.unwrap();
        running.decide(&id, "approve").await.unwrap();
        running.offer("p2", &id, 3900).await.unwrap();
        // Expired: by time only.
        running.test.parts.clock.advance_ms(11 * DAY);
        eventually("it expires", || async {
            let seen = running.detail("u1", &id).await.unwrap();
            (seen.state == "expired").then_some(())
        })
        .await;
        unseen(&id).await;
        assert_eq!(
            running
                .market(DemandListRequest::default())
                .await
                .total_count,
            0
        );
        running
            .demands()
            .delete_demand(running.by("u1", demand(&id)))
            .await
            .unwrap();
        assert_eq!(code_of(running.detail("u1", &id).await), code::NOT_FOUND);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_market_is_filtered_ordered_and_paged() {
    for shape in shapes() {
        let running = Running::with(shape, |settings| {
            settings.set("matchup", "review", false);
        })
        .await;
        running.is_a("u1", 1).await;
        for number in 0..15 {
            let form = SaveDemandRequest {
                category: if number % 3 == 0 {
                    "点云处理"
                } else {
                    "模型轻量化"
                }
                .to_owned(),
                budget_low: 0,
                budget_high: 1000 * number,
                until: running.now() + (20 - number) * DAY,
                ..running.need(&format!("需求编号 {number}"))
            };
            let id = running.save("u1", form).await.unwrap().demand_id;
            assert_eq!(running.submit("u1", &id).await.unwrap().state, "open");
            running.test.parts.clock.advance_ms(1_000);
        }
        let page = |change: fn(&mut DemandListRequest)| {
            let mut form = DemandListRequest::default();
            change(&mut form);
            running.market(form)
        };
        let first = page(|_| {}).await;
        assert_eq!((first.total_count, first.results.len()), (15, 12));
        assert_eq!(first.results[0].title, "需求编号 14");
        let second = page(|form| form.page_no = 2).await;
        assert_eq!(second.results.len(), 3);
        assert_eq!(second.results[2].title, "需求编号 0");
        assert_eq!(
            page(|form| form.category = "点云处理".to_owned())
                .await
                .total_count,
            5
        );
        assert_eq!(page(|form| form.budget = 10_000).await.total_count, 5);
        assert_eq!(
            page(|form| form.keyword = "编号 14".to_owned())
                .await
                .total_count,
            1
        );
        assert_eq!(
            page(|form| form.industry = "文物与展陈".to_owned())
                .await
                .total_count,
            0
        );
        let soon = page(|form| form.sort = "until".to_owned()).await;
        assert_eq!(soon.results[0].title, "需求编号 14");
        let dear = page(|form| form.sort = "budget".to_owned()).await;
        assert_eq!(dear.results[0].budget_high, 14_000);
        let form = DemandListRequest {
            sort: "random".to_owned(),
            ..Default::default()
        };
        assert_eq!(
            code_of(running.demands().demand_list(running.by("", form)).await),
            code::INVALID
        );
        let mine = MyDemandsRequest {
            state: "open".to_owned(),
            page_no: 2,
            ..Default::default()
        };
        let mine = running
            .demands()
            .my_demands(running.by("u1", mine))
            .await
            .unwrap()
            .into_inner();
        assert_eq!((mine.total_count, mine.results.len()), (15, 5));
        let others = MyDemandsRequest::default();
        let others = running.demands().my_demands(running.by("u2", others)).await;
        assert_eq!(others.unwrap().into_inner().total_count, 0);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_for_the_owner_and_the_chosen_alone() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        running.provider("p1").await;
        running.provider("p2").await;
        let id = running.draft("u1", "减速机轻量化").await;
        let objects = running.test.parts.objects.clone();
        for key in ["u/u1/plan.pdf", "u/u2/plan.pdf"] {
            let bytes = Bytes::from_static(b"%PDF-1.7");
            objects
                .put_bytes(key, bytes, "application/pdf")
                .await
                .unwrap();
        }
        let add = async |user: &str, key: &str, name: &str| {
            let form = AddDemandFileRequest {
                demand_id: id.clone(),
                object_key: key.to_owned(),
                name: name.to_owned(),
                ..Default::default()
            };
            running
                .demands()
                .add_demand_file(running.by(user, form))
                .await
        };
        for (key, name) in [
            ("u/u2/plan.pdf", "图纸.pdf"),
            ("u/u1/../u2/plan.pdf", "图纸.pdf"),
            ("u/u1/nothing.pdf", "图纸.pdf"),
            ("u/u1/plan.pdf", "图纸.exe"),
            ("u/u1/plan.pdf", "电话13800138000.pdf"),
        ] {
            assert_eq!(
                code_of(add("u1", key, name).await),
                code::INVALID,
                "{key} {name}"
            );
        }
        assert_eq!(
            code_of(add("u2", "u/u2/plan.pdf", "图纸.pdf").await),
            code::NOT_FOUND
        );
        let kept = add("u1", "u/u1/plan.pdf", "图纸.pdf")
            .await
            .unwrap()
            .into_inner();
        assert_eq!(
            (kept.files.len(), kept.files[0].name.as_str()),
            (1, "图纸.pdf")
        );
        assert!(
            objects.head("u/u1/plan.pdf").await.unwrap().is_none(),
            "taken over"
        );
        let file_id = kept.files[0].file_id.clone();
        let remove = |user: &str| {
            let form = RemoveDemandFileRequest {
                demand_id: id.clone(),
                file_id: file_id.clone(),
                ..Default::default()
            };
            running.by(user, form)
        };
        let stranger = running.demands().remove_demand_file(remove("u2")).await;
        assert_eq!(code_of(stranger), code::NOT_FOUND);
        running.submit("u1", &id).await.unwrap();
        running.decide(&id, "approve").await.unwrap();
        let locked = running.demands().remove_demand_file(remove("u1")).await;
        assert_eq!(code_of(locked), code::CONFLICT);
        let offer = running.offer("p1", &id, 4000).await.unwrap();
        running.offer("p2", &id, 4100).await.unwrap();
        for other in ["", "p1", "p2"] {
            let seen = running.detail(other, &id).await.unwrap();
            assert_eq!((seen.file_count, seen.files.len()), (1, 0), "{other:?}");
        }
        running.choose("u1", &offer.offer_id).await.unwrap();
        let seen = running.detail("p1", &id).await.unwrap();
        assert!(seen.files[0].url.contains("n/"), "the chosen one has them");
        assert!(running.detail("p2", &id).await.unwrap().files.is_empty());
        running.test.finish().await;
    }
}
