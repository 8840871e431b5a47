//! The listings of a new site: complete after a kill in the middle, and none of them twice.

use std::path::Path;
use std::time::{Duration, Instant};

use sea_orm::{ConnectionTrait, Database, DbErr};

use crate::site::{self, Site, program};

const MANIFEST: &str = r#"
[[maker]]
name = "玄览工作室"
kind = 1
intro = "示例"

[family.spring]
maker = 1
category = "c1004"
labels = ["1001"]
listings = [
  { name = "压缩弹簧", set = "turns=4", price = 0, text = "有效 {turns} 圈。外形 {size}。" },
]
"#;

/// Selects our listings; the demo's account has drafts as well.
const OURS: &str = "(SELECT id FROM listing WHERE name LIKE '%弹簧')";

fn start(folder: &Path) -> Site {
    let mut command = program(folder);
    command.env("XUANLAN__STANDALONE__MALL_FILE", folder.join("mall.toml"));
    Site::start(command)
}

async fn count(folder: &Path, service: &str, sql: &str) -> Result<i64, DbErr> {
    let file = folder.join("data").join(format!("{service}.db"));
    let db = Database::connect(format!("sqlite:{}?mode=ro", file.display())).await?;
    let row = db
        .query_one_raw(sea_orm::Statement::from_string(
            db.get_database_backend(),
            sql,
        ))
        .await?;
    let counted = row.map_or(Ok(0), |row| row.try_get_by_index(0));
    db.close().await?;
    counted
}

async fn until(folder: &Path, sql: &str, expected: i64) {
    let end = Instant::now() + Duration::from_secs(480);
    loop {
        let counted = count(folder, "transaction", sql).await;
        if counted == Ok(expected) {
            return;
        }
        assert!(Instant::now() < end, "{sql}: {counted:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn a_new_mall_is_whole_after_a_kill_and_nothing_is_there_twice() {
    let folder = site::folder();
    let folder = folder.path();
    std::fs::write(folder.join("mall.toml"), MANIFEST).unwrap();
    let first = start(folder);
    let begun = format!("SELECT COUNT(*) > 0 FROM listing_version WHERE listing_id IN {OURS}");
    until(folder, &begun, 1).await;
    drop(first);
    let second = start(folder);
    let listed = format!("SELECT COUNT(*) FROM listing WHERE state = 'listed' AND id IN {OURS}");
    until(folder, &listed, 1).await;
    let marker = folder.join("data/demo/mall-seeded");
    let end = Instant::now() + Duration::from_secs(60);
    while !marker.exists() {
        assert!(Instant::now() < end, "it is not done");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let versions = format!("SELECT COUNT(*) FROM listing_version WHERE listing_id IN {OURS}");
    let files = "SELECT COUNT(*) FROM source_file WHERE object_key LIKE '%/demo/mall/%'";
    let drawn = "SELECT COUNT(*) FROM job WHERE kind = 'showcase'";
    let hasty = "SELECT COUNT(*) FROM job WHERE kind = 'showcase' AND priority < 4";
    for (service, sql, expected) in [
        (
            "transaction",
            "SELECT COUNT(*) FROM listing WHERE name LIKE '%弹簧'",
            1,
        ),
        ("transaction", &versions, 1),
        // The maker is approved, and the listing.
        ("transaction", "SELECT COUNT(*) FROM audit", 2),
        ("process", files, 1),
        ("process", drawn, 1),
        ("process", hasty, 0),
    ] {
        assert_eq!(count(folder, service, sql).await, Ok(expected), "{sql}");
    }
    drop(second);
}
