//! From the request to its one outcome, and what happens when many come at once or a step dies.

use std::collections::BTreeSet;

use chassis::failpoint::Failure;
use chassis::testing::console::{audited, locked};
use chassis::testing::{Shape, code_of, shapes};
use futures::future::join_all;
use proto::code;
use proto::common::v1::Principal;
use proto::payment::v1::payment_api_client::PaymentApiClient;
use proto::payment::v1::{PayRequest, WithdrawalSearchRequest, WithdrawalShowRequest};
use sea_orm::ConnectionTrait;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;
use tonic::{Request, Status};
use tonic_prost::ProstCodec;
use xl_payment::entity::account::Kind;

use super::world::World;

#[tokio::test]
async fn income_goes_to_a_card_once_and_is_paid_by_whoever_took_it() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let card = world.card("u1").await;
        world.give(Kind::Income, "u1", 50_000).await;
        world.give(Kind::Coin, "u1", 90_000).await;
        // (AC003) Only income: coins stay coins.
        let reply = world
            .request("u1", &card, "number-0", 60_000)
            .await
            .unwrap_err();
        assert_eq!(code_of(&reply), code::NO_FUNDS);
        for (number, cents) in [("number-0", 9_999), ("number-0", 5_000_001), ("x", 10_000)] {
            let reply = world.request("u1", &card, number, cents).await.unwrap_err();
            assert_eq!(code_of(&reply), code::INVALID, "{number} {cents}");
        }
        let asked = world
            .request("u1", &card, "number-1", 30_000)
            .await
            .unwrap();
        assert_eq!((asked.state.as_str(), asked.fee), ("requested", 30));
        let again = world
            .request("u1", &card, "number-1", 30_000)
            .await
            .unwrap();
        assert_eq!(again, asked);
        let other = world
            .request("u1", &card, "number-1", 20_000)
            .await
            .unwrap_err();
        assert_eq!(code_of(&other), code::CONFLICT);
        let list = world.listed("u1").await;
        assert_eq!(
            (
                list.total_count,
                list.income_balance,
                list.held,
                list.results[0].state.as_str()
            ),
            (1, 20_000, 30_000, "requested")
        );
        // No other user sees or ends it.
        assert_eq!(world.listed("u2").await.total_count, 0);
        assert_eq!(
            code_of(&world.cancel("u2", &asked.id).await.unwrap_err()),
            code::NOT_FOUND
        );
        let version = world.version(&asked.id).await;
        world
            .decide("anna", "approve", &asked.id, version)
            .await
            .unwrap();
        let stale = world.decide("anna", "refuse", &asked.id, version).await;
        assert_eq!(code_of(&stale.unwrap_err()), code::CONFLICT);
        assert_eq!(
            code_of(&world.cancel("u1", &asked.id).await.unwrap_err()),
            code::CONFLICT
        );
        let taken = world.take("bob", &asked.id).await.unwrap();
        assert_eq!(
            (taken.card_no.as_str(), taken.holder.as_str()),
            ("6222021234567890128", "张三丰")
        );
        // Only the operator who took it sees the card again, pays it, or reports that the bank did not.
        let form = WithdrawalShowRequest {
            id: asked.id.clone(),
        };
        let looked = world
            .console()
            .withdrawal_card(world.by_operator("anna", form.clone()))
            .await;
        assert_eq!(code_of(&looked.unwrap_err()), code::CONFLICT);
        world
            .console()
            .withdrawal_card(world.by_operator("bob", form))
            .await
            .unwrap();
        assert_eq!(
            code_of(&world.paid("anna", &asked.id).await.unwrap_err()),
            code::CONFLICT
        );
        world.paid("bob", &asked.id).await.unwrap();
        assert_eq!(
            code_of(&world.paid("bob", &asked.id).await.unwrap_err()),
            code::CONFLICT
        );
        assert_eq!(world.has(Kind::Income, "u1").await, 20_000);
        assert_eq!(world.has(Kind::Clearing, "bank").await, 29_970);
        assert_eq!(world.has(Kind::Revenue, "").await, 30);
        let list = world.listed("u1").await;
        assert_eq!(
            (
                list.held,
                list.results[0].state.as_str(),
                list.results[0].reference.as_str()
            ),
            (0, "paid", "ICBC-20261124-1")
        );
        let lines = world
            .text("SELECT CAST(COUNT(*) AS TEXT) FROM statement WHERE transaction_type IN (2, 37) AND amount < 0")
            .await;
        assert_eq!(lines, "2");
        world.finish().await;
    }
}

#[tokio::test]
async fn a_large_one_needs_two_operators() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let card = world.card("u1").await;
        world.give(Kind::Income, "u1", 2_000_000).await;
        let asked = world
            .request("u1", &card, "number-1", 1_000_001)
            .await
            .unwrap();
        let checked = world.decide("anna", "approve", &asked.id, 1).await.unwrap();
        assert_eq!(
            (checked.state.as_str(), checked.needs_two),
            ("checked", true)
        );
        let twice = world
            .decide("anna", "approve", &asked.id, checked.version)
            .await;
        assert_eq!(code_of(&twice.unwrap_err()), code::CONFLICT);
        assert!(world.take("anna", &asked.id).await.is_err());
        let approved = world
            .decide("bob", "approve", &asked.id, checked.version)
            .await
            .unwrap();
        assert_eq!(
            (
                approved.state.as_str(),
                approved.checked_by.as_str(),
                approved.approved_by.as_str()
            ),
            ("approved", "anna", "bob")
        );
        world.take("bob", &asked.id).await.unwrap();
        let back = world.version(&asked.id).await;
        world
            .decide("bob", "giveBack", &asked.id, back)
            .await
            .unwrap();
        assert_eq!(world.show(&asked.id).await.item.unwrap().state, "approved");
        world.finish().await;
    }
}

#[tokio::test]
async fn of_many_requests_for_the_whole_income_one_gets_it() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let card = world.card("u1").await;
        world.give(Kind::Income, "u1", 20_000).await;
        let numbers: Vec<String> = (0..64).map(|number| format!("number-{number}")).collect();
        let asked = numbers
            .iter()
            .map(|number| world.request("u1", &card, number, 20_000));
        let answers = join_all(asked).await;
        let refused: Vec<i32> = answers
            .iter()
            .filter_map(|one| one.as_ref().err().map(code_of))
            .collect();
        assert_eq!(refused, vec![code::NO_FUNDS; 63], "{shape:?}");
        let id = &answers.iter().find_map(|one| one.as_ref().ok()).unwrap().id;
        // Its owner, who refuses and who approves: one of them is first, and the money is in one place.
        let (cancelled, refused, approved) = tokio::join!(
            world.cancel("u1", id),
            world.decide("anna", "refuse", id, 1),
            world.decide("bob", "approve", id, 1),
        );
        let done = [cancelled.is_ok(), refused.is_ok(), approved.is_ok()];
        assert_eq!(done.iter().filter(|done| **done).count(), 1, "{done:?}");
        let left = if approved.is_ok() { 0 } else { 20_000 };
        assert_eq!(world.has(Kind::Income, "u1").await, left);
        // The same number 64 times at once is one withdrawal.
        world.give(Kind::Income, "u2", 20_000).await;
        let card = world.card("u2").await;
        let asked = (0..64).map(|_| world.request("u2", &card, "same-number", 10_000));
        let ids: BTreeSet<String> = join_all(asked)
            .await
            .into_iter()
            .map(|one| one.unwrap().id)
            .collect();
        assert_eq!(ids.len(), 1);
        assert_eq!(world.has(Kind::Income, "u2").await, 10_000);
        world.finish().await;
    }
}

#[tokio::test]
async fn what_the_bank_does_not_pay_comes_back_and_pays_what_is_owed() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let card = world.card("u1").await;
        world.give(Kind::Income, "u1", 20_000).await;
        let asked = world
            .request("u1", &card, "number-1", 20_000)
            .await
            .unwrap();
        world.give(Kind::Debt, "u1", -3_000).await;
        world.decide("anna", "approve", &asked.id, 1).await.unwrap();
        world.take("anna", &asked.id).await.unwrap();
        // A step that dies leaves nothing behind.
        for place in ["payment.withdrawal.ending", "payment.withdrawal.decided"] {
            world.context.fail.arm(place, Failure::Error, 1);
            let version = world.version(&asked.id).await;
            assert!(
                world
                    .decide("anna", "failed", &asked.id, version)
                    .await
                    .is_err()
            );
            assert_eq!(world.has(Kind::Income, "u1").await, 0, "{place}");
        }
        let version = world.version(&asked.id).await;
        let ended = world
            .decide("anna", "failed", &asked.id, version)
            .await
            .unwrap();
        assert_eq!(
            (ended.state.as_str(), ended.reason.as_str()),
            ("failed", "卡号与户名不符")
        );
        assert_eq!(world.has(Kind::Income, "u1").await, 17_000);
        assert_eq!(world.has(Kind::Debt, "u1").await, 0);
        // A request whose answer was lost is the same one when it is sent again.
        world
            .context
            .fail
            .arm("payment.withdrawal.committed", Failure::Error, 1);
        assert!(
            world
                .request("u1", &card, "number-2", 15_000)
                .await
                .is_err()
        );
        world
            .request("u1", &card, "number-2", 15_000)
            .await
            .unwrap();
        assert_eq!(world.has(Kind::Income, "u1").await, 2_000);
        let form = WithdrawalSearchRequest::default();
        let open = world
            .console()
            .withdrawal_search(world.by_operator("anna", form))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(
            (open.waiting, open.waiting_cents, open.withdrawals.len()),
            (1, 15_000, 1)
        );
        world.finish().await;
    }
}

#[tokio::test]
async fn income_pays_orders_of_makers_alone() {
    let world = World::start(Shape::Embedded).await;
    for (user, words) in [("plain", "仅模型师"), ("frozen", "冻结")] {
        world.give(Kind::Income, user, 20_000).await;
        let form = PayRequest {
            order_id: "o1".into(),
            ..Default::default()
        };
        let mut payments = PaymentApiClient::new(world.channel());
        // (PY023)
        let reply = payments
            .income_balance_pay(world.by(user, form))
            .await
            .unwrap_err();
        let reply = chassis::error::business_error(&reply).unwrap();
        assert!(
            reply.code == code::CONFLICT && reply.message.contains(words),
            "{}",
            reply.message
        );
    }
    // Nor does income of a frozen maker leave.
    let card = world.card("frozen").await;
    let reply = world
        .request("frozen", &card, "number-1", 10_000)
        .await
        .unwrap_err();
    assert_eq!(code_of(&reply), code::CONFLICT);
    world.finish().await;
}

#[tokio::test]
async fn every_call_of_the_console_is_locked_and_written_down() {
    let world = World::start(Shape::Embedded).await;
    let tried = locked(xl_payment::NAME, async |path, principal| {
        let mut client = Grpc::new(world.channel());
        client.ready().await.expect("served");
        let principal = Principal {
            audience: xl_payment::NAME.to_owned(),
            ..principal
        };
        let request: Request<()> = world.signed(principal, ());
        let codec = ProstCodec::<(), ()>::default();
        let answer = client.unary(request, PathAndQuery::from_static(path), codec);
        answer.await.err().unwrap_or_else(|| Status::ok(""))
    });
    tried.await;
    let card = world.card("u1").await;
    world.give(Kind::Income, "u1", 50_000).await;
    let asked = world
        .request("u1", &card, "number-1", 10_000)
        .await
        .unwrap();
    let refused = world
        .request("u1", &card, "number-2", 10_000)
        .await
        .unwrap();
    let failed = world
        .request("u1", &card, "number-3", 10_000)
        .await
        .unwrap();
    world
        .decide("anna", "refuse", &refused.id, 1)
        .await
        .unwrap();
    for one in [&asked, &failed] {
        world.decide("anna", "approve", &one.id, 1).await.unwrap();
        world.take("anna", &one.id).await.unwrap();
    }
    let version = world.version(&asked.id).await;
    world
        .decide("anna", "giveBack", &asked.id, version)
        .await
        .unwrap();
    world.take("anna", &asked.id).await.unwrap();
    let form = WithdrawalShowRequest {
        id: asked.id.clone(),
    };
    world
        .console()
        .withdrawal_card(world.by_operator("anna", form))
        .await
        .unwrap();
    world.paid("anna", &asked.id).await.unwrap();
    let version = world.version(&failed.id).await;
    world
        .decide("anna", "failed", &failed.id, version)
        .await
        .unwrap();
    let backend = world.context.db.get_database_backend();
    let calls = sea_orm::Statement::from_string(backend, "SELECT DISTINCT call FROM audit");
    let rows = world.context.db.query_all_raw(calls).await.unwrap();
    let called: BTreeSet<String> = rows
        .iter()
        .map(|row| row.try_get_by_index(0).unwrap())
        .collect();
    let expected: BTreeSet<String> = audited(xl_payment::NAME)
        .into_iter()
        .map(str::to_owned)
        .collect();
    assert_eq!(called, expected);
    world.finish().await;
}
