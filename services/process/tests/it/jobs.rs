use std::os::unix::fs::PermissionsExt;

use chassis::testing::{Shape, TestParts, eventually, shapes};
use proto::process::v1::*;

use crate::support::{Running, delivery, engine, engine_script, triangle_stl};

/// An engine that hangs until `release` exists, then runs the real one: a worker in the middle of its work.
fn slow_engine(folder: &std::path::Path) -> (std::path::PathBuf, std::path::PathBuf) {
    let release = folder.join("release");
    let text = format!(
        "echo \"$$\" >> {pids}\nwhile [ ! -e {release} ]; do sleep 0.05; done\nexec $ENGINE \"$@\"",
        pids = folder.join("pids").display(),
        release = release.display(),
    );
    (engine_script(folder, &text), release)
}

fn pids(folder: &std::path::Path) -> Vec<i32> {
    let text = std::fs::read_to_string(folder.join("pids")).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_delays_a_job_and_its_try_does_not_count() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let (script, seen) = (folder.path().join("engine"), folder.path().join("seen"));
        let text = format!(
            "#!/bin/sh\nif [ ! -e {seen} ]; then : > {seen}\n\
             echo '{{\"error\": {{\"code\": \"no-space\", \"message\": \"full\"}}}}'; exit 1; fi\n\
             exec {engine} \"$@\"\n",
            seen = seen.display(),
            engine = engine().display()
        );
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
            settings.set("process", "max_attempts", 1);
        })
        .await;
        let id = running.take_in("u1", "a.stl", triangle_stl()).await;
        let file = running.checked("u1", &id).await;
        assert_eq!(file.status, "ready", "{:?}", file.tips);
        assert!(seen.exists());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_nobody_waits_for_leaves_the_processor_to_other_sessions() {
    let folder = tempfile::TempDir::new().unwrap();
    let seen = folder.path().join("seen");
    // Session and niceness of each run, the niceness of its session where Linux has such groups, and its arguments.
    let text = format!(
        "echo \"$(cut -d' ' -f6,19 /proc/self/stat) $(cut -d' ' -f3 /proc/self/autogroup) $*\" >> {}\n\
         exec $ENGINE \"$@\"",
        seen.display()
    );
    let script = engine_script(folder.path(), &text);
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "engine", script.display().to_string());
        settings.set("process", "most_nice", 19);
        settings.set("process", "turntable_frames", 2);
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    assert_eq!(running.checked("u1", &id).await.status, "ready");
    let of = |argument: &'static str| {
        let seen = &seen;
        eventually(argument, move || async move {
            let text = std::fs::read_to_string(seen).unwrap_or_default();
            let line = text.lines().find(|line| line.contains(argument))?;
            Some(line.split(' ').map(str::to_owned).collect::<Vec<_>>())
        })
    };
    // SAFETY: asks for this process' session.
    let own = unsafe { libc::getsid(0) }.to_string();
    let check = of(" check ").await;
    assert_eq!((&check[0], check[1].as_str()), (&own, "5"));
    let turned = of("--turntable").await;
    assert_ne!(turned[0], own);
    assert_eq!(turned[1], "19");
    // Without privileges Linux may refuse it; a field is empty where there are no groups.
    // SAFETY: asks for this process' user.
    let privileged = unsafe { libc::geteuid() } == 0;
    if privileged && !turned[2].is_empty() {
        assert_eq!(turned[2], "19");
    }
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_engine_is_tried_again_and_nothing_is_twice() {
    for shape in shapes() {
        let folder = tempfile::TempDir::new().unwrap();
        let (script, release) = slow_engine(folder.path());
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
        })
        .await;
        let id = running.take_in("u1", "a.stl", triangle_stl()).await;
        let first = eventually("the engine runs", || async {
            pids(folder.path()).first().copied()
        })
        .await;
        // SAFETY: the process was started by this test.
        unsafe { libc::kill(first, libc::SIGKILL) };
        eventually("the engine runs again", || async {
            pids(folder.path()).get(1).copied()
        })
        .await;
        std::fs::write(&release, "").unwrap();
        let file = running.checked("u1", &id).await;
        assert_eq!(file.status, "ready", "{:?}", file.tips);
        let status = GetModelStatusRequest {
            id,
            ..Default::default()
        };
        let status = running
            .client()
            .get_model_status(running.by("u1", status))
            .await
            .unwrap()
            .into_inner();
        let ends = status
            .messages
            .iter()
            .filter(|m| m.status == "Success")
            .count();
        assert_eq!(ends, 1);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_given_back_at_shutdown_and_done_after_a_restart() {
    let folder = tempfile::TempDir::new().unwrap();
    let (script, release) = slow_engine(folder.path());
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "engine", script.display().to_string());
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    let pid = eventually("the engine runs", || async {
        pids(folder.path()).first().copied()
    })
    .await;
    let TestParts {
        parts,
        settings,
        folder: data,
        ..
    } = running.into_test();
    assert!(
        parts
            .shutdown
            .finish(std::time::Duration::from_secs(10))
            .await,
        "ends in time"
    );
    drop(parts);
    // SAFETY: only checks whether the process exists.
    eventually("the engine is gone", || async {
        (unsafe { libc::kill(pid, 0) } != 0).then_some(())
    })
    .await;

    std::fs::write(&release, "").unwrap();
    let parts = chassis::Parts::open(settings, chassis::Shutdown::new())
        .await
        .unwrap();
    let context = parts.context(xl_process::NAME).await.unwrap();
    let db = context.db.clone();
    xl_process::start(context).await.unwrap();
    eventually("the check-up ends after the restart", || async {
        use sea_orm::{ConnectionTrait, Statement};
        let sql = format!("SELECT status FROM source_file WHERE id = '{id}'");
        let row = db
            .query_one_raw(Statement::from_string(db.get_database_backend(), sql))
            .await
            .unwrap()?;
        let status: String = row.try_get("", "status").unwrap();
        (status == "ready").then_some(())
    })
    .await;
    parts
        .shutdown
        .finish(std::time::Duration::from_secs(10))
        .await;
    drop(data);
}

#[tokio::test(flavor = "multi_thread")]
async fn deleting_a_result_stops_its_engine() {
    let folder = tempfile::TempDir::new().unwrap();
    let (script, release) = slow_engine(folder.path());
    std::fs::write(&release, "").unwrap();
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "engine", script.display().to_string());
        settings.set("process", "lease_seconds", 4);
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    running.checked("u1", &id).await;
    running.pictured("u1", &id).await;
    std::fs::remove_file(&release).unwrap();
    let before = pids(folder.path()).len();
    let result = running
        .submit("u1", &id, "convert", r#"{"format":"ply"}"#)
        .await
        .unwrap();
    let pid = eventually("the engine runs", || async {
        pids(folder.path()).get(before).copied()
    })
    .await;
    let request = ResultRequest {
        user_id: String::new(),
        result_id: result,
    };
    running
        .client()
        .delete_result(running.by("u1", request))
        .await
        .unwrap();
    // SAFETY: only checks whether the process exists.
    eventually("the engine is stopped", || async {
        (unsafe { libc::kill(pid, 0) } != 0).then_some(())
    })
    .await;
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_eats_memory_is_stopped_with_a_reason() {
    let folder = tempfile::TempDir::new().unwrap();
    let script = folder.path().join("engine");
    std::fs::write(&script, "#!/bin/sh\nexec python3 -c \"a = bytearray(400 * 1024 * 1024)\nimport time; time.sleep(60)\"\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "engine", script.display().to_string());
        settings.set("process", "job_memory_mb", 200);
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    let file = running.checked("u1", &id).await;
    assert_eq!(file.status, "failed");
    assert!(file.tips.unwrap().contains("内存"));
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scene_has_its_own_time_and_fails_when_it_is_over() {
    let folder = tempfile::TempDir::new().unwrap();
    let script = folder.path().join("engine");
    std::fs::write(&script, "#!/bin/sh\nexec sleep 60\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "engine", script.display().to_string());
        settings.set("process", "scene_wall_seconds", 1);
    })
    .await;
    let mut request = running.upload("u1", "城市.zip", vec![b'P', b'K']).await;
    request.model_type = 2;
    let taken = running
        .client()
        .model_checking(running.by("u1", request))
        .await
        .unwrap();
    let file = running.checked("u1", &taken.into_inner().file_id).await;
    assert_eq!(file.status, "failed");
    assert!(file.tips.unwrap().contains("处理时间超过上限"));
    running.test.finish().await;
}

/// CK018: a scene has its own limit for unpacking, and the owner sees the reason.
#[tokio::test(flavor = "multi_thread")]
async fn a_scene_that_takes_too_long_to_unpack_fails_with_that_reason() {
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "scene_unpack_seconds", 0);
    })
    .await;
    let mut request = running.upload("u1", "城市.zip", delivery(2_000)).await;
    request.model_type = 2;
    let taken = running
        .client()
        .model_checking(running.by("u1", request))
        .await
        .unwrap();
    let id = taken.into_inner().file_id;
    let file = running.checked("u1", &id).await;
    assert_eq!(file.status, "failed");
    assert!(file.tips.unwrap().contains("解压用时超过上限"));
    let status = GetModelStatusRequest {
        id,
        ..Default::default()
    };
    let status = running
        .client()
        .get_model_status(running.by("u1", status))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(status.status, "Error");
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_is_not_installed_ends_a_job() {
    let folder = tempfile::TempDir::new().unwrap();
    let missing = folder.path().join("missing");
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "engine", missing.display().to_string());
        settings.set("process", "max_attempts", 2);
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    let file = running.checked("u1", &id).await;
    assert_eq!(file.status, "failed");
    assert!(file.tips.unwrap().contains("处理时发生异常"));
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_statement_that_the_database_refuses_ends_a_job() {
    use sea_orm::ConnectionTrait;
    let running = Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "max_attempts", 2);
    })
    .await;
    let context = running.test.parts.context(xl_process::NAME).await.unwrap();
    let refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON source_file WHEN NEW.status = 'ready' \
                  BEGIN SELECT RAISE(ABORT, 'refused'); END";
    context.db.execute_unprepared(refuse).await.unwrap();
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    let file = running.checked("u1", &id).await;
    assert_eq!(file.status, "failed");
    assert!(file.tips.unwrap().contains("处理时发生异常"));
    running.test.finish().await;
}
