//! One order from click to membership, and prices that only the server determines.

use chassis::testing::{eventually, shapes};
use money::{World, code_of};
use proto::code;
use proto::order::v1::{CallerRequest, CreateMemberOrderRequest, ListOrdersRequest, OrderRequest};
use proto::payment::v1::{AccountDetailsRequest, PayRequest};

use crate::support::Test;

/// MB022, MB026, MB029, MB034, PY021, OR011, AM045.
#[tokio::test]
async fn a_membership_is_bought_with_coins() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 50_000).await;
        assert_eq!(test.profile("u1").await.member_status, None);
        let order = test.membership("u1", "1").await.unwrap();
        assert_eq!(
            (order.amount, order.pay_able, order.cloud_coin),
            (29_900, 29_900, 50_000)
        );
        assert_eq!(
            (order.order_id.as_str(), order.status),
            (order.uuid.as_str(), 0)
        );
        assert_eq!(order.expire_time - order.create_time, 30 * 60 * 1000);
        test.pay_coins("u1", &order.order_id, "").await.unwrap();
        eventually("the membership is delivered", || async {
            (test.status("u1", &order.order_id).await == (1, true)).then_some(())
        })
        .await;
        let profile = test.profile("u1").await;
        assert_eq!(profile.member_status, Some(1));
        assert_eq!(profile.member_grade_name.as_deref(), Some("基础会员"));
        assert_eq!(profile.remaining_days, Some(365));
        let runs_out = profile.expiration_time.expect("an end") - order.create_time;
        assert!((365..=366).contains(&(runs_out / 86_400_000)), "{runs_out}");
        assert_eq!(test.coins("u1").await, 20_100);
        let again = test.pay_coins("u1", &order.order_id, "").await.unwrap_err();
        assert_eq!(code_of(&again), code::CONFLICT);
        assert_eq!(test.coins("u1").await, 20_100);

        let details = test.payment_call("u1", AccountDetailsRequest::default());
        let details = test.payment_api().query_account_details(details).await;
        let details = details.unwrap().into_inner();
        let amounts: Vec<i64> = details.results.iter().map(|line| line.amount).collect();
        assert_eq!((details.total_count, amounts), (2, vec![-29_900, 50_000]));
        assert_eq!(details.results[0].balance, Some(20_100));
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn a_package_is_bought_with_coins() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 20_000).await;
        let unknown = test.package("u1", "storage-1").await.unwrap_err();
        assert_eq!(code_of(&unknown), code::INVALID);
        let order = test.package("u1", "storage-100").await.unwrap();
        assert_eq!(
            (order.amount, order.function_module, order.order_type),
            (9_900, 2, 4)
        );
        assert!(!order.can_use_coupon);
        assert!(test.own_packages("u1").await.is_empty());
        test.pay_coins("u1", &order.order_id, "").await.unwrap();
        eventually("the package is delivered", || async {
            (test.status("u1", &order.order_id).await == (1, true)).then_some(())
        })
        .await;
        let own = test.own_packages("u1").await;
        assert_eq!(own.len(), 1);
        assert_eq!(
            (own[0].order_id.as_str(), own[0].storage_gb, own[0].status),
            (order.order_id.as_str(), 100, 1)
        );
        let days = (own[0].expire_time - own[0].start_time) / (24 * 3600 * 1000);
        assert!((365..=366).contains(&days), "{days}");
        assert!(test.own_packages("u2").await.is_empty());
        assert_eq!(test.coins("u1").await, 10_100);
        // (AC008) Of the account's lines only this purchase has type 4: the grant has not.
        let bought = AccountDetailsRequest {
            transaction_type: Some(4),
            ..Default::default()
        };
        let bought = test.payment_call("u1", bought);
        let bought = test.payment_api().query_account_details(bought).await;
        let bought = bought.unwrap().into_inner();
        let lines: Vec<(i32, i64)> = bought
            .results
            .iter()
            .map(|line| (line.transaction_type, line.amount))
            .collect();
        assert_eq!((bought.total_count, lines), (1, vec![(4, -9_900)]));
        // A package is no membership.
        assert_eq!(test.profile("u1").await.member_status, None);
        test.sound(shape).await;
    }
}

/// AM021: never, active, expired. AM024: the higher grade first, then the rest of the paid term.
#[tokio::test]
async fn grades_stack_and_some_are_refused() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 1_000_000).await;
        let mut refused = Vec::new();
        for grade in ["1", "1", "3", "1", "3", "2"] {
            match test.membership("u1", grade).await {
                Ok(order) => {
                    test.pay_coins("u1", &order.order_id, "").await.unwrap();
                    eventually("delivered", || async {
                        test.status("u1", &order.order_id).await.1.then_some(())
                    })
                    .await;
                    // Order learns of memberships by event.
                    assert!(test.settle().await.unwrap().is_empty());
                }
                Err(status) => refused.push((grade, code_of(&status))),
            }
        }
        assert_eq!(
            refused,
            [("1", code::CONFLICT), ("3", code::CONFLICT)],
            "{shape:?}"
        );
        let profile = test.profile("u1").await;
        assert_eq!(profile.member_grade_name.as_deref(), Some("专业会员"));
        assert_eq!(profile.remaining_days, Some(365));
        test.later(366 * 24 * 60);
        let next = test.profile("u1").await;
        assert_eq!(next.member_grade_name.as_deref(), Some("高级会员"));
        test.later(3 * 366 * 24 * 60);
        let over = test.profile("u1").await;
        assert_eq!(
            (over.member_status, over.member_grade_name),
            (Some(0), None)
        );
        test.sound(shape).await;
    }
}

#[tokio::test]
async fn a_recharge_brings_coins() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        let order = test.recharge("u1", 10_000).await.unwrap();
        let by_coins = test.pay_coins("u1", &order.order_id, "").await.unwrap_err();
        assert_eq!(code_of(&by_coins), code::CONFLICT);
        let number = test.pay_outside("u1", &order.order_id).await.unwrap();
        assert!(number.len() <= 32);
        assert!(test.bank.pay(&number));
        for _ in 0..3 {
            let message = test.bank.message(&number);
            test.payments.notified("wechat", &message).await.unwrap();
        }
        eventually("the coins are there", || async {
            (test.coins("u1").await == 10_000).then_some(())
        })
        .await;
        test.becomes("u1", &order.order_id, 1).await;
        for cents in [0, -1, 99, 10_000_000, i64::MAX, i64::MIN] {
            let wrong = test.recharge("u1", cents).await.unwrap_err();
            assert_eq!(code_of(&wrong), code::INVALID, "{cents}");
        }
        test.sound(shape).await;
    }
}

/// 8: the price is the server's, whatever is sent. AM025: months are not sold. AM043: the minimum is enough.
#[tokio::test]
async fn invariant_8_nobody_else_makes_the_price() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 100_000).await;
        test.grant("u2", 100_000).await;
        let coupons = test.gift("u1").await.unwrap();
        let order = test.membership("u1", "1").await.unwrap().order_id;
        let attempt = |user: &'static str, coupon_id: &str, coupon: &str| {
            let request = PayRequest {
                coupon: coupon.to_owned(),
                ..World::pay_request(&order, coupon_id)
            };
            let request = test.payment_call(user, request);
            let mut api = test.payment_api();
            async move {
                api.cloud_coin_pay(request)
                    .await
                    .map_err(|s| code_of(&s))
                    .map(drop)
            }
        };
        let fitting = &coupons[0].coupon_id;
        let too_large = &coupons[1].coupon_id;
        assert_eq!(attempt("u2", "", "").await, Err(code::NOT_FOUND));
        assert_eq!(attempt("u1", "", "29899").await, Err(code::CONFLICT));
        assert_eq!(attempt("u1", fitting, "29900").await, Err(code::CONFLICT));
        assert_eq!(attempt("u1", fitting, "-3000").await, Err(code::INVALID));
        assert_eq!(attempt("u1", too_large, "").await, Err(code::CONFLICT));
        assert_eq!(
            attempt("u1", "no such coupon", "").await,
            Err(code::NOT_FOUND)
        );
        assert_eq!(
            (test.coins("u1").await, test.coins("u2").await),
            (100_000, 100_000)
        );
        for (grade, monthly) in [("4", 0), ("", 0), ("1", 1)] {
            let request = CreateMemberOrderRequest {
                member_grade_id: grade.to_owned(),
                is_monthly: monthly,
                ..Default::default()
            };
            let request = test.order_call("u1", request);
            let refused = test
                .orders()
                .create_member_order(request)
                .await
                .unwrap_err();
            assert_eq!(code_of(&refused), code::INVALID, "{grade} {monthly}");
        }
        attempt("u1", fitting, "3000").await.unwrap();
        test.becomes("u1", &order, 1).await;
        assert_eq!(test.coins("u1").await, 100_000 - 26_900);
        test.sound(shape).await;
    }
}

/// GR006 to GR009, GR015 to GR018, GR024 to GR027: prices, space and sizes of the grades.
#[tokio::test]
async fn orders_are_listed_and_belong_to_their_owner() {
    for shape in shapes() {
        let test = Test::start(shape).await;
        test.grant("u1", 100_000).await;
        let paid = test.membership("u1", "1").await.unwrap().order_id;
        test.pay_coins("u1", &paid, "").await.unwrap();
        test.becomes("u1", &paid, 1).await;
        let cancelled = test.membership("u1", "2").await.unwrap().order_id;
        test.cancel("u1", &cancelled).await.unwrap();
        let open = test.recharge("u1", 500).await.unwrap().order_id;
        let page = |request: ListOrdersRequest| {
            let request = test.order_call("u1", request);
            let mut orders = test.orders();
            async move {
                let page = orders.list_orders(request).await.unwrap().into_inner();
                let ids: Vec<String> = page.results.into_iter().map(|o| o.order_id).collect();
                (page.total_count, ids)
            }
        };
        for (status, id) in [(0, &open), (1, &paid), (2, &cancelled)] {
            let request = ListOrdersRequest {
                status: Some(status),
                ..Default::default()
            };
            assert_eq!(page(request).await, (1, vec![id.clone()]), "{status}");
        }
        let second = ListOrdersRequest {
            page_no: 2,
            page_size: 2,
            ..Default::default()
        };
        assert_eq!(page(second).await, (3, vec![paid.clone()]));
        let grades = test.order_call("", CallerRequest::default());
        let grades = test.orders().select_member_grade_list(grades).await;
        let grades = grades.unwrap().into_inner().grades;
        let fees: Vec<i64> = grades.iter().map(|grade| grade.annual_fee).collect();
        assert_eq!(fees, [29_900, 69_900, 169_900]);
        let sizes: Vec<_> = grades
            .iter()
            .map(|grade| (grade.storage_gb, grade.single_max_mb, grade.scene_max_gb))
            .collect();
        assert_eq!(sizes, [(500, 500, 20), (1_024, 500, 50), (5_120, 500, 100)]);
        let foreign = OrderRequest {
            order_id: paid.clone(),
            ..Default::default()
        };
        let foreign = test.order_call("u2", foreign);
        let refused = test.orders().get_by_id(foreign).await.unwrap_err();
        assert_eq!(code_of(&refused), code::NOT_FOUND);
        let refused = test.cancel("u2", &open).await.unwrap_err();
        assert_eq!(code_of(&refused), code::NOT_FOUND);
        assert_eq!(
            code_of(&test.cancel("u1", &paid).await.unwrap_err()),
            code::CONFLICT
        );
        test.sound(shape).await;
    }
}

/// MB024, MB025, MB030: the data of each grade for pages, over HTTP.
#[tokio::test(flavor = "multi_thread")]
async fn every_grade_carries_every_field_over_http() {
    let till = crate::till::Till::start(shapes()[0]).await;
    let mut client = gateway::client::SignedClient::connect(&till.site)
        .await
        .unwrap();
    client.clock = till.parts.parts.clock.clone();
    let path = "/api-personal/laozi/v3/myMember/selectMemberGradeList";
    let answer = client.call(path, &[]).await.unwrap();
    assert_eq!(answer.resp_code, 60000, "{}", answer.resp_msg);
    let grades = answer.datas.as_array().unwrap();
    let names: Vec<&str> = grades
        .iter()
        .map(|grade| grade["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["基础会员", "高级会员", "专业会员"]);
    for grade in grades {
        assert!(!grade["id"].as_str().unwrap().is_empty());
        for field in [
            "singleModelLightweight",
            "modelFormatConversion",
            "singleModelOfflinePackage",
            "sceneModelLightweight",
            "modelMallChargeModelDownloads",
            "annualFee",
            "monthlyAverage",
            "monthlyFee",
            "firstMonthFee",
        ] {
            let figure = grade[field].as_i64();
            assert!(
                figure.is_some_and(|figure| figure != 0),
                "{field} of {grade}"
            );
        }
    }
    // Each figure is its own: services/order/src/default.toml.
    for (field, figure) in [
        ("singleModelLightweight", -1),
        ("sceneModelLightweight", 50),
        ("modelMallChargeModelDownloads", 500),
        ("annualFee", 169_900),
        ("monthlyFee", 19_900),
        ("firstMonthFee", 9_990),
    ] {
        assert_eq!(grades[2][field].as_i64(), Some(figure), "{field}");
    }
    till.parts.finish().await;
}
