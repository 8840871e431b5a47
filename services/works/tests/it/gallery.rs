//! Finding, viewing, liking and collecting works.

use chassis::testing::{code_of, shapes};
use futures::future::join_all;
use proto::code;
use proto::works::v1::*;

use crate::support::{Running, named};

fn operate(id: &str, operate: &str) -> WorkOperateRequest {
    WorkOperateRequest {
        works_id: id.to_owned(),
        operate: operate.to_owned(),
        ..Default::default()
    }
}

impl Running {
    async fn like(&self, user: &str, id: &str, what: &str) -> Result<WorkMarks, tonic::Status> {
        let request = self.by(user, operate(id, what));
        let marks = self.gallery().like_work(request).await?;
        Ok(marks.into_inner())
    }

    async fn collect(&self, user: &str, id: &str, what: &str) -> Result<WorkMarks, tonic::Status> {
        let request = self.by(user, operate(id, what));
        let marks = self.gallery().collect_work(request).await?;
        Ok(marks.into_inner())
    }

    async fn look(&self, user: &str, browser: &str, id: &str) -> i64 {
        let form = CountViewRequest {
            works_id: id.to_owned(),
            visitor_id: browser.to_owned(),
        };
        let counted = self.gallery().count_view(self.by(user, form)).await;
        counted.expect("counted").into_inner().browsenumber
    }
}

/// (WK001) (WK006) (WK007) (WK008) (WK009) (AM046) (AM048) (VW001) (VW002)
#[tokio::test(flavor = "multi_thread")]
async fn a_card_carries_every_field_under_both_names() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        for work_type in 0..=3 {
            let change = SaveWorkRequest {
                description: Some("一段说明".to_owned()),
                r#type: Some(work_type),
                industry_id: Some("wi01".to_owned()),
                labels: Some("齿轮".to_owned()),
                ..named(&format!("作品 {work_type}"))
            };
            let id = running.work("u1", &format!("f{work_type}"), change).await;
            let form = WorkListRequest {
                types: work_type.to_string(),
                ..Default::default()
            };
            let page = running.list("", form).await;
            assert_eq!(page.total_count, 1);
            let card = &page.results[0];
            assert_eq!((&card.id, &card.works_id), (&id, &id));
            assert_eq!(card.name, format!("作品 {work_type}"));
            assert_eq!(card.r#type, work_type);
            assert_eq!(card.description, "一段说明");
            assert_eq!(card.user_id, "u1");
            assert_eq!(card.nickname, "作者u1");
            assert_eq!(card.certified, "enterprise");
            assert_eq!(card.avatar, "http://store/u1.png");
            assert!(card.preview.contains("poster") && card.pc_preview.contains("poster"));
            let field = if work_type == 1 { "id" } else { "worksId" };
            let page = format!("/production/detail?{field}={id}");
            assert_eq!((&card.prev_path, &card.code), (&page, &page));
            assert!(card.release_time > 0 && card.release_time == card.issued_time);
            assert_eq!(card.industry_name, "智能制造");
        }
        let by_id = WorkDetailRequest {
            id: running.list("", WorkListRequest::default()).await.results[0]
                .id
                .clone(),
            ..Default::default()
        };
        let opened = running.gallery().work_detail(running.by("", by_id)).await;
        assert!(opened.unwrap().into_inner().model.is_some());
        running.test.finish().await;
    }
}

/// (WK003) (WK004) (WK005) (WK010) (WK011)
#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_at_once_are_counted_once_each() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.work("u1", "f1", named("齿轮")).await;
        let users: Vec<String> = (0..64).map(|one| format!("v{one}")).collect();
        // Each user twice, concurrently.
        let all = users.iter().chain(&users);
        join_all(all.clone().map(|user| running.like(user, &id, "LIKE")))
            .await
            .into_iter()
            .for_each(|done| assert!(done.unwrap().liked));
        join_all(all.map(|user| running.collect(user, &id, "COLLECT")))
            .await
            .into_iter()
            .for_each(|done| assert!(done.unwrap().is_collection));
        let card = running.card("v1", &id).await;
        assert_eq!((card.likenumber, card.like_count), (64, 64));
        assert_eq!(card.collect_number, 64);
        assert!(card.islike && card.liked && card.is_collect && card.is_collection);
        let other = running.card("nobody", &id).await;
        assert!(!other.islike && !other.is_collect);
        let half = users[..32].iter().flat_map(|user| [user, user]);
        join_all(half.map(|user| running.like(user, &id, "CANCEL")))
            .await
            .into_iter()
            .for_each(|done| assert!(!done.unwrap().islike));
        assert_eq!(running.card("", &id).await.likenumber, 32);
        assert_eq!(running.number("SELECT COUNT(*) FROM liked").await, 32);
        let gone = running.collect("v0", &id, "CANCEL").await.unwrap();
        assert_eq!((gone.collect_number, gone.is_collect), (63, false));
        for (operate, id) in [("like", id.as_str()), ("COLLECT", id.as_str()), ("", &id)] {
            let refused = running.like("v0", id, operate).await.unwrap_err();
            assert_eq!(code_of(&refused), code::INVALID);
        }
        let nothing = running.like("v0", "nothing", "LIKE").await.unwrap_err();
        assert_eq!(code_of(&nothing), code::NOT_FOUND);
        assert!(running.like("", &id, "LIKE").await.is_err(), "nobody");
        running.test.finish().await;
    }
}

/// (WK002)
#[tokio::test(flavor = "multi_thread")]
async fn a_look_counts_once_within_half_an_hour_and_not_the_owners() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.work("u1", "f1", named("齿轮")).await;
        let (one, other) = ("a".repeat(20), "b".repeat(20));
        let again = join_all((0..16).map(|_| running.look("", &one, &id))).await;
        assert_eq!(again.into_iter().max(), Some(1));
        assert_eq!(running.look("", &other, &id).await, 2);
        assert_eq!(running.look("u2", "", &id).await, 3);
        assert_eq!(running.look("u1", "", &id).await, 3, "the owner");
        assert_eq!(
            running.look("u2", &other, &id).await,
            3,
            "the person counts"
        );
        running.test.parts.clock.advance_ms(31 * 60_000);
        assert_eq!(running.look("u2", "", &id).await, 4);
        let card = running.card("", &id).await;
        assert_eq!((card.browsenumber, card.browse_count), (4, 4));
        let form = CountViewRequest {
            works_id: id.clone(),
            visitor_id: "short".to_owned(),
        };
        let refused = running.gallery().count_view(running.by("", form)).await;
        assert_eq!(code_of(&refused.unwrap_err()), code::INVALID);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_filtered_ordered_and_not_endless() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let change = |name: &str, category: &str, labels: &str| SaveWorkRequest {
            category_id: Some(category.to_owned()),
            labels: Some(labels.to_owned()),
            ..named(name)
        };
        let mut ids = Vec::new();
        for (user, name, category, labels) in [
            ("u1", "行星齿轮", "wc01", "齿轮,传动"),
            ("u1", "斜齿轮100%", "wc01", "齿轮"),
            ("u2", "宝塔", "wc02", "古建"),
        ] {
            let change = change(name, category, labels);
            ids.push(running.work(user, &format!("f{name}"), change).await);
            running.test.parts.clock.advance_ms(1_000);
        }
        let form = WorkListRequest::default;
        let found = async |form: WorkListRequest| {
            let page = running.list("", form).await;
            let names = page.results.into_iter().map(|one| one.name);
            names.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(found(form()).await, "宝塔 斜齿轮100% 行星齿轮");
        running.like("u9", &ids[0], "LIKE").await.unwrap();
        running.look("u9", "", &ids[1]).await;
        let of = |order: &str| WorkListRequest {
            order: order.to_owned(),
            ..form()
        };
        assert_eq!(found(of("liked")).await.split(' ').next(), Some("行星齿轮"));
        assert_eq!(found(of("hot")).await, "行星齿轮 斜齿轮100% 宝塔");
        for (filter, expected) in [
            (
                WorkListRequest {
                    category_id: "wc02".to_owned(),
                    ..form()
                },
                "宝塔",
            ),
            (
                WorkListRequest {
                    label: "传动".to_owned(),
                    ..form()
                },
                "行星齿轮",
            ),
            (
                WorkListRequest {
                    label: "齿".to_owned(),
                    ..form()
                },
                "",
            ),
            (
                WorkListRequest {
                    author_id: "u2".to_owned(),
                    ..form()
                },
                "宝塔",
            ),
            (
                WorkListRequest {
                    keyword: "齿轮 行星".to_owned(),
                    ..form()
                },
                "行星齿轮",
            ),
            (
                WorkListRequest {
                    keyword: "0%".to_owned(),
                    ..form()
                },
                "斜齿轮100%",
            ),
            (
                WorkListRequest {
                    keyword: "_".to_owned(),
                    ..form()
                },
                "",
            ),
            (
                WorkListRequest {
                    types: "1,2".to_owned(),
                    ..form()
                },
                "",
            ),
            (
                WorkListRequest {
                    page_no: 2,
                    page_size: 2,
                    ..form()
                },
                "行星齿轮",
            ),
        ] {
            assert_eq!(found(filter.clone()).await, expected, "{filter:?}");
        }
        for wrong in [
            WorkListRequest {
                page_size: 49,
                ..form()
            },
            WorkListRequest {
                page_no: 500,
                page_size: 24,
                ..form()
            },
            WorkListRequest {
                page_no: i32::MAX,
                page_size: 48,
                ..form()
            },
            WorkListRequest {
                order: "best".to_owned(),
                ..form()
            },
            WorkListRequest {
                types: "7".to_owned(),
                ..form()
            },
            WorkListRequest {
                keyword: "长".repeat(51),
                ..form()
            },
        ] {
            let refused = running.gallery().work_list(running.by("", wrong)).await;
            assert_eq!(code_of(&refused.unwrap_err()), code::INVALID);
        }
        let near = |id: &str| WorkNeighboursRequest {
            works_id: id.to_owned(),
            ..Default::default()
        };
        let names = |cards: WorkCards| {
            let names = cards.results.into_iter().map(|one| one.name);
            names.collect::<Vec<_>>().join(" ")
        };
        let mut gallery = running.gallery();
        let alike = gallery
            .detail_page_recommend(running.by("", near(&ids[0])))
            .await;
        assert_eq!(names(alike.unwrap().into_inner()), "斜齿轮100% 宝塔");
        let others = gallery.other_works(running.by("", near(&ids[0]))).await;
        assert_eq!(names(others.unwrap().into_inner()), "斜齿轮100%");
        let recommend = WorkRecommendRequest {
            works_id: ids[2].clone(),
            recommended: true,
        };
        let request = running.by_operator("anna", recommend);
        running.console().work_recommend(request).await.unwrap();
        let home = HomepageRecommendRequest { size: 2 };
        let home = gallery.homepage_recommend(running.by("", home)).await;
        assert_eq!(names(home.unwrap().into_inner()), "宝塔 行星齿轮");
        let empty = proto::common::v1::Empty {};
        let cates = gallery.label_cate(running.by("", empty)).await.unwrap();
        let counts = cates.into_inner().results.into_iter();
        let counts: Vec<(String, i64)> = counts.map(|one| (one.id, one.count)).take(2).collect();
        assert_eq!(counts, [("wc01".to_owned(), 2), ("wc02".to_owned(), 1)]);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collection_keeps_what_is_not_shown_any_more() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let first = running.work("u1", "f1", named("齿轮")).await;
        let second = running.work("u1", "f2", named("宝塔")).await;
        running.collect("u2", &first, "COLLECT").await.unwrap();
        running.test.parts.clock.advance_ms(1_000);
        running.collect("u2", &second, "COLLECT").await.unwrap();
        let form = SaveWorkRequest {
            works_id: first.clone(),
            visibility: Some("private".to_owned()),
            ..Default::default()
        };
        running.save("u1", form).await.unwrap();
        let page = async |user: &str, keyword: &str| {
            let form = MyCollectionRequest {
                keyword: keyword.to_owned(),
                ..Default::default()
            };
            let page = running
                .gallery()
                .my_collection(running.by(user, form))
                .await;
            page.unwrap().into_inner()
        };
        let all = page("u2", "").await;
        assert_eq!(all.total_count, 2);
        let [newer, older] = &all.results[..] else {
            panic!("two");
        };
        assert_eq!(newer.card.as_ref().unwrap().id, second);
        assert!(newer.available && newer.card.as_ref().unwrap().is_collect);
        let hidden = older.card.as_ref().unwrap();
        assert!(!older.available && hidden.preview.is_empty() && hidden.user_id.is_empty());
        assert_eq!(page("u2", "宝").await.total_count, 1);
        assert_eq!(page("u3", "").await.total_count, 0);
        // Can be removed although it cannot be viewed.
        running.collect("u2", &first, "CANCEL").await.unwrap();
        assert_eq!(page("u2", "").await.total_count, 1);
        running.test.finish().await;
    }
}
