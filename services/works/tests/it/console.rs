//! The operators' calls: each write leaves one audit entry, and takes effect at once.

use std::collections::BTreeSet;

use chassis::testing::console::{audited, locked};
use chassis::testing::{Shape, code_of, shapes};
use proto::code;
use proto::common::v1::Principal;
use proto::works::v1::*;
use tonic::Status;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic_prost::ProstCodec;

use crate::support::{Running, named, own};

#[tokio::test(flavor = "multi_thread")]
async fn the_inner_lock_holds_for_every_call() {
    let running = Running::start(Shape::Embedded, true).await;
    let tried = locked(xl_works::NAME, async |path, principal: Principal| {
        let mut client = Grpc::new(running.channel());
        client.ready().await.expect("served");
        let request = running.signed(principal, ());
        let codec = ProstCodec::<(), ()>::default();
        let answer = client.unary(request, PathAndQuery::from_static(path), codec);
        answer.await.err().unwrap_or_else(|| Status::ok(""))
    });
    tried.await;
    assert_eq!(running.number("SELECT COUNT(*) FROM audit").await, 0);
    running.test.finish().await;
}

fn act(id: &str) -> WorkActRequest {
    WorkActRequest {
        works_id: id.to_owned(),
        reason: "有人投诉".to_owned(),
    }
}

fn dismiss(id: &str) -> ReportsDismissRequest {
    ReportsDismissRequest {
        thing_id: id.to_owned(),
        reason: "没有问题".to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_deed_takes_effect_and_leaves_one_entry() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.draft("u1", "f1", named("齿轮")).await;
        running.submit("u1", &id).await.unwrap();
        let queue = async |state: &str| {
            let form = WorkSearchRequest {
                state: state.to_owned(),
                ..Default::default()
            };
            let found = running
                .console()
                .work_search(running.by_operator("anna", form))
                .await;
            found.unwrap().into_inner()
        };
        let waiting = queue("").await;
        assert_eq!((waiting.waiting, waiting.works.len()), (1, 1));
        assert_eq!(waiting.works[0].card.as_ref().unwrap().name, "齿轮");
        // A work that has changed since cannot be decided on.
        let old = WorkDecideRequest {
            works_id: id.clone(),
            revision: waiting.works[0].revision - 1,
            decision: "approve".to_owned(),
            reason: "合格".to_owned(),
        };
        let refused = running
            .console()
            .work_decide(running.by_operator("anna", old))
            .await;
        assert_eq!(code_of(&refused.unwrap_err()), code::CONFLICT);
        running.decide(&id, "approve").await.unwrap();
        assert_eq!(queue("").await.waiting, 0);
        assert_eq!(queue("published").await.works.len(), 1);

        // Reported: once per user, dismissed, and reported again by another.
        let report = |id: &str| ReportWorkRequest {
            works_id: id.to_owned(),
            reason: "copyright".to_owned(),
            content: "抄袭赌博网站".to_owned(),
            ..Default::default()
        };
        for user in ["u2", "u2", "u3"] {
            let reported = running
                .gallery()
                .report_work(running.by(user, report(&id)))
                .await;
            reported.unwrap();
        }
        let reported = queue("reported").await;
        assert_eq!(reported.works[0].reports, 2);
        let own_one = running
            .gallery()
            .report_work(running.by("u1", report(&id)))
            .await;
        assert_eq!(code_of(&own_one.unwrap_err()), code::INVALID);
        let request = running.by_operator("anna", dismiss(&id));
        running.console().reports_dismiss(request).await.unwrap();
        let again = running
            .console()
            .reports_dismiss(running.by_operator("anna", dismiss(&id)))
            .await;
        assert_eq!(code_of(&again.unwrap_err()), code::NOT_FOUND);
        assert!(queue("reported").await.works.is_empty());

        let hide = async |form| {
            running
                .console()
                .work_hide(running.by_operator("anna", form))
                .await
        };
        hide(act(&id)).await.unwrap();
        assert!(hide(act(&id)).await.is_err());
        assert!(running.detail("u2", &id).await.is_err());
        assert_eq!(running.mine("u1", &id).await.unwrap().reason, "有人投诉");
        let relist = running
            .authors()
            .relist_work(running.by("u1", own(&id)))
            .await;
        assert_eq!(code_of(&relist.unwrap_err()), code::CONFLICT);
        let recommend = WorkRecommendRequest {
            works_id: id.clone(),
            recommended: true,
        };
        let request = running.by_operator("anna", recommend.clone());
        let refused = running.console().work_recommend(request).await;
        assert_eq!(code_of(&refused.unwrap_err()), code::CONFLICT);
        let request = running.by_operator("anna", act(&id));
        running.console().work_restore(request).await.unwrap();
        let request = running.by_operator("anna", recommend);
        running.console().work_recommend(request).await.unwrap();
        assert!(running.detail("u2", &id).await.is_ok());

        let said = running.say("u2", &id, "", "占个位置").await.unwrap();
        let report = ReportCommentRequest {
            comment_id: said.comment_id.clone(),
            reason: "spam".to_owned(),
            ..Default::default()
        };
        let reported = running
            .talk()
            .report_comment(running.by("u3", report))
            .await;
        reported.unwrap();
        let form = CommentSearchRequest {
            state: "reported".to_owned(),
            ..Default::default()
        };
        let found = running
            .console()
            .comment_search(running.by_operator("anna", form))
            .await;
        let found = found.unwrap().into_inner().comments;
        assert_eq!((found.len(), found[0].reported.len()), (1, 1));
        let act = CommentActRequest {
            comment_id: said.comment_id.clone(),
            reason: "广告".to_owned(),
        };
        let request = running.by_operator("anna", act.clone());
        running.console().comment_hide(request).await.unwrap();
        assert_eq!(running.card("", &id).await.comment_number, 0);
        let request = running.by_operator("anna", act.clone());
        running.console().comment_restore(request).await.unwrap();
        let again = running
            .console()
            .comment_restore(running.by_operator("anna", act))
            .await;
        assert!(again.is_err());
        assert_eq!(running.card("", &id).await.comment_number, 1);

        let category = |id: &str, kind: &str, name: &str| WorkCategorySaveRequest {
            id: id.to_owned(),
            kind: kind.to_owned(),
            name: name.to_owned(),
            position: 1,
            offered: true,
            reason: "新分类".to_owned(),
        };
        let save = async |form| {
            running
                .console()
                .work_category_save(running.by_operator("anna", form))
                .await
        };
        let made = save(category("", "industry", "医疗健康"))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(made.kind, "industry");
        for bad in [
            category("", "", "医疗"),
            category("nothing", "industry", "医疗"),
            category("", "industry", ""),
        ] {
            assert!(save(bad).await.is_err());
        }
        let list = WorkCategoryListRequest {
            kind: "industry".to_owned(),
        };
        let all = running
            .console()
            .work_category_list(running.by_operator("anna", list))
            .await;
        assert_eq!(all.unwrap().into_inner().categories.len(), 9);
        assert_eq!(running.number("SELECT COUNT(*) FROM audit").await, 8);
        let seen = [
            "K172", "K173", "K174", "K175", "K177", "K179", "K180", "K181",
        ];
        assert_eq!(
            seen.into_iter().collect::<BTreeSet<_>>(),
            audited(xl_works::NAME),
            "each has a case"
        );
        running.test.finish().await;
    }
}
