//! Misbehaving engines, and a killed worker.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use chassis::testing::{Shape, eventually};

use crate::support::{Running, triangle_stl};

/// A script in place of the engine.
fn engine_of(folder: &Path, text: &str) -> PathBuf {
    let script = folder.join("engine");
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script
}

async fn running(
    script: &Path,
    folder: &Path,
    change: impl FnOnce(&mut chassis::Settings),
) -> Running {
    Running::start_with(Shape::Embedded, |settings| {
        settings.set("process", "engine", script.display().to_string());
        settings.set(
            "process",
            "temp_dir",
            folder.join("jobs").display().to_string(),
        );
        change(settings);
    })
    .await
}

fn jobs(folder: &Path) -> usize {
    std::fs::read_dir(folder.join("jobs")).map_or(0, Iterator::count)
}

fn is_there(pid: i32) -> bool {
    // SAFETY: only checks whether the process exists.
    unsafe { libc::kill(pid, 0) == 0 }
}

async fn pid_in(file: &Path) -> i32 {
    eventually("the engine runs", || async {
        let text = std::fs::read_to_string(file).ok()?;
        text.trim().parse().ok()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_ignores_requests_to_end_is_ended() {
    let folder = tempfile::TempDir::new().unwrap();
    let pid_file = folder.path().join("pid");
    let text = format!(
        "#!/bin/sh\ntrap '' TERM INT HUP\necho $$ > {}\nwhile :; do sleep 0.1; done\n",
        pid_file.display()
    );
    let script = engine_of(folder.path(), &text);
    let running = running(&script, folder.path(), |settings| {
        settings.set("process", "job_wall_seconds", 2)
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    let pid = pid_in(&pid_file).await;
    let file = running.checked("u1", &id).await;
    assert!(file.tips.unwrap().contains("处理时间超过上限"));
    eventually("the engine is gone", || async {
        (!is_there(pid)).then_some(())
    })
    .await;
    eventually("its folder is gone", || async {
        (jobs(folder.path()) == 0).then_some(())
    })
    .await;
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn memory_without_a_file_counts_also_when_it_is_shared() {
    let folder = tempfile::TempDir::new().unwrap();
    let text = "#!/bin/sh\nexec python3 -c \"import mmap, time\na = mmap.mmap(-1, 400 << 20)\nfor i in range(0, 400 << 20, 4096): a[i] = 1\ntime.sleep(60)\"\n";
    let script = engine_of(folder.path(), text);
    let running = running(&script, folder.path(), |settings| {
        settings.set("process", "job_memory_mb", 200)
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    let file = running.checked("u1", &id).await;
    assert!(file.tips.unwrap().contains("内存"));
    eventually("its folder is gone", || async {
        (jobs(folder.path()) == 0).then_some(())
    })
    .await;
    running.test.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_mapped_input_does_not_count() {
    let folder = tempfile::TempDir::new().unwrap();
    let done = folder.path().join("done");
    let text = format!(
        "#!/bin/sh\nexec python3 -c \"import mmap, time\nf = open('large', 'w+b')\nf.truncate(600 << 20)\na = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)\nsum(a[i] for i in range(0, 600 << 20, 4096))\ntime.sleep(1)\nopen('{}', 'w')\nprint('{{\\\"error\\\": {{\\\"message\\\": \\\"seen\\\"}}}}')\nexit(2)\"\n",
        done.display()
    );
    let script = engine_of(folder.path(), &text);
    let running = running(&script, folder.path(), |settings| {
        settings.set("process", "job_memory_mb", 200)
    })
    .await;
    let id = running.take_in("u1", "a.stl", triangle_stl()).await;
    let file = running.checked("u1", &id).await;
    assert_eq!(file.tips.as_deref(), Some("seen"));
    assert!(done.exists());
    running.test.finish().await;
}

/// A small file gets little CPU time, whatever is packed into it.
#[tokio::test(flavor = "multi_thread")]
async fn the_time_of_a_check_up_goes_with_the_size_of_its_file() {
    let folder = tempfile::TempDir::new().unwrap();
    let text = "#!/bin/sh\necho \"{\\\"error\\\": {\\\"message\\\": \\\"$*\\\"}}\"\nexit 2\n";
    let script = engine_of(folder.path(), text);
    let running = running(&script, folder.path(), |_| {}).await;
    for (name, content, seconds) in [
        ("a.stl", triangle_stl(), 40),
        ("b.stl", vec![0; 3 << 20], 70),
    ] {
        let id = running.take_in("u1", name, content).await;
        let reply = running.checked("u1", &id).await.tips.unwrap();
        let limit = format!("--max-cpu-seconds {seconds} ");
        assert!(reply.contains(&limit), "{reply}");
    }
    running.test.finish().await;
}

const WORKER: &str = "XUANLAN_TEST_WORKER";

/// A worker in a process of its own, which the next test kills; not run on its own.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "run by the next"]
async fn a_worker() {
    let Some(folder) = std::env::var_os(WORKER).map(PathBuf::from) else {
        return;
    };
    let running = running(&folder.join("engine"), &folder, |_| {}).await;
    running.take_in("u1", "a.stl", triangle_stl()).await;
    std::future::pending::<()>().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_worker_leaves_is_removed() {
    let folder = tempfile::TempDir::new().unwrap();
    let pid_file = folder.path().join("pid");
    let text = format!(
        "#!/bin/sh\necho $$ > {}\nexec sleep 60\n",
        pid_file.display()
    );
    let script = engine_of(folder.path(), &text);
    let mut worker = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "limits::a_worker", "--ignored", "--nocapture"])
        .env(WORKER, folder.path())
        .spawn()
        .unwrap();
    let pid = pid_in(&pid_file).await;
    // SIGKILL: the process cannot clean up.
    worker.kill().unwrap();
    worker.wait().unwrap();
    eventually("the engine dies with its worker", || async {
        (!is_there(pid)).then_some(())
    })
    .await;
    assert_eq!(jobs(folder.path()), 1);
    let running = running(&script, folder.path(), |_| {}).await;
    assert_eq!(jobs(folder.path()), 0);
    running.test.finish().await;
}
