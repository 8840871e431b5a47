use chassis::testing::{code_of, message_of, shapes};
use proto::code;
use proto::common::v1::Principal;
use proto::process::v1::*;

use crate::support::{Running, sample, triangle_stl};

#[tokio::test(flavor = "multi_thread")]
async fn every_format_is_checked_and_reported() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let mut pushes = running.test.parts.bus.pushes();
        for extension in ["glb", "stl", "ply"] {
            let name = format!("齿轮.{extension}");
            let id = running.take_in("u1", &name, sample(extension, 2000)).await;
            let file = running.checked("u1", &id).await;
            assert_eq!(file.status, "ready", "{extension}: {:?}", file.tips);
            assert_eq!(file.model_name, "齿轮");
            assert!(file.triangles > 500, "{extension}: {}", file.triangles);
            assert!(file.preview_url.is_some() && file.sha256.len() == 64);
            let report = file.report.expect("a report");
            assert!(
                report.fields.contains_key("statistics")
                    && report.fields.contains_key("boundingBox")
            );
            let status = GetModelStatusRequest {
                id,
                r#type: "CHECK".into(),
                ..Default::default()
            };
            let status = running
                .client()
                .get_model_status(running.by("u1", status))
                .await
                .unwrap()
                .into_inner();
            assert_eq!(status.status, "Success");
            let names: Vec<_> = status.messages.iter().map(|m| m.status.as_str()).collect();
            assert_eq!(names.first(), Some(&"Begin"));
            assert!(
                names[1..names.len() - 1]
                    .iter()
                    .all(|name| *name == "Normal")
                    && names.len() > 3
            );
            let seqs: Vec<_> = status.messages.iter().map(|m| m.seq).collect();
            assert_eq!(seqs, (1..=seqs.len() as i64).collect::<Vec<_>>());
        }
        let push = pushes.recv().await.unwrap();
        assert!(
            push.user_id == "u1" || push.user_id.starts_with('#'),
            "{}",
            push.user_id
        );
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_file_ends_with_its_reason_and_can_be_retried() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running
            .take_in(
                "u1",
                "broken.glb",
                b"glTF\x02\0\0\0\xff\xff\xff\xffnonsense".to_vec(),
            )
            .await;
        let file = running.checked("u1", &id).await;
        assert_eq!(file.status, "failed");
        assert!(file.tips.is_some());
        let status = GetModelStatusRequest {
            id: id.clone(),
            r#type: "CHECK".into(),
            ..Default::default()
        };
        let status = running
            .client()
            .get_model_status(running.by("u1", status))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(status.status, "Error");
        for word in ["申诉", "支持的格式", "联系客服"] {
            assert!(status.tips.contains(word), "{}", status.tips);
        }
        let request = FileRequest {
            user_id: String::new(),
            file_id: id.clone(),
        };
        let again = running
            .client()
            .retry_check(running.by("u1", request))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(again.file_id, id);
        assert_eq!(running.checked("u1", &id).await.status, "failed");
        let submit = running
            .submit("u1", &id, "lightweight", "")
            .await
            .unwrap_err();
        assert_eq!(code_of(&submit), code::CONFLICT);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_object_makes_one_file() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let request = running.upload("u1", "a.stl", triangle_stl()).await;
        let mut asking = Vec::new();
        for _ in 0..8 {
            let call = running.by("u1", request.clone());
            let mut client = running.client();
            asking.push(tokio::spawn(async move {
                client
                    .model_checking(call)
                    .await
                    .unwrap()
                    .into_inner()
                    .file_id
            }));
        }
        let mut ids = Vec::new();
        for answer in asking {
            ids.push(answer.await.unwrap());
        }
        ids.dedup();
        assert_eq!(ids.len(), 1, "{shape:?}");
        running.checked("u1", &ids[0]).await;
        let list = running
            .client()
            .list_files(running.by("u1", ListFilesRequest::default()))
            .await
            .unwrap();
        assert_eq!(list.into_inner().total_count, 1);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_another_user_is_found() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running.take_in("u1", "a.stl", triangle_stl()).await;
        running.checked("u1", &id).await;
        let result = running
            .submit("u1", &id, "convert", r#"{"format":"ply"}"#)
            .await
            .unwrap();
        running.made("u1", &result).await;
        let own = || FileRequest {
            user_id: String::new(),
            file_id: id.clone(),
        };
        let mut client = running.client();
        let mut refusals = vec![
            client
                .file_detail(running.by("u2", own()))
                .await
                .map(|_| ())
                .unwrap_err(),
            client
                .delete_file(running.by("u2", own()))
                .await
                .map(|_| ())
                .unwrap_err(),
            client
                .retry_check(running.by("u2", own()))
                .await
                .map(|_| ())
                .unwrap_err(),
            running
                .submit("u2", &id, "convert", "")
                .await
                .map(|_| ())
                .unwrap_err(),
            running.result("u2", &result).await.map(|_| ()).unwrap_err(),
        ];
        let of_result = || ResultRequest {
            user_id: String::new(),
            result_id: result.clone(),
        };
        refusals.push(
            client
                .delete_result(running.by("u2", of_result()))
                .await
                .map(|_| ())
                .unwrap_err(),
        );
        refusals.push(
            client
                .get_progress(running.by("u2", of_result()))
                .await
                .map(|_| ())
                .unwrap_err(),
        );
        for request in [
            DownloadRequest {
                file_id: Some(id.clone()),
                ..Default::default()
            },
            DownloadRequest {
                result_id: Some(result.clone()),
                ..Default::default()
            },
        ] {
            refusals.push(
                client
                    .download_model_file(running.by("u2", request))
                    .await
                    .map(|_| ())
                    .unwrap_err(),
            );
        }
        let status = GetModelStatusRequest {
            id: id.clone(),
            ..Default::default()
        };
        refusals.push(
            client
                .get_model_status(running.by("u2", status))
                .await
                .map(|_| ())
                .unwrap_err(),
        );
        let rename = UpdateModelFileRequest {
            file_id: id.clone(),
            model_name: Some("x".into()),
            ..Default::default()
        };
        refusals.push(
            client
                .update_model_file(running.by("u2", rename))
                .await
                .map(|_| ())
                .unwrap_err(),
        );
        for refusal in &refusals {
            assert_eq!(code_of(refusal), code::NOT_FOUND, "{refusal:?}");
        }
        // Another user cannot take in the object either.
        let mut request = running.upload("u1", "b.stl", triangle_stl()).await;
        request.user_id = "u2".into();
        let foreign = client
            .model_checking(running.by("u2", request))
            .await
            .unwrap_err();
        assert_eq!(code_of(&foreign), code::INVALID);
        let list = client
            .list_files(running.by("u2", ListFilesRequest::default()))
            .await
            .unwrap()
            .into_inner();
        assert_eq!(list.total_count, 0);
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_requests_get_the_messages_of_the_contract() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let right = running.upload("u1", "a.stl", triangle_stl()).await;
        let key = right.file_url.clone();
        let cases: Vec<(ModelCheckingRequest, &str)> = vec![
            (
                ModelCheckingRequest {
                    file_name: "a.txt".into(),
                    format: "txt".into(),
                    ..right.clone()
                },
                "格式不支持",
            ),
            (
                ModelCheckingRequest {
                    format: "glb".into(),
                    ..right.clone()
                },
                "格式不支持",
            ),
            (
                ModelCheckingRequest {
                    file_name: "a\u{202e}lg.stl".into(),
                    ..right.clone()
                },
                "文件名含有不可见字符或改变文字方向的字符，请重命名后再上传",
            ),
            (
                ModelCheckingRequest {
                    file_name: "a\nb.stl".into(),
                    ..right.clone()
                },
                "文件名不能含有换行，请重命名后再上传",
            ),
            (
                ModelCheckingRequest {
                    file_size: 301 * 1024 * 1024,
                    ..right.clone()
                },
                "stl文件大小不得超过300MB",
            ),
            (
                ModelCheckingRequest {
                    file_size: right.file_size + 1,
                    ..right.clone()
                },
                "上传的文件大小与实际不符，请重新上传",
            ),
            (
                ModelCheckingRequest {
                    sha256: "00".repeat(32),
                    ..right.clone()
                },
                "上传的文件内容校验不符，请重新上传",
            ),
            (
                ModelCheckingRequest {
                    file_url: format!("{key}x"),
                    ..right.clone()
                },
                "没有找到上传的文件，请重新上传",
            ),
            (
                ModelCheckingRequest {
                    file_url: key.replace("u/u1/", "u/u1/../u2/"),
                    ..right.clone()
                },
                "文件地址不正确，请重新上传",
            ),
            (
                ModelCheckingRequest {
                    file_url: "other/u/u1/a.stl".into(),
                    ..right.clone()
                },
                "文件地址不正确，请重新上传",
            ),
            (
                ModelCheckingRequest {
                    file_url: String::new(),
                    ..right.clone()
                },
                "文件地址不正确，请重新上传",
            ),
        ];
        for (request, reply) in cases {
            let refused = running
                .client()
                .model_checking(running.by("u1", request))
                .await
                .unwrap_err();
            assert_eq!(message_of(&refused), reply);
        }
        let id = running
            .client()
            .model_checking(running.by("u1", right))
            .await
            .unwrap()
            .into_inner()
            .file_id;
        running.checked("u1", &id).await;
        let rename = |name: &str| UpdateModelFileRequest {
            file_id: id.clone(),
            model_name: Some(name.into()),
            label_ids: Some("1001,2002".into()),
            ..Default::default()
        };
        for (name, reply) in [
            ("", "模型名称不能为空"),
            ("一二三四五六七八九十一二三四五六", "长度在 1 到 15 个字符"),
        ] {
            let refused = running
                .client()
                .update_model_file(running.by("u1", rename(name)))
                .await
                .unwrap_err();
            assert_eq!(message_of(&refused), reply);
        }
        running
            .client()
            .update_model_file(running.by("u1", rename("新名称")))
            .await
            .unwrap();
        let file = running.detail("u1", &id).await.unwrap();
        assert_eq!(
            (file.model_name.as_str(), file.label_ids.len()),
            ("新名称", 2)
        );
        let release = ModelReleaseRequest {
            file_id: id.clone(),
            model_name: "代开发票".into(),
            ..Default::default()
        };
        let refused = running
            .client()
            .model_release(running.by("u1", release))
            .await
            .unwrap_err();
        assert_eq!(code_of(&refused), code::TEXT_REFUSED);
        assert!(message_of(&refused).starts_with("模型名称:"));
        running.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_to_ones_own_are_the_sessions() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let id = running.take_in("u1", "a.stl", triangle_stl()).await;
        running.checked("u1", &id).await;
        for session in ["s1", ""] {
            let caller = Principal {
                login_id: "u1".into(),
                session_id: session.into(),
                ..Principal::default()
            };
            let mut client = running.client();
            let list = running.signed(caller.clone(), ListFilesRequest::default());
            let list = client.list_files(list).await.unwrap().into_inner();
            let preview = list.results[0].preview_url.clone().expect("a preview");
            let request = DownloadRequest {
                file_id: Some(id.clone()),
                ..Default::default()
            };
            let download = client.download_model_file(running.signed(caller, request));
            let download = download.await.unwrap().into_inner().url;
            // Signed by a grant that the store refuses once the session has ended.
            for url in [preview, download] {
                let granted = url.contains("X-Amz-Security-Token=");
                assert_eq!(granted, !session.is_empty(), "{url}");
            }
        }
        running.test.finish().await;
    }
}
