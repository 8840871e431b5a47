//! Jobs in the operator console: listed, retried, cancelled.

use chassis::testing::{code_of, eventually, shapes};
use proto::code;
use proto::common::v1::Empty;
use proto::process::v1::*;
use tempfile::TempDir;
use tonic::Code;

use crate::support::{Running, engine_script, sample};

async fn search(running: &Running, form: JobSearchRequest) -> Vec<JobItem> {
    let request = running.with_permission("job.read", form);
    let found = running.console().job_search(request).await.unwrap();
    found.into_inner().jobs
}

async fn job_of(running: &Running, result: &str) -> JobDetail {
    let jobs = search(running, JobSearchRequest::default()).await;
    let job = jobs.into_iter().find(|job| job.result_id == result);
    let id = job.expect("its job").id;
    let request = running.with_permission("job.read", JobShowRequest { id });
    running
        .console()
        .job_show(request)
        .await
        .unwrap()
        .into_inner()
}

fn act(detail: &JobDetail, reason: &str) -> JobActRequest {
    JobActRequest {
        id: detail.job.clone().unwrap().id,
        reason: reason.to_owned(),
    }
}

async fn entries(running: &Running, call: &str) -> i64 {
    let of = format!("SELECT COUNT(*) FROM audit WHERE call = '{call}' AND operator_name = 'anna'");
    running.number(&of).await
}

async fn lighten(running: &Running, file: &str, ratio: f64) -> String {
    let params = format!(r#"{{"target":{{"kind":"ratio","value":{ratio}}}}}"#);
    running
        .submit("u1", file, "lightweight", &params)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_job_tells_why_and_is_tried_again_and_a_waiting_one_is_cancelled() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let (broken, held) = (folder.path().join("broken"), folder.path().join("held"));
        let text = format!(
            "if [ \"$1\" = lighten ]; then\n[ -e {} ] && echo no luck >&2 && kill -9 $$\n\
             while [ -e {} ]; do sleep 0.05; done\nfi\nexec $ENGINE \"$@\"",
            broken.display(),
            held.display()
        );
        let script = engine_script(folder.path(), &text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
            settings.set("process", "workers", 1);
            settings.set("process", "max_attempts", 2);
        })
        .await;
        let file = running.take_in("u1", "a.glb", sample("glb", 300)).await;
        assert_eq!(running.checked("u1", &file).await.status, "ready");
        running.pictured("u1", &file).await;

        // It crashes at each attempt: the job stores the last cause, the owner sees a general message.
        std::fs::write(&broken, "").unwrap();
        let result = lighten(&running, &file, 0.5).await;
        assert_eq!(running.made("u1", &result).await.status, "failed");
        let failed = job_of(&running, &result).await;
        let job = failed.job.clone().unwrap();
        assert_eq!(
            (job.state.as_str(), job.attempts, failed.max_attempts),
            ("failed", 2, 2)
        );
        assert!(job.error.contains("engine fell"), "{}", job.error);
        assert_eq!(
            (failed.file_name.as_str(), job.owner.as_str()),
            ("a.glb", "u1")
        );
        assert!(failed.can_retry && !failed.can_cancel && !failed.tips.is_empty());

        // Operators without the permission, and actions without a reason, are refused and write nothing.
        let request = running.with_permission("job.read", act(&failed, "x"));
        let reply = running.console().job_retry(request).await.unwrap_err();
        assert_eq!(reply.code(), Code::PermissionDenied);
        let request = running.with_permission("job.manage", act(&failed, " "));
        let reply = running.console().job_retry(request).await.unwrap_err();
        assert_eq!(code_of(&reply), code::INVALID);
        assert_eq!(
            running.result("u1", &result).await.unwrap().status,
            "failed"
        );
        assert_eq!(entries(&running, "K113").await, 0);

        std::fs::remove_file(&broken).unwrap();
        std::fs::write(&held, "").unwrap();
        let request = running.with_permission("job.manage", act(&failed, "engine mended"));
        let again = running
            .console()
            .job_retry(request)
            .await
            .unwrap()
            .into_inner()
            .id;
        assert_ne!(again, job.id);
        let request = running.with_permission("job.manage", act(&failed, "twice"));
        let reply = running.console().job_retry(request).await.unwrap_err();
        assert_eq!(code_of(&reply), code::CONFLICT, "it is under way");
        assert_eq!(entries(&running, "K113").await, 1);
        eventually("it runs", || async {
            let form = JobSearchRequest {
                state: "running".to_owned(),
                kind: "lightweight".to_owned(),
                owner: "u1".to_owned(),
                ..Default::default()
            };
            let jobs = search(&running, form).await;
            jobs.iter().any(|job| job.id == again).then_some(())
        })
        .await;

        // The next one waits behind it: it is listed, and removed from the queue.
        let waiting = lighten(&running, &file, 0.6).await;
        let request = running.with_permission("job.read", Empty {});
        let queues = running
            .console()
            .job_queues(request)
            .await
            .unwrap()
            .into_inner();
        let queue = queues
            .queues
            .iter()
            .find(|queue| queue.kind == "lightweight");
        let queue = queue.unwrap();
        assert_eq!((queue.queued, queue.running, queue.failed), (1, 1, 1));
        assert_eq!(
            (queues.workers, queues.queues.len()),
            (1, 9),
            "each kind of job"
        );
        assert!(!queues.engine.is_empty());
        let detail = job_of(&running, &waiting).await;
        assert!(detail.can_cancel);
        let request = running.with_permission("job.manage", act(&detail, "stuck"));
        running.console().job_cancel(request).await.unwrap();
        let ended = running.result("u1", &waiting).await.unwrap();
        assert_eq!(
            (ended.status.as_str(), ended.tips.as_str()),
            ("failed", "任务已由平台取消，可以重新提交")
        );
        let request = running.with_permission("job.manage", act(&detail, "again"));
        let reply = running.console().job_cancel(request).await.unwrap_err();
        assert_eq!(code_of(&reply), code::CONFLICT);
        assert_eq!(entries(&running, "K114").await, 1);

        std::fs::remove_file(&held).unwrap();
        assert_eq!(running.made("u1", &result).await.status, "done");
        pages_follow_each_other(&running).await;
        running.test.finish().await;
    }
}

async fn pages_follow_each_other(running: &Running) {
    let all = search(running, JobSearchRequest::default()).await;
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let form = JobSearchRequest {
            after,
            size: 2,
            ..Default::default()
        };
        let request = running.with_permission("job.read", form);
        let page = running
            .console()
            .job_search(request)
            .await
            .unwrap()
            .into_inner();
        seen.extend(page.jobs.into_iter().map(|job| job.id));
        after = page.next;
        if after.is_empty() {
            break;
        }
    }
    let all: Vec<String> = all.into_iter().map(|job| job.id).collect();
    assert_eq!(seen, all);
    for wrong in [
        JobSearchRequest {
            state: "lost".to_owned(),
            ..Default::default()
        },
        JobSearchRequest {
            kind: "x".to_owned(),
            ..Default::default()
        },
        JobSearchRequest {
            size: 101,
            ..Default::default()
        },
        JobSearchRequest {
            after: "x".to_owned(),
            ..Default::default()
        },
    ] {
        let request = running.with_permission("job.read", wrong.clone());
        let reply = running.console().job_search(request).await.unwrap_err();
        assert_eq!(code_of(&reply), code::INVALID, "{wrong:?}");
    }
    let show = JobShowRequest {
        id: "nobody".to_owned(),
    };
    let request = running.with_permission("job.read", show);
    let reply = running.console().job_show(request).await.unwrap_err();
    assert_eq!(code_of(&reply), code::NOT_FOUND);
}
