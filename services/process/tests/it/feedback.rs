//! Ratings of results: of one's own finished ones, changed, read by operators.
//! covers: R16 R17 X370

use chassis::testing::{code_of, message_of, shapes};
use proto::code;
use proto::common::v1::Empty;
use proto::process::v1::*;
use tempfile::TempDir;
use tonic::{Code, Status};

use crate::support::{Running, engine_script, sample};

async fn say(
    running: &Running,
    user: &str,
    result: &str,
    (stars, content): (i32, &str),
) -> Result<(), Status> {
    let form = ResultFeedbackForm {
        user_id: user.to_owned(),
        result_id: result.to_owned(),
        stars,
        content: content.to_owned(),
    };
    let mut client = running.client();
    let said = client.save_or_update_user_feedback(running.by(user, form));
    said.await.map(|_| ())
}

async fn has_said(running: &Running, user: &str, result: &str) -> Result<bool, Status> {
    let form = ResultRequest {
        user_id: user.to_owned(),
        result_id: result.to_owned(),
    };
    let mut client = running.client();
    let reply = client.has_been_submitted_feedback(running.by(user, form));
    reply.await.map(|reply| reply.into_inner().submitted)
}

async fn said(running: &Running, user: &str, result: &str) -> Result<(i32, String), Status> {
    let form = ResultRequest {
        user_id: user.to_owned(),
        result_id: result.to_owned(),
    };
    let mut client = running.client();
    let reply = client.my_result_feedback(running.by(user, form)).await?;
    let reply = reply.into_inner();
    Ok((reply.stars, reply.content))
}

async fn list(running: &Running, form: ResultFeedbackListRequest) -> ResultFeedbackListReply {
    let request = running.with_permission("result.read", form);
    let mut console = running.results_console();
    let listed = console.result_feedback_list(request).await;
    listed.unwrap().into_inner()
}

#[tokio::test(flavor = "multi_thread")]
async fn ones_own_ended_results_are_judged_and_operators_read_it() {
    for shape in shapes() {
        let folder = TempDir::new().unwrap();
        let held = folder.path().join("held");
        let text = format!(
            "if [ \"$1\" = lighten ]; then\nwhile [ -e {} ]; do sleep 0.05; done\nfi\nexec $ENGINE \"$@\"",
            held.display()
        );
        let script = engine_script(folder.path(), &text);
        let running = Running::start_with(shape, |settings| {
            settings.set("process", "engine", script.display().to_string());
        })
        .await;
        let file = running.take_in("u1", "齿轮.glb", sample("glb", 300)).await;
        assert_eq!(running.checked("u1", &file).await.status, "ready");
        std::fs::write(&held, "").unwrap();
        let light = r#"{"target":{"kind":"ratio","value":0.5}}"#;
        let light = running.submit("u1", &file, "lightweight", light).await;
        let light = light.unwrap();

        // A result in progress cannot be rated.
        let early = say(&running, "u1", &light, (5, "")).await.unwrap_err();
        assert_eq!(code_of(&early), code::CONFLICT);
        assert_eq!(message_of(&early), "处理结束后才能评价");
        assert!(!has_said(&running, "u1", &light).await.unwrap());
        std::fs::remove_file(&held).unwrap();
        assert_eq!(running.made("u1", &light).await.status, "done");

        // Other users can neither rate it nor learn whether it was rated.
        for stranger in ["u2", ""] {
            assert!(say(&running, stranger, &light, (1, "")).await.is_err());
            assert!(has_said(&running, stranger, &light).await.is_err());
            assert!(said(&running, stranger, &light).await.is_err());
        }
        let stranger = has_said(&running, "u2", &light).await.unwrap_err();
        assert_eq!(code_of(&stranger), code::NOT_FOUND);
        for stars in [0, 6, -1] {
            let wrong = say(&running, "u1", &light, (stars, "")).await.unwrap_err();
            assert_eq!(code_of(&wrong), code::INVALID, "{stars}");
        }
        let long = "好".repeat(501);
        let long = say(&running, "u1", &light, (5, &long)).await.unwrap_err();
        assert_eq!(code_of(&long), code::INVALID);
        let word = say(&running, "u1", &light, (5, "代开发票，加我"));
        let word = word.await.unwrap_err();
        assert_eq!(code_of(&word), code::TEXT_REFUSED, "{word:?}");
        assert!(!has_said(&running, "u1", &light).await.unwrap());
        assert_eq!(
            said(&running, "u1", &light).await.unwrap(),
            (0, String::new())
        );

        say(&running, "u1", &light, (4, " 面数少了一半 "))
            .await
            .unwrap();
        assert!(has_said(&running, "u1", &light).await.unwrap());
        let first = said(&running, "u1", &light).await.unwrap();
        assert_eq!(first, (4, "面数少了一半".to_owned()));
        running.test.parts.clock.advance_ms(5);
        say(&running, "u1", &light, (2, "")).await.unwrap();
        assert_eq!(
            said(&running, "u1", &light).await.unwrap(),
            (2, String::new())
        );
        assert_eq!(
            running.number("SELECT COUNT(*) FROM result_feedback").await,
            1
        );

        running.test.parts.clock.advance_ms(5);
        let stl = running.submit("u1", &file, "convert", r#"{"format":"stl"}"#);
        let stl = stl.await.unwrap();
        assert_eq!(running.made("u1", &stl).await.status, "done");
        say(&running, "u1", &stl, (5, "能用")).await.unwrap();
        operators_read(&running, &light, &stl).await;

        // The rating outlives its result, which is no longer found.
        let gone = ResultRequest {
            user_id: "u1".to_owned(),
            result_id: stl.clone(),
        };
        let gone = running.by("u1", gone);
        running.client().delete_result(gone).await.unwrap();
        assert!(has_said(&running, "u1", &stl).await.is_err());
        let all = list(&running, ResultFeedbackListRequest::default()).await;
        assert_eq!(all.items.len(), 2);
        running.test.finish().await;
    }
}

async fn operators_read(running: &Running, light: &str, stl: &str) {
    let first = ResultFeedbackListRequest {
        size: 1,
        ..Default::default()
    };
    let first = list(running, first).await;
    let item = &first.items[0];
    assert_eq!(
        (item.result_id.as_str(), item.stars, item.content.as_str()),
        (stl, 5, "能用")
    );
    assert_eq!(
        (
            item.owner.as_str(),
            item.service_type.as_str(),
            item.status.as_str()
        ),
        ("u1", "convert", "done")
    );
    let second = ResultFeedbackListRequest {
        size: 1,
        after: first.next,
        ..Default::default()
    };
    let second = list(running, second).await;
    assert_eq!(
        (second.items[0].result_id.as_str(), second.next.as_str()),
        (light, "")
    );
    for (form, many) in [
        (
            ResultFeedbackListRequest {
                with_words: true,
                ..Default::default()
            },
            1,
        ),
        (
            ResultFeedbackListRequest {
                stars: 2,
                ..Default::default()
            },
            1,
        ),
        (
            ResultFeedbackListRequest {
                stars: 3,
                ..Default::default()
            },
            0,
        ),
        (
            ResultFeedbackListRequest {
                owner: "u2".to_owned(),
                ..Default::default()
            },
            0,
        ),
        (
            ResultFeedbackListRequest {
                service_type: "convert".to_owned(),
                ..Default::default()
            },
            1,
        ),
    ] {
        assert_eq!(
            list(running, form.clone()).await.items.len(),
            many,
            "{form:?}"
        );
    }
    for wrong in [
        ResultFeedbackListRequest {
            service_type: "x".to_owned(),
            ..Default::default()
        },
        ResultFeedbackListRequest {
            stars: 6,
            ..Default::default()
        },
        ResultFeedbackListRequest {
            after: "x".to_owned(),
            ..Default::default()
        },
    ] {
        let request = running.with_permission("result.read", wrong);
        let reply = running
            .results_console()
            .result_feedback_list(request)
            .await;
        assert_eq!(code_of(&reply.unwrap_err()), code::INVALID);
    }
    let request = running.with_permission("result.read", Empty {});
    let mut console = running.results_console();
    let averages = console.result_feedback_averages(request).await;
    let averages = averages.unwrap().into_inner().averages;
    let found: Vec<(&str, i64, i64)> = averages
        .iter()
        .map(|one| (one.service_type.as_str(), one.count, one.stars))
        .collect();
    assert_eq!(found, [("lightweight", 1, 2), ("convert", 1, 5)]);
    assert_eq!(averages[0].distribution, [0, 1, 0, 0, 0]);
    let request = running.with_permission("job.read", Empty {});
    let reply = running
        .results_console()
        .result_feedback_averages(request)
        .await;
    assert_eq!(reply.unwrap_err().code(), Code::PermissionDenied);
}
