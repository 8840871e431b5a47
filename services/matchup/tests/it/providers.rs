//! User types, and how providers publish their profile. covers: M01 M02 M03 X340 X341 X342 X343

use chassis::testing::{Shape, shapes};
use proto::code;
use proto::matchup::v1::*;
use proto::personal::v1::{ListedWord, WordsChanged};

use crate::support::{Running, code_of, message_of};

impl Running {
    async fn user_type(&self, user: &str) -> i32 {
        let form = MatchupUserRequest::default();
        let reply = self.people().decide_user_type(self.by(user, form)).await;
        reply.expect("told").into_inner().user_type
    }

    pub async fn info(&self, user: &str) -> ServiceInfoReply {
        let form = MatchupUserRequest::default();
        let reply = self.people().service_info(self.by(user, form)).await;
        reply.expect("told").into_inner()
    }

    pub async fn providers(&self, form: ProviderListRequest) -> ProviderPage {
        let page = self.people().provider_list(self.by("", form)).await;
        page.expect("a page").into_inner()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn somebody_says_once_what_for_and_changes_it() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        assert_eq!(running.user_type("u1").await, 0);
        assert_eq!(running.info("u1").await.state, "draft");
        for bad in [-1, 0, 4] {
            let form = UpdateServiceTypeRequest {
                service_type: bad,
                ..Default::default()
            };
            let refused = running
                .people()
                .update_service_type(running.by("u1", form))
                .await;
            assert_eq!(code_of(refused), code::INVALID);
        }
        running.is_a("u1", 3).await;
        assert_eq!(running.user_type("u1").await, 3);
        assert_eq!(running.user_type("u2").await, 0);
        let form = running.profile("做装配体轻量化，交付带对比链接，三个工作日完成。");
        running.introduce("u1", form).await.unwrap();
        let reply = running.info("u1").await;
        assert_eq!(
            (
                reply.service_type,
                reply.company_name.as_str(),
                reply.state.as_str()
            ),
            (3, "认证u1", "shown")
        );
        // A user who no longer offers is not listed.
        running.is_a("u1", 1).await;
        assert_eq!(running.info("u1").await.state, "draft");
        let page = running.providers(ProviderListRequest::default()).await;
        assert_eq!(page.total_count, 0);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_whole_certified_and_without_contacts() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let whole = "做装配体轻量化，交付带对比链接，三个工作日完成。";
        let form = running.profile(whole);
        assert_eq!(
            code_of(running.introduce("u1", form.clone()).await),
            code::CONFLICT,
            "who offers nothing has no profile"
        );
        running.is_a("u1", 2).await;
        running.is_a("x1", 2).await;
        let refused = running.introduce("x1", form.clone()).await;
        assert!(message_of(refused).contains("认证"));
        let draft = SaveProviderRequest {
            publish: false,
            ..form.clone()
        };
        assert_eq!(running.introduce("x1", draft).await.unwrap().state, "draft");
        for (change, expected) in [
            ("太短", code::INVALID),
            (
                "赌博网站，赌博网站，赌博网站，赌博网站，赌博网站",
                code::TEXT_REFUSED,
            ),
        ] {
            let form = running.profile(change);
            assert_eq!(code_of(running.introduce("u1", form).await), expected);
        }
        for disguised in [
            "13800138000",
            "138 0013 8000",
            "一三八零零一三八零零零",
            "１３８００１３８０００",
            "①③⑧⓪⓪①③⑧⓪⓪⓪",
            "1a3b8c0d0e1f3g8h0j0k0",
            "微 信：maker_2026",
            "扣扣 1234567",
            "壹叁捌零零壹叁捌零零零",
        ] {
            let form = running.profile(&format!("{whole}请联系 {disguised}"));
            let refused = message_of(running.introduce("u1", form).await);
            assert!(refused.contains("疑似有"), "{disguised}: {refused}");
        }
        for (skills, region) in [("不存在", "华东"), ("模型轻量化", "月球"), ("", "华东")]
        {
            let form = SaveProviderRequest {
                skills: skills.to_owned(),
                region: region.to_owned(),
                ..form.clone()
            };
            assert_eq!(code_of(running.introduce("u1", form).await), code::INVALID);
        }
        let shown = running.introduce("u1", form).await.unwrap();
        assert_eq!(shown.state, "shown");
        let detail = ProviderDetailRequest {
            provider_id: shown.provider_id.clone(),
        };
        let seen = running
            .people()
            .provider_detail(running.by("", detail))
            .await;
        let card = seen.unwrap().into_inner().card.unwrap();
        assert_eq!((card.name.as_str(), card.certified), ("认证u1", true));
        assert!(!format!("{card:?}").contains("maker_01"), "no contact");
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_was_certified_a_moment_ago_is_told_so() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        assert!(!running.info("y1").await.certified);
        assert!(running.info("y1").await.certified);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_word_asks_for_a_look_at_the_profile() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let words = WordsChanged {
            version: 7,
            words: vec![ListedWord {
                word: "独家授权".to_owned(),
                action: "review".to_owned(),
                ..Default::default()
            }],
        };
        running.publish("words-7", &words).await;
        running.becomes("SELECT COUNT(*) FROM word_list", 1).await;
        running.is_a("u1", 2).await;
        let form = running.profile("独家授权的装配体轻量化，交付带对比链接，三日完成。");
        let kept = running.introduce("u1", form).await.unwrap();
        assert_eq!(kept.state, "review");
        let page = running.providers(ProviderListRequest::default()).await;
        assert_eq!(page.total_count, 0);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn providers_are_filtered_and_paged() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        for number in 0..14 {
            running.provider(&format!("u{number}")).await;
            running.test.parts.clock.advance_ms(1_000);
        }
        let first = running.providers(ProviderListRequest::default()).await;
        assert_eq!((first.total_count, first.results.len()), (14, 12));
        assert_eq!(first.results[0].name, "认证u13");
        let second = ProviderListRequest {
            page_no: 2,
            ..Default::default()
        };
        assert_eq!(running.providers(second).await.results.len(), 2);
        let by = |skill: &str, industry: &str, region: &str, keyword: &str| ProviderListRequest {
            skill: skill.to_owned(),
            industry: industry.to_owned(),
            region: region.to_owned(),
            keyword: keyword.to_owned(),
            ..Default::default()
        };
        for (form, count) in [
            (by("模型轻量化", "", "", ""), 14),
            (by("轻量化", "", "", ""), 0),
            (by("点云处理", "", "", ""), 0),
            (by("", "装备制造", "华东", ""), 14),
            (by("", "", "华北", ""), 0),
            (by("", "", "", "认证u13"), 1),
            (by("", "", "", "%"), 0),
        ] {
            let found = running.providers(form.clone()).await.total_count;
            assert_eq!(found, count, "{form:?}");
        }
        let large = ProviderListRequest {
            page_size: 51,
            ..Default::default()
        };
        let refused = running.people().provider_list(running.by("", large)).await;
        assert_eq!(code_of(refused), code::INVALID);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn examples_are_there_once_and_take_no_offers() {
    let running = Running::with(Shape::Embedded, |settings| {
        settings.set("matchup", "examples", true);
    })
    .await;
    xl_matchup::migrate(&running.test.context(xl_matchup::NAME).await)
        .await
        .expect("again");
    let figures = running
        .people()
        .matchup_figures(running.by("", proto::common::v1::Empty {}))
        .await;
    let figures = figures.unwrap().into_inner();
    assert_eq!(
        (figures.example_demands, figures.example_providers),
        (12, 8)
    );
    assert_eq!((figures.open_demands, figures.providers), (0, 0));
    running.provider("u1").await;
    let own = running.open("u2", "我的真实需求").await;
    let page = running.market(DemandListRequest::default()).await;
    assert_eq!(page.total_count, 13);
    assert_eq!(page.results[0].demand_id, own, "people come first");
    let example = &page.results[1];
    assert!(example.example && example.title.starts_with("示例："));
    let refused = running.offer("u1", &example.demand_id, 100).await;
    assert!(message_of(refused).contains("示例需求"));
    running.test.finish().await;
}
