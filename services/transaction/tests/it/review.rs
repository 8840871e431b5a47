//! The operators' calls: each write leaves one entry, and takes effect at once.

use std::collections::BTreeSet;

use chassis::testing::console::{audited, locked};
use chassis::testing::{Shape, code_of, eventually, shapes};
use proto::code;
use proto::common::v1::Principal;
use proto::transaction::v1::*;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

use crate::support::Running;

#[tokio::test(flavor = "multi_thread")]
async fn the_inner_lock_holds_for_every_call() {
    let running = Running::start(Shape::Embedded, true).await;
    let tried = locked(xl_transaction::NAME, async |path, principal| {
        let mut client = Grpc::new(running.channel());
        client.ready().await.expect("served");
        let mut request = Request::new(());
        let principal = Principal {
            audience: xl_transaction::NAME.to_owned(),
            ..principal
        };
        let principals = &running.test.parts.principals;
        principals
            .attach(principal, request.metadata_mut())
            .expect("signed");
        let codec = ProstCodec::<(), ()>::default();
        let answer = client.unary(request, PathAndQuery::from_static(path), codec);
        answer.await.err().unwrap_or_else(|| Status::ok(""))
    });
    tried.await;
    assert_eq!(running.number("SELECT COUNT(*) FROM audit").await, 0);
    running.test.finish().await;
}

fn act(id: &str) -> ListingActRequest {
    ListingActRequest {
        unfounded: false,
        listing_id: id.to_owned(),
        reason: "有人投诉".to_owned(),
    }
}

/// What changes is shown beside what the mall says now, and a maker's other model of the same file.
#[tokio::test(flavor = "multi_thread")]
async fn a_reviewer_sees_what_changes_and_copies_of_the_same_maker() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let copy = running.listed("u1", "f1").await;
        let id = running.listed("u1", "f2").await;
        let show = async || {
            let form = ListingShowRequest {
                listing_id: id.clone(),
            };
            let mut console = running.console();
            let shown = console
                .listing_show(running.by_operator("anna", form))
                .await;
            shown.unwrap().into_inner()
        };
        let before = show().await;
        assert!(before.approved.is_none(), "nothing waits");
        assert!(before.hints.is_empty());
        let twins: Vec<(String, bool)> = before
            .twins
            .into_iter()
            .map(|twin| (twin.listing.unwrap().listing_id, twin.equal))
            .collect();
        assert_eq!(twins, [(copy, true)]);
        let form = SaveListingRequest {
            listing_id: id.clone(),
            intro: Some("现在有三十二齿".to_owned()),
            label_ids: Some("2002,2008".to_owned()),
            description: Some(
                "定制请加微信 xuanlan_2026，QQ 123456789，见 models3d.com".to_owned(),
            ),
            ..Default::default()
        };
        running.save("u1", form).await.unwrap();
        running.submit("u1", &id).await;
        let shown = show().await;
        let now = shown.approved.unwrap();
        assert_eq!(now.label_names, ["零件"]);
        assert_eq!(shown.hints, ["详细说明中疑似有QQ 号、微信号、网址"]);
        assert!(shown.approved_facts.is_none(), "the same file");
        assert_eq!(shown.label_names, ["设备", "器物"]);
        assert_eq!(
            (now.name.as_str(), now.intro.as_str()),
            ("直齿轮", "模数 2，二十四齿")
        );
        let item = shown.item.unwrap().listing.unwrap();
        assert_eq!(item.intro, "现在有三十二齿");
        let kinds: Vec<bool> = shown.versions.iter().map(|one| one.texts_only).collect();
        assert_eq!(kinds, [true, false]);

        // Another file: what is sold is shown beside it. Makers have names.
        running.take_back("u1", &id, true).await.unwrap();
        running.draft("u1", "f3").await;
        running.add_version("u1", &id, "f3").await.unwrap();
        running.pictured(&id, 3, "ready").await;
        let shown = eventually("the new file waits for review", || async {
            let shown = show().await;
            shown.approved_facts.is_some().then_some(shown)
        })
        .await;
        assert!(
            shown
                .approved_facts
                .unwrap()
                .fields
                .contains_key("triangles")
        );
        assert_eq!(shown.versions[0].number, 3);
        assert_eq!(shown.item.unwrap().listing.unwrap().seller_name, "模型师u1");
        let twin = shown.twins[0].listing.clone().unwrap();
        assert_eq!(twin.seller_name, "模型师u1");
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_deed_takes_effect_and_leaves_one_entry() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let first = running.listed("u1", "f1").await;
        let draft = running.draft("u2", "f2").await;
        let id = draft.listing.unwrap().listing_id;
        running.fill_in("u2", &id).await;
        running.submit("u2", &id).await;
        running.pictured(&id, 1, "ready").await;
        running.in_state("u2", &id, "submitted").await;

        let form = ListingSearchRequest::default();
        let queue = running
            .console()
            .listing_search(running.by_operator("anna", form))
            .await;
        let queue = queue.unwrap().into_inner();
        assert_eq!((queue.waiting, queue.listings.len()), (1, 1));
        assert_eq!(queue.listings[0].reviewed_version, 1);
        // Another maker's model with the same bytes is listed beside it.
        let show = ListingShowRequest {
            listing_id: id.clone(),
        };
        let shown = running
            .console()
            .listing_show(running.by_operator("anna", show.clone()))
            .await;
        let shown = shown.unwrap().into_inner();
        let twin = &shown.twins[0];
        assert_eq!(
            (
                twin.listing.clone().unwrap().listing_id,
                twin.likeness,
                twin.equal
            ),
            (first, 100, true)
        );

        let entries = async || running.number("SELECT COUNT(*) FROM audit").await;
        // One has it, the other cannot decide; what was looked at is what is decided on.
        let claim = |release| ListingClaimRequest {
            listing_id: id.clone(),
            release,
        };
        running
            .console()
            .listing_claim(running.by_operator("bert", claim(false)))
            .await
            .unwrap();
        let taken = running
            .console()
            .listing_claim(running.by_operator("anna", claim(false)))
            .await;
        assert_eq!(code_of(&taken.unwrap_err()), code::CONFLICT);
        assert_eq!(
            code_of(&running.decide(&id, 1, "approve").await.unwrap_err()),
            code::CONFLICT
        );
        for release in [true, false] {
            running
                .console()
                .listing_claim(running.by_operator("bert", claim(release)))
                .await
                .unwrap();
            let free = running.decide(&id, 9, "approve").await.unwrap_err();
            let reply = chassis::error::business_error(&free).unwrap().message;
            assert_eq!(reply.starts_with("bert"), !release, "{reply}");
        }
        let decide = |version| ListingDecideRequest {
            listing_id: id.clone(),
            version,
            decision: "approve".to_owned(),
            reason: "合格".to_owned(),
        };
        let other = running
            .console()
            .listing_decide(running.by_operator("bert", decide(2)))
            .await;
        assert_eq!(code_of(&other.unwrap_err()), code::CONFLICT);
        running
            .console()
            .listing_decide(running.by_operator("bert", decide(1)))
            .await
            .unwrap();
        assert_eq!(running.in_state("u2", &id, "listed").await.state, "listed");
        assert_eq!(
            entries().await,
            5,
            "the first listing's approval, three claims, a decision"
        );

        running
            .console()
            .listing_take_down(running.by_operator("anna", act(&id)))
            .await
            .unwrap();
        assert_eq!(
            running.relist("u2", &id).await,
            "只有已下架的模型可以重新上架"
        );
        running
            .console()
            .listing_restore(running.by_operator("anna", act(&id)))
            .await
            .unwrap();
        let restored = running
            .console()
            .listing_restore(running.by_operator("anna", act(&id)))
            .await;
        assert_eq!(code_of(&restored.unwrap_err()), code::CONFLICT);
        running
            .console()
            .listing_take_down(running.by_operator("anna", act(&id)))
            .await
            .unwrap();
        running
            .console()
            .listing_remove(running.by_operator("anna", act(&id)))
            .await
            .unwrap();
        assert!(running.detail("u2", &id).await.is_err(), "ended for good");

        let category = |id: &str, parent: &str| CategorySaveRequest {
            id: id.to_owned(),
            name: "齿轮".to_owned(),
            parent_id: parent.to_owned(),
            position: 1,
            offered: true,
            reason: "新分类".to_owned(),
        };
        let save = async |form| {
            running
                .console()
                .category_save(running.by_operator("anna", form))
                .await
        };
        let made = save(category("", "c10")).await.unwrap().into_inner();
        for bad in [
            category("", &made.id),
            category("c10", "c11"),
            category("x", ""),
            category("", "x"),
        ] {
            assert!(save(bad).await.is_err());
        }
        let list = CategoryListRequest {};
        let tree = running
            .console()
            .category_list(running.by_operator("anna", list))
            .await;
        let tree = tree.unwrap().into_inner().categories;
        assert!(tree.iter().any(|one| one.id == made.id && one.offered));
        let listings: i64 = tree.iter().map(|one| one.listings).sum();
        assert_eq!(listings, 1);
        assert_eq!(entries().await, 10);
        // The last two in `rating.rs`.
        let seen = [
            "K122", "K123", "K124", "K125", "K126", "K128", "K161", "K162",
        ];
        let of_makers = crate::modeler::AUDITED;
        assert_eq!(
            seen.into_iter().chain(of_makers).collect::<BTreeSet<_>>(),
            audited(xl_transaction::NAME),
            "each has a case"
        );
        running.test.finish().await;
    }
}

/// What was taken down without ground does not count against its maker; what the maker put right does.
#[tokio::test(flavor = "multi_thread")]
async fn strikes_are_counted_but_for_what_was_without_ground() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("u1", "f1").await;
        let strikes = async || {
            let show = ListingShowRequest {
                listing_id: id.clone(),
            };
            let mut console = running.console();
            let shown = console
                .listing_show(running.by_operator("anna", show))
                .await;
            shown.unwrap().into_inner().strikes
        };
        let cycle = async |unfounded: bool| {
            let down = running.by_operator("anna", act(&id));
            running.console().listing_take_down(down).await.unwrap();
            let during = strikes().await;
            let up = ListingActRequest {
                unfounded,
                ..act(&id)
            };
            let up = running.by_operator("anna", up);
            running.console().listing_restore(up).await.unwrap();
            (during, strikes().await)
        };
        assert_eq!(cycle(true).await, (1, 0));
        assert_eq!(cycle(false).await, (1, 1));
        let records = running.detail("u1", &id).await.unwrap().records;
        let last: Vec<&str> = records.iter().map(|one| one.action.as_str()).collect();
        assert_eq!(last[..4], ["restored", "takendown", "cleared", "takendown"]);
        running.test.finish().await;
    }
}
