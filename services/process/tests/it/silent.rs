//! A job whose connection to the database goes silent while the engine is at work.

use chassis::testing::{HeldTable, eventually};
use sea_orm::{ConnectionTrait, Statement};

use crate::support::{Running, engine_script, triangle_stl};

/// The only worker would wait for ever, and the lease be renewed all the while: no other one would take the job.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_connection_goes_silent_is_done_on_another_one() {
    let folder = tempfile::TempDir::new().unwrap();
    let release = folder.path().join("release");
    let waits = format!(
        "while [ ! -e {} ]; do sleep 0.05; done\nexec $ENGINE \"$@\"",
        release.display()
    );
    let script = engine_script(folder.path(), &waits);
    let started = Running::behind_proxy(|settings| {
        settings.set("process", "engine", script.display().to_string());
        settings.set("process", "workers", 1);
    });
    let Some((running, proxy)) = started.await else {
        return;
    };
    let past = running.test.database("process").await;
    let first = async |sql: &str| {
        let query = Statement::from_string(past.get_database_backend(), sql);
        let row = past.query_one_raw(query).await.unwrap()?;
        row.try_get_by_index::<String>(0).ok()
    };
    running.take_in("u1", "t.stl", triangle_stl()).await;
    eventually("a worker has the job", || async {
        first("SELECT id FROM job WHERE state = 'running'").await
    })
    .await;
    // Reads pass: on a busy machine the job may be given up before its write is seen to wait, and has to come to it again.
    let held = HeldTable::hold_writes(&past, "source_file").await;
    std::fs::write(&release, "").unwrap();
    held.silence(&proxy, "UPDATE").await;
    eventually("the check-up is done", || async {
        first("SELECT id FROM source_file WHERE status = 'ready'").await
    })
    .await;
    running.into_test().finish().await;
}
