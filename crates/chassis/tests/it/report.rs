//! What processes report of themselves.

use chassis::Settings;
use chassis::db::begin_write;
use chassis::health::report::{self, Report, SILENT_MS};
use chassis::testing::{Shape, TestParts, eventually, every_shape};

#[tokio::test]
async fn a_process_reports_its_services_and_what_they_depend_on() {
    for shape in every_shape() {
        let test = TestParts::open(shape, &[], |_| {}).await;
        let parts = &test.parts;
        let context = test.context("order").await;
        parts.health.add_front("gateway");
        let own = eventually("the broker is reached", || async {
            let report = parts.report().await;
            report.bus.then_some(report)
        })
        .await;
        assert!(
            own.objects && own.disk && own.retrying.is_empty(),
            "{own:?}"
        );
        let names: Vec<_> = own.services.keys().map(String::as_str).collect();
        assert_eq!(names, ["gateway", "order"]);
        assert!(own.service("order").unwrap().health.database);
        assert!(own.started_at_ms <= own.at_ms && !own.version.is_empty());

        // It is found by any process, until it has been silent for long.
        own.publish(&parts.cache).await.unwrap();
        let elsewhere = Report {
            process: "elsewhere-7".to_owned(),
            ..own.clone()
        };
        elsewhere.publish(&parts.cache).await.unwrap();
        let found = report::all(&parts.cache, own.at_ms).await.unwrap();
        assert!(found.contains(&elsewhere), "{shape:?}");
        assert!(elsewhere.is_heard(own.at_ms + SILENT_MS - 1));
        assert!(!elsewhere.is_heard(own.at_ms + SILENT_MS));
        let later = own.at_ms + 600_000;
        let found = report::all(&parts.cache, later).await.unwrap();
        assert!(!found.contains(&elsewhere), "{shape:?}: forgotten");
        let members = parts.cache.members("health").await.unwrap();
        assert!(!members.contains_key("elsewhere-7"), "{shape:?}");
        parts
            .cache
            .put_member("health", "older", b"{}", SHORT)
            .await
            .unwrap();
        report::all(&parts.cache, own.at_ms).await.unwrap();
        let members = parts.cache.members("health").await.unwrap();
        assert!(!members.contains_key("older"), "not understood");

        // Without its database, and without the folder of the objects.
        context.db.clone().close().await.unwrap();
        let broken = eventually("its database is away", || async {
            let report = parts.report().await;
            (!report.services["order"].health.database).then_some(report)
        })
        .await;
        assert!(broken.objects);
        let objects = test.folder.path().join("objects");
        std::fs::rename(&objects, test.folder.path().join("moved")).unwrap();
        assert!(!parts.report().await.objects, "{shape:?}");
        std::fs::rename(test.folder.path().join("moved"), &objects).unwrap();
        assert!(parts.report().await.objects, "{shape:?}");

        // What ends in order takes its report back.
        own.publish(&parts.cache).await.unwrap();
        let cache = parts.cache.clone();
        parts.shutdown.request();
        eventually("nothing is reported", || async {
            let members = cache.members("health").await.unwrap();
            (!members.contains_key(&own.process)).then_some(())
        })
        .await;
        test.finish().await;
    }
}

/// One that holds the write lock for long keeps all others from their work.
#[tokio::test]
async fn a_locked_database_is_reported() {
    let change = |settings: &mut Settings| settings.set("ops", "wait_ms", 300);
    let test = TestParts::open(Shape::Embedded, &[], change).await;
    let context = test.context("order").await;
    let works = async || test.parts.report().await.services["order"].health.database;
    eventually("it works", async || works().await.then_some(())).await;
    let held = begin_write(&context.db).await.unwrap();
    eventually("it does not work", async || (!works().await).then_some(())).await;
    held.rollback().await.unwrap();
    eventually("it works again", async || works().await.then_some(())).await;
    test.finish().await;
}

const SHORT: std::time::Duration = std::time::Duration::from_secs(60);
