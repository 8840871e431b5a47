//! The operators' calls: each write leaves one audit entry, and takes effect at once.

use std::collections::BTreeSet;

use chassis::testing::console::{audited, locked};
use chassis::testing::{Shape, shapes};
use proto::code;
use proto::common::v1::Principal;
use proto::matchup::v1::*;
use proto::personal::v1::{ListedWord, WordsChanged};
use tonic::Status;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic_prost::ProstCodec;

use crate::support::{Running, code_of};

#[tokio::test(flavor = "multi_thread")]
async fn the_inner_lock_holds_for_every_call() {
    let running = Running::start(Shape::Embedded).await;
    let tried = locked(xl_matchup::NAME, async |path, principal: Principal| {
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

fn act(id: &str) -> MatchActRequest {
    MatchActRequest {
        id: id.to_owned(),
        reason: "有人投诉".to_owned(),
    }
}

fn search(state: &str) -> MatchSearchRequest {
    MatchSearchRequest {
        state: state.to_owned(),
        ..Default::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_deed_takes_effect_and_leaves_one_entry() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let mut console = running.console();
        running.provider("p1").await;
        let id = running.draft("u1", "减速机轻量化").await;
        running.submit("u1", &id).await.unwrap();
        let found = console
            .demand_search(running.by_operator("anna", search("")))
            .await;
        let found = found.unwrap().into_inner();
        assert_eq!((found.waiting, found.demands.len()), (1, 1));
        assert!(!format!("{found:?}").contains("13800138000"), "no contact");
        let old = MatchDecideRequest {
            id: id.clone(),
            revision: found.demands[0].revision - 1,
            decision: "approve".to_owned(),
            reason: "合格".to_owned(),
        };
        let refused = console
            .demand_decide(running.by_operator("anna", old))
            .await;
        assert_eq!(code_of(refused), code::CONFLICT);
        running.decide(&id, "approve").await.unwrap();
        running.offer("p1", &id, 100).await.unwrap();
        let before = running.notifications().await;
        console
            .demand_hide(running.by_operator("anna", act(&id)))
            .await
            .unwrap();
        assert_eq!(
            running.notifications().await - before,
            2,
            "its owner and who offered"
        );
        let again = console
            .demand_hide(running.by_operator("anna", act(&id)))
            .await;
        assert_eq!(code_of(again), code::CONFLICT);
        assert_eq!(code_of(running.detail("p1", &id).await), code::NOT_FOUND);
        let own = running.detail("u1", &id).await.unwrap();
        assert_eq!(
            (own.state.as_str(), own.reason.as_str()),
            ("hidden", "有人投诉")
        );
        assert_eq!(code_of(running.submit("u1", &id).await), code::CONFLICT);
        console
            .demand_restore(running.by_operator("anna", act(&id)))
            .await
            .unwrap();
        assert_eq!(running.detail("", &id).await.unwrap().state, "open");

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
        running.is_a("p2", 2).await;
        let form = running.profile("独家授权的装配体轻量化，交付带对比链接，三日完成。");
        let waiting = running.introduce("p2", form).await.unwrap();
        let found = console
            .provider_search(running.by_operator("anna", search("")))
            .await;
        let found = found.unwrap().into_inner();
        assert_eq!((found.waiting, found.providers.len()), (1, 1));
        assert_eq!(found.providers[0].suspects, ["独家授权"]);
        let decide = |decision: &str| {
            let form = MatchDecideRequest {
                id: waiting.provider_id.clone(),
                revision: found.providers[0].revision,
                decision: decision.to_owned(),
                reason: "写清来源".to_owned(),
            };
            running.by_operator("anna", form)
        };
        let odd = console.provider_decide(decide("perhaps")).await;
        assert_eq!(code_of(odd), code::INVALID);
        console.provider_decide(decide("approve")).await.unwrap();
        let again = console.provider_decide(decide("approve")).await;
        assert_eq!(code_of(again), code::CONFLICT);
        assert_eq!(running.info("p2").await.state, "shown");
        let provider = waiting.provider_id.clone();
        console
            .provider_hide(running.by_operator("anna", act(&provider)))
            .await
            .unwrap();
        assert_eq!(running.info("p2").await.state, "hidden");
        assert_eq!(code_of(running.offer("p2", &id, 5).await), code::CONFLICT);
        let form = running.profile("换一段话也不能自己恢复展示，需要平台处理之后才行。");
        assert_eq!(code_of(running.introduce("p2", form).await), code::CONFLICT);
        running.is_a("p2", 1).await;
        assert_eq!(running.info("p2").await.state, "hidden", "no way around");
        running.is_a("p2", 2).await;
        console
            .provider_restore(running.by_operator("anna", act(&provider)))
            .await
            .unwrap();
        let shown = MatchShowRequest { id: provider };
        let shown = console
            .provider_show(running.by_operator("anna", shown))
            .await;
        assert_eq!(shown.unwrap().into_inner().state, "shown");
        assert_eq!(running.number("SELECT COUNT(*) FROM audit").await, 6);
        let seen = ["K242", "K243", "K244", "K247", "K248", "K249"];
        assert_eq!(
            seen.into_iter().collect::<BTreeSet<_>>(),
            audited(xl_matchup::NAME),
            "each has a case"
        );
        running.test.finish().await;
    }
}
