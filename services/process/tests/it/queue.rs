//! The order of jobs, and which of them give way.

use std::path::Path;
use std::time::{Duration, Instant};

use chassis::testing::{Shape, code_of, eventually, message_of, shapes};
use proto::code;
use sea_orm::ConnectionTrait;
use tempfile::TempDir;

use crate::support::{Running, engine_script, sample, triangle_stl};

/// Starts the service with a script in place of the engine and `workers` workers.
async fn running(shape: Shape, folder: &TempDir, workers: i64, text: &str) -> Running {
    let script = engine_script(folder.path(), text);
    Running::start_with(shape, |settings| {
        settings.set("process", "engine", script.display().to_string());
        settings.set("process", "workers", workers);
        // A slow machine must not change the order.
        settings.set("process", "thumbnail_wait_seconds", 600);
    })
    .await
}

/// A checked file, with its thumbnail.
async fn ready(running: &Running, user: &str, name: &str) -> String {
    let id = running.take_in(user, name, sample("glb", 300)).await;
    let file = running.checked(user, &id).await;
    assert_eq!(file.status, "ready", "{:?}", file.tips);
    running.pictured(user, &id).await;
    id
}

/// Submits different lightweight jobs.
async fn lighten(running: &Running, user: &str, file: &str, count: u32) -> Vec<String> {
    let mut results = Vec::new();
    for number in 1..=count {
        let ratio = f64::from(number) / 1000.0 + 0.1;
        let params = format!(r#"{{"target":{{"kind":"ratio","value":{ratio}}}}}"#);
        let submitted = running.submit(user, file, "lightweight", &params).await;
        results.push(submitted.unwrap());
    }
    results
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn is_there(pid: &str) -> bool {
    let pid = pid.parse().expect("a pid");
    // SAFETY: only checks whether the process exists.
    unsafe { libc::kill(pid, 0) == 0 }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_triangle_behind_sixty_lightenings_is_checked_at_once() {
    for shape in shapes() {
        for workers in [1, 2] {
            let folder = TempDir::new().unwrap();
            let text = "[ \"$1\" = lighten ] && sleep 20\nexec $ENGINE \"$@\"";
            let running = running(shape, &folder, workers, text).await;
            let file = ready(&running, "u1", "a.glb").await;
            lighten(&running, "u1", &file, 60).await;
            let began = Instant::now();
            let id = running.take_in("u2", "b.stl", triangle_stl()).await;
            assert_eq!(running.checked("u2", &id).await.status, "ready");
            let waited = began.elapsed();
            assert!(waited < Duration::from_secs(10), "{waited:?}");
            running.test.finish().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_gave_way_is_done_afterwards_and_no_try_is_lost() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let (pids, release) = (folder.path().join("pids"), folder.path().join("release"));
        let text = format!(
            "if [ \"$1\" = lighten ]; then echo $$ >> {}; while [ ! -e {} ]; do sleep 0.05; done; fi\n\
             exec $ENGINE \"$@\"",
            pids.display(),
            release.display()
        );
        let running = running(shape, &folder, 1, &text).await;
        let file = ready(&running, "u1", "a.glb").await;
        let result = lighten(&running, "u1", &file, 1).await.remove(0);
        eventually("the engine runs", || async {
            (lines(&pids).len() == 1).then_some(())
        })
        .await;
        let id = running.take_in("u2", "b.stl", triangle_stl()).await;
        assert_eq!(running.checked("u2", &id).await.status, "ready");
        eventually("the service runs again", || async {
            (lines(&pids).len() == 2).then_some(())
        })
        .await;
        assert!(!is_there(&lines(&pids)[0]));
        std::fs::write(&release, "").unwrap();
        assert_eq!(running.made("u1", &result).await.status, "done");
        let of = format!("FROM job WHERE result_id = '{result}'");
        assert_eq!(
            running
                .number(&format!("SELECT CAST(attempts AS BIGINT) {of}"))
                .await,
            1
        );
        assert_eq!(
            running
                .number(&format!("SELECT CAST(yields AS BIGINT) {of}"))
                .await,
            1
        );
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn owners_take_turns() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let (log, release) = (folder.path().join("log"), folder.path().join("release"));
        // Arguments of a lightweight run: verb, source, output, `--name`, the name.
        let text = format!(
            "if [ \"$1\" = lighten ]; then echo \"$5\" >> {}; while [ ! -e {} ]; do sleep 0.05; done; fi\n\
             exec $ENGINE \"$@\"",
            log.display(),
            release.display()
        );
        let running = running(shape, &folder, 1, &text).await;
        let files = [
            ready(&running, "u1", "a.glb").await,
            ready(&running, "u2", "b.glb").await,
            ready(&running, "u3", "c.glb").await,
        ];
        lighten(&running, "u1", &files[0], 5).await;
        eventually("the first runs", || async {
            (lines(&log).len() == 1).then_some(())
        })
        .await;
        lighten(&running, "u2", &files[1], 2).await;
        lighten(&running, "u3", &files[2], 1).await;
        std::fs::write(&release, "").unwrap();
        eventually("all have run", || async {
            (lines(&log).len() == 8).then_some(())
        })
        .await;
        let order: Vec<String> = lines(&log)
            .iter()
            .map(|name| name[..1].to_owned())
            .collect();
        assert_eq!(order.concat(), "abcabaaa");
        running.test.finish().await;
    }
}

/// Two processes with one worker each, both drawing a picture: a check-up and a service run all the same, and each of them stops
/// only one picture.
#[tokio::test(flavor = "multi_thread")]
async fn pictures_give_way_in_one_process_of_several() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let pids = folder.path().join("pids");
        let text = format!(
            "[ \"$1\" = render ] && echo $$ >> {} && exec sleep 600\nexec $ENGINE \"$@\"",
            pids.display()
        );
        let running = running(shape, &folder, 1, &text).await;
        let context = running.test.parts.context(xl_process::NAME).await.unwrap();
        let _other = xl_process::start(context).await.unwrap();
        // While the clock stands still no job has waited, so only a free slot takes one.
        let clock = &running.test.parts.clock;
        clock.stop_at(clock.now_ms());
        let drawing = || lines(&pids).iter().filter(|pid| is_there(pid)).count();
        let both_draw = async || {
            eventually("both draw", || async { (drawing() == 2).then_some(()) }).await;
        };
        let first = running.take_in("u1", "a.glb", sample("glb", 300)).await;
        assert_eq!(running.checked("u1", &first).await.status, "ready");
        eventually("its thumbnail is drawn", || async {
            (lines(&pids).len() == 1).then_some(())
        })
        .await;
        let second = running.take_in("u1", "b.glb", sample("glb", 400)).await;
        assert_eq!(running.checked("u1", &second).await.status, "ready");
        both_draw().await;
        let result = running.submit("u1", &first, "convert", r#"{"format":"ply"}"#);
        let result = result.await.unwrap();
        clock.advance_ms(1000);
        assert_eq!(running.made("u1", &result).await.status, "done");
        both_draw().await;
        let id = running.take_in("u2", "c.stl", triangle_stl()).await;
        clock.advance_ms(1000);
        assert_eq!(running.checked("u2", &id).await.status, "ready");
        let most = "SELECT CAST(MAX(attempts) AS BIGINT) FROM job WHERE kind = 'thumbnail'";
        assert!(running.number(most).await <= 1);
        let yields = "SELECT CAST(SUM(yields) AS BIGINT) FROM job";
        assert_eq!(running.number(yields).await, 2, "one for each that came");
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_has_a_bounded_number_of_open_jobs() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let text = "[ \"$1\" = lighten ] && exec sleep 60\nexec $ENGINE \"$@\"";
        let script = engine_script(folder.path(), text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
            settings.set("process", "open_jobs_per_user", 3);
        })
        .await;
        let file = ready(&running, "u1", "a.glb").await;
        let results = lighten(&running, "u1", &file, 3).await;
        let refused = running
            .submit("u1", &file, "convert", "")
            .await
            .unwrap_err();
        assert_eq!(code_of(&refused), code::CONFLICT);
        let text = "同时排队和处理的任务最多 3 个，请等部分任务完成后再提交";
        assert_eq!(message_of(&refused), text);
        let request = running.upload("u1", "b.stl", triangle_stl()).await;
        let refused = running
            .client()
            .model_checking(running.by("u1", request.clone()))
            .await;
        assert_eq!(code_of(&refused.unwrap_err()), code::CONFLICT);
        // Other users are not affected, and repeated requests are answered.
        let other = running.take_in("u2", "b.stl", triangle_stl()).await;
        assert_eq!(running.checked("u2", &other).await.status, "ready");
        let params = r#"{"target":{"kind":"ratio","value":0.101}}"#;
        let again = running.submit("u1", &file, "lightweight", params).await;
        assert_eq!(again.unwrap(), results[0]);
        // Deleting one makes room.
        let delete = proto::process::v1::ResultRequest {
            user_id: String::new(),
            result_id: results[2].clone(),
        };
        let mut client = running.client();
        let deleted = client.delete_result(running.by("u1", delete)).await;
        deleted.unwrap();
        let taken = running
            .client()
            .model_checking(running.by("u1", request))
            .await;
        taken.unwrap();
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_waits_for_room_lets_others_pass_and_does_not_wait_for_ever() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let text = "case \"$*\" in *full.stl*)\n\
             echo '{\"error\": {\"code\": \"no-space\", \"message\": \"full\"}}'; exit 1;; esac\n\
             exec $ENGINE \"$@\"";
        let running = running(shape, &folder, 1, text).await;
        let full = running.take_in("u1", "full.stl", triangle_stl()).await;
        let put_off = "SELECT COUNT(*) FROM job WHERE put_off_at > 0 AND attempts = 0";
        eventually("it is put off", || async {
            (running.number(put_off).await == 1).then_some(())
        })
        .await;
        let other = running.take_in("u2", "b.stl", triangle_stl()).await;
        assert_eq!(running.checked("u2", &other).await.status, "ready");
        assert_eq!(
            running.detail("u1", &full).await.unwrap().status,
            "checking"
        );
        let db = running.database().await;
        let earlier =
            "UPDATE job SET put_off_at = put_off_at - 3600000, ready_at = 0 WHERE put_off_at > 0";
        eventually("it is given up after an hour", || async {
            db.execute_unprepared(earlier).await.unwrap();
            let file = running.detail("u1", &full).await.unwrap();
            (file.status == "failed").then_some(())
        })
        .await;
        running.test.finish().await;
    }
}

/// A job that kills its worker each time.
#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_workers_die_is_given_up() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let text = "[ \"$1\" = lighten ] && exec sleep 60\nexec $ENGINE \"$@\"";
        let running = running(shape, &folder, 1, text).await;
        let file = ready(&running, "u1", "a.glb").await;
        let result = lighten(&running, "u1", &file, 1).await.remove(0);
        let db = running.database().await;
        let dead = "UPDATE job SET lease = 'dead', lease_until = 0, attempts = 6 \
                    WHERE kind = 'lightweight' AND state = 'running'";
        eventually("the worker is dead", || async {
            let killed = db.execute_unprepared(dead).await.unwrap();
            (killed.rows_affected() == 1).then_some(())
        })
        .await;
        let result = running.made("u1", &result).await;
        assert_eq!(result.status, "failed");
        assert!(result.tips.contains("处理时发生异常"), "{}", result.tips);
        running.test.finish().await;
    }
}

/// Measures what `a_triangle_behind_sixty_lightenings_is_checked_at_once` tests, with the real engine and its pictures:
/// `cargo test -p xuanlan-process --test it -- --ignored --nocapture seconds_behind`.
#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement"]
async fn seconds_behind_sixty_lightenings() {
    for workers in [1, 2] {
        let running = Running::start_with(Shape::Embedded, |settings| {
            settings.set("process", "workers", workers);
            settings.set("process", "turntable_frames", 24);
        })
        .await;
        let file = running.take_in("u1", "a.glb", sample("glb", 50_000)).await;
        running.checked("u1", &file).await;
        lighten(&running, "u1", &file, 60).await;
        tokio::time::sleep(Duration::from_secs(4)).await;
        let began = Instant::now();
        let id = running.take_in("u2", "b.stl", triangle_stl()).await;
        let mut seen = Vec::new();
        while seen.len() < 2 {
            let request = proto::process::v1::GetModelStatusRequest {
                id: id.clone(),
                ..Default::default()
            };
            let mut client = running.client();
            let status = client.get_model_status(running.by("u2", request)).await;
            let status = status.unwrap().into_inner().status;
            let passed = match seen.len() {
                0 => status != "Begin",
                _ => status == "Success",
            };
            match passed {
                true => seen.push(began.elapsed()),
                false => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
        let done = "SELECT COUNT(*) FROM job WHERE kind = 'lightweight' AND state = 'done'";
        let done = running.number(done).await;
        println!(
            "workers {workers}: first line {:?}, success {:?}, {done} of 60 done before",
            seen[0], seen[1]
        );
        running.pictured("u2", &id).await;
        println!("  thumbnail {:?}", began.elapsed());
        running.test.finish().await;
    }
}
