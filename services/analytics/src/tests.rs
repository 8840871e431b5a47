//! Beacons as a browser sends them, and what is counted of them.

use std::net::SocketAddr;

use chassis::Settings;
use chassis::testing::{HeldTable, PATIENCE, Shape, TestParts, eventually, shapes};
use futures::future::join_all;
use proto::analytics::v1::UserVisitRecord;
use proto::code;
use sea_orm::entity::prelude::*;
use serde_json::{Value, json};

use crate::entity::rollup::Period;
use crate::entity::{action, page_view, rollup, support_click, user_visit, visit};
use crate::{Analytics, beacons, rollups};

const BROWSER: &str = "0123456789abcdef0123456789abcdef";
const SITE: &str = "https://www.xuanlan.test";

fn configure(settings: &mut Settings, per_minute: i64) {
    for (path, value) in [
        ("listen", toml::Value::from("127.0.0.1:0")),
        ("origins", vec![SITE].into()),
        ("trusted_proxies", vec!["127.0.0.1"].into()),
        ("per_minute", per_minute.into()),
    ] {
        let path = format!("analytics.beacons.{path}");
        settings.put(&path, value).unwrap();
    }
}

fn begun() -> Value {
    json!({"cookie": BROWSER, "dap": "spring", "entranceUrl": format!("{SITE}/pricePage?a=1"),
        "source": "search", "sourceUrl": "https://www.baidu.com/s?wd=x", "isJson": true})
}

/// The service's handle and its listener, without the rest of its background work.
struct Site {
    test: TestParts,
    analytics: Analytics,
    address: SocketAddr,
}

impl Site {
    async fn open(shape: Shape, per_minute: i64) -> Self {
        let set = |settings: &mut Settings| configure(settings, per_minute);
        Self::on(TestParts::open(shape, &[crate::DEFAULTS], set).await).await
    }

    async fn on(test: TestParts) -> Self {
        let context = test.migrated::<crate::Migrator>(crate::NAME).await;
        crate::migrate(&context).await.unwrap();
        let analytics = Analytics::new(context).unwrap();
        let address = beacons::start(&analytics).unwrap().unwrap();
        Self {
            test,
            analytics,
            address,
        }
    }

    fn request(&self, path: &str, body: String) -> reqwest::RequestBuilder {
        let url = format!("http://{}{path}", self.address);
        let request = reqwest::Client::new().post(url).body(body);
        request
            .header("content-type", "text/plain;charset=UTF-8")
            .header("origin", SITE)
            .header("x-forwarded-for", "198.51.100.7")
    }

    async fn say(&self, path: &str, body: Value) -> Value {
        let sent = self.request(path, body.to_string()).send().await.unwrap();
        sent.json().await.unwrap()
    }

    async fn visit(&self) -> String {
        let reply = self.say("/visitor/add", begun()).await;
        assert_eq!(reply["resp_code"], code::SUCCESS, "{reply}");
        reply["datas"].as_str().unwrap().to_owned()
    }

    async fn count(&self, period: Period, metric: &str, name: &str) -> i64 {
        let start = rollups::start_of(period, self.analytics.now());
        let key = (period, start, metric.to_owned(), name.to_owned());
        let found = rollup::Entity::find_by_id(key).one(&self.analytics.context.db);
        found.await.unwrap().map_or(0, |row| row.count)
    }
}

/// AN005, AN006: the reply of add and end is 60000 with the uuid, and every field of the record is kept.
#[tokio::test(flavor = "multi_thread")]
async fn a_visit_begins_goes_on_and_ends() {
    for shape in shapes() {
        let site = Site::open(shape, 0).await;
        let db = &site.analytics.context.db;
        let uuid = site.visit().await;
        for path in ["/a", "/b?c=d"] {
            let body = json!({"uuid": uuid, "cookie": BROWSER, "url": path, "isJson": true});
            assert_eq!(
                site.say("/visitor/update", body).await["datas"],
                uuid.as_str()
            );
        }
        let ended = site.say("/visitor/end", json!({ "uuid": uuid })).await;
        assert_eq!(ended["resp_code"], code::SUCCESS);
        assert_eq!(ended["datas"], uuid.as_str());
        let kept = visit::Entity::find_by_id(&uuid)
            .one(db)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(
            (
                kept.visitor.as_str(),
                kept.source.as_str(),
                kept.source_host.as_str()
            ),
            (BROWSER, "search", "www.baidu.com")
        );
        assert_eq!(
            (kept.entrance.as_str(), kept.dap.as_str()),
            ("/pricePage", "spring")
        );
        assert_eq!((kept.network.as_str(), kept.pages), ("198.51.100.0/24", 3));
        assert!(kept.ended_at.is_some());
        let pages = page_view::Entity::find().all(db).await.unwrap();
        let paths: Vec<&str> = pages.iter().map(|page| page.path.as_str()).collect();
        assert_eq!(paths, ["/pricePage", "/a", "/b"]);
        // A visit that has ended, and one that never began.
        for uuid in [uuid.as_str(), "ffffffffffffffffffffffffffffffff"] {
            let late = json!({"uuid": uuid, "cookie": BROWSER, "url": "/c"});
            assert_eq!(
                site.say("/visitor/update", late).await["resp_code"],
                code::NOT_FOUND
            );
        }
        assert_eq!(site.analytics.outbox.waiting().await.unwrap(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_are_all_kept_and_counted() {
    for shape in shapes() {
        let site = Site::open(shape, 0).await;
        let visits = join_all((0..300).map(|_| site.visit())).await;
        assert_eq!(visits.len(), 300);
        site.say(
            "/support/click",
            json!({"cookie": BROWSER, "item": "feedback", "url": "/x"}),
        )
        .await;
        let line = json!({"source": "pc", "touristId": BROWSER, "user_id": "u1", "username": "张三",
            "template": "default", "tag": "模型商城", "location": "/", "node": "header"});
        assert_eq!(
            site.say("/action/log", line).await["resp_code"],
            code::SUCCESS
        );
        for _ in 0..2 {
            site.analytics.count_visits().await.unwrap();
        }
        for period in [Period::Hour, Period::Day] {
            assert_eq!(site.count(period, "visits", "").await, 300);
            assert_eq!(site.count(period, "visitors", "").await, 1);
            assert_eq!(site.count(period, "source", "search").await, 300);
            assert_eq!(site.count(period, "page", "/pricePage").await, 300);
            assert_eq!(site.count(period, "support", "feedback").await, 1);
            assert_eq!(site.count(period, "action", "模型商城").await, 1);
        }
        let db = &site.analytics.context.db;
        assert_eq!(support_click::Entity::find().count(db).await.unwrap(), 1);
        let logged = action::Entity::find().one(db).await.unwrap().unwrap();
        assert!(!format!("{logged:?}").contains("张三"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_wanted_is_not_kept() {
    let site = Site::open(Shape::Embedded, 4).await;
    let add = json!({"cookie": BROWSER, "entranceUrl": SITE, "source": "direct"}).to_string();
    for header in ["dnt", "sec-gpc"] {
        let sent = site
            .request("/visitor/add", add.clone())
            .header(header, "1")
            .send();
        let reply: Value = sent.await.unwrap().json().await.unwrap();
        assert_eq!(
            (&reply["resp_code"], &reply["datas"]),
            (&json!(code::SUCCESS), &Value::Null)
        );
    }
    let wrong = site
        .say("/visitor/add", json!({"cookie": "<script>"}))
        .await;
    assert_eq!(wrong["resp_code"], code::INVALID);
    let huge = site
        .request("/visitor/add", "x".repeat(9000))
        .send()
        .await
        .unwrap();
    assert_eq!(huge.status(), 413);
    // The fourth and the fifth of this address.
    let preflight = reqwest::Client::new().request(
        reqwest::Method::OPTIONS,
        format!("http://{}/visitor/add", site.address),
    );
    let allowed = preflight.header("origin", SITE).send().await.unwrap();
    assert_eq!(allowed.headers()["access-control-allow-origin"], SITE);
    let statuses = [
        site.request("/visitor/add", add.clone())
            .send()
            .await
            .unwrap(),
        site.request("/visitor/add", add).send().await.unwrap(),
    ];
    assert_eq!(statuses.map(|one| one.status().as_u16()), [200, 429]);
    assert_eq!(
        visit::Entity::find()
            .count(&site.analytics.context.db)
            .await
            .unwrap(),
        1
    );
}

/// AN010: the call answers the visitor's id.
#[tokio::test]
async fn a_record_without_a_visitor_makes_one() {
    let site = Site::open(Shape::Embedded, 0).await;
    let record = UserVisitRecord {
        start_time: 1,
        end_time: 2,
        button_name: "模型商城".into(),
        ..Default::default()
    };
    let made = site
        .analytics
        .save_user_visit("192.0.2.1", record.clone())
        .await
        .unwrap();
    let known = UserVisitRecord {
        visitor_id: made.clone(),
        ..record
    };
    assert_eq!(
        site.analytics
            .save_user_visit("192.0.2.1", known.clone())
            .await
            .unwrap(),
        made
    );
    for wrong in [
        UserVisitRecord {
            visitor_id: "x".into(),
            ..known.clone()
        },
        UserVisitRecord {
            end_time: 0,
            ..known
        },
    ] {
        assert!(
            site.analytics
                .save_user_visit("192.0.2.1", wrong)
                .await
                .is_err()
        );
    }
    let rows = user_visit::Entity::find()
        .count(&site.analytics.context.db)
        .await;
    assert_eq!(rows.unwrap(), 2);
    // A subscriber's addresses have one budget.
    let site = Site::open(Shape::Embedded, 1).await;
    let save = |address: &'static str| {
        site.analytics
            .save_user_visit(address, UserVisitRecord::default())
    };
    save("2001:db8::1").await.unwrap();
    assert!(save("2001:db8::2").await.is_err());
    save("2001:db8:0:1::1").await.unwrap();
}

/// The counts of a period are those of its 200 most frequent names, also when others become it later.
#[tokio::test]
async fn names_that_fell_out_of_the_most_frequent_go() {
    for shape in shapes() {
        let site = Site::open(shape, 0).await;
        let (db, now) = (&site.analytics.context.db, site.analytics.now());
        let clicks = async |names: std::ops::Range<u32>, times: u32| {
            let rows = names.flat_map(|name| (0..times).map(move |_| name));
            let rows = rows.map(|name| support_click::ActiveModel {
                id: sea_orm::Set(chassis::ids::new_id()),
                visitor: sea_orm::Set(BROWSER.to_owned()),
                item: sea_orm::Set(format!("item {name:03}")),
                path: sea_orm::Set("/".to_owned()),
                at: sea_orm::Set(now),
            });
            let written = support_click::Entity::insert_many(rows);
            written.exec_without_returning(db).await.unwrap();
            site.analytics.count_visits().await.unwrap();
        };
        let kept = async || {
            let rows = rollup::Entity::find()
                .filter(rollup::Column::Period.eq(Period::Day))
                .filter(rollup::Column::Metric.eq("support"));
            rows.count(db).await.unwrap()
        };
        clicks(0..210, 1).await;
        assert_eq!(kept().await, 200);
        assert_eq!(site.count(Period::Day, "support", "item 000").await, 1);
        clicks(205..300, 2).await;
        assert_eq!(kept().await, 200, "95 others came, 95 went");
        assert_eq!(site.count(Period::Day, "support", "item 299").await, 2);
        support_click::Entity::delete_many().exec(db).await.unwrap();
        site.analytics.count_visits().await.unwrap();
        assert_eq!(kept().await, 0);
    }
}

#[tokio::test]
async fn the_funnel_counts_by_day_and_old_rows_go() {
    for shape in shapes() {
        let site = Site::open(shape, 0).await;
        let db = &site.analytics.context.db;
        let now = site.analytics.now();
        for _ in 0..3 {
            rollups::step(db, "paid", now).await.unwrap();
        }
        assert_eq!(site.count(Period::Day, rollups::FUNNEL, "paid").await, 3);
        let uuid = site.visit().await;
        let days = 86_400_000;
        let long_ago = |days_ago: i64| visit::ActiveModel {
            began_at: sea_orm::Set(now - days_ago * days),
            seen_at: sea_orm::Set(now - days_ago * days),
            ..Default::default()
        };
        let age = |days_ago| {
            visit::Entity::update_many()
                .set(long_ago(days_ago))
                .exec(db)
        };
        age(2).await.unwrap();
        site.analytics.forget_old().await.unwrap();
        let silent = visit::Entity::find_by_id(&uuid)
            .one(db)
            .await
            .unwrap()
            .unwrap();
        assert_eq!(silent.ended_at, Some(silent.seen_at));
        age(31).await.unwrap();
        site.analytics.forget_old().await.unwrap();
        assert!(visit::Entity::find().one(db).await.unwrap().is_none());
        assert_eq!(site.count(Period::Day, rollups::FUNNEL, "paid").await, 3);
    }
}

/// Whoever waits for the writer is refused, and the next beacons are written on another connection.
#[tokio::test]
async fn beacons_are_kept_again_after_the_connection_went_silent() {
    let set = |settings: &mut Settings| configure(settings, 1_000);
    let behind = TestParts::behind_proxy(&[crate::DEFAULTS], set);
    let Some((test, proxy)) = behind.await else {
        return;
    };
    let site = Site::on(test).await;
    let add = || {
        let request = site.request("/visitor/add", begun().to_string());
        async move {
            let answer: Value = request
                .timeout(PATIENCE)
                .send()
                .await
                .ok()?
                .json()
                .await
                .ok()?;
            answer["resp_code"].as_i64()
        }
    };
    let past = site.test.database(crate::NAME).await;
    let held = HeldTable::hold(&past, "visit").await;
    let refused = || async { add().await != Some(i64::from(code::SUCCESS)) };
    held.silence_during(&proxy, "INSERT", refused).await;
    eventually("a beacon is kept", || async {
        (add().await? == i64::from(code::SUCCESS)).then_some(())
    })
    .await;
    site.test.finish().await;
}
