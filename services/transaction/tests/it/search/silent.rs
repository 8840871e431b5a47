//! The index when its connection to the database goes silent.

use chassis::testing::{HeldTable, TestParts, eventually};
use proto::transaction::v1::ModelListRequest;
use sea_orm::ConnectionTrait;

use super::{Mall, Running, offered};

#[tokio::test(flavor = "multi_thread")]
async fn the_index_follows_on_another_connection() {
    let started = TestParts::behind_proxy(&[xl_transaction::DEFAULTS], |settings| {
        settings.set("transaction", "review", true);
    });
    let Some((test, proxy)) = started.await else {
        return;
    };
    let running = Running::on(test).await;
    let ids = vec![offered(&running, 0).await];
    let mall = Mall { running, ids };
    mall.until(1).await;
    let past = mall.running.test.database("transaction").await;
    let held = HeldTable::hold(&past, "listing").await;
    held.silence(&proxy, "SELECT").await;
    let taken_down = format!(
        "UPDATE listing SET state = 'takendown', revision = revision + 1, updated_at = updated_at + 1 WHERE id = '{}'",
        mall.ids[0]
    );
    past.execute_unprepared(&taken_down).await.unwrap();
    eventually("the index follows", || async {
        let form = ModelListRequest {
            price_min: Some(1),
            ..Default::default()
        };
        let all = mall.found(form).await;
        all.is_ok_and(|all| all.total_count == 0).then_some(())
    })
    .await;
    mall.running.test.finish().await;
}
