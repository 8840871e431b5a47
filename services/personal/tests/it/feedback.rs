//! Feedback, support chat, points.

use chassis::bus::Bus;
use chassis::testing::{PATIENCE, eventually, shapes};
use futures::future::join_all;
use image::ImageFormat;
use proto::auth::v1::{AccountRegistered, InvitationQualified};
use proto::code;
use proto::personal::v1::chat_api_client::ChatApiClient;
use proto::personal::v1::feedback_api_client::FeedbackApiClient;
use proto::personal::v1::message_api_client::MessageApiClient;
use proto::personal::v1::points_api_client::PointsApiClient;
use proto::personal::v1::*;
use tonic::Status;
use xl_personal::Personal;
use xl_personal::operate::{By, Command, FeedbackCommand, operate};

use crate::pictures::{encoded, picture};
use crate::{Running, code_of, message_of, op};

fn form(content: &str) -> FeedbackForm {
    FeedbackForm {
        user_id: "u1".into(),
        feedback_type: Some(1),
        feedback_content: content.into(),
        ..Default::default()
    }
}

async fn submit(running: &Running, user: &str, form: FeedbackForm) -> Result<(), Status> {
    let mut client = FeedbackApiClient::new(running.channel());
    client
        .submit_feedback(running.by(user, form))
        .await
        .map(|_| ())
}

async fn mine(running: &Running, user: &str) -> FeedbackPage {
    let mut client = FeedbackApiClient::new(running.channel());
    let request = running.by(user, MyFeedbackRequest::default());
    client
        .my_feedback(request)
        .await
        .expect("a list")
        .into_inner()
}

/// FB001 to FB011 on the server, which enforces the rules of the dialog too.
#[tokio::test]
async fn feedback_is_checked_kept_and_answered() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let mut urls = Vec::new();
        for number in 0..6 {
            let bytes = encoded(&picture(number), ImageFormat::Png);
            urls.push(running.store(&format!("u/u1/{number}.png"), bytes).await);
        }
        let noise: Vec<u8> = (0..2_200_000u32)
            .map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8)
            .collect();
        let large = running.store("u/u1/large.png", noise).await;
        let zip = running
            .store("u/u1/log.zip", b"PK\x03\x04 and so on".to_vec())
            .await;
        let liar = running
            .store("u/u1/liar.zip", b"MZ a program".to_vec())
            .await;
        let seven = running
            .store("u/u1/log.7z", b"7z\xBC\xAF\x27\x1C".to_vec())
            .await;
        let heavy = vec![[b'P', b'K', 3, 4]; 21 * 256 * 1024].concat();
        let heavy = running.store("u/u1/heavy.zip", heavy).await;
        let foreign = running
            .store("u/u2/theirs.zip", b"PK\x03\x04".to_vec())
            .await;
        let good = form("按钮点不动");
        let with = |change: &dyn Fn(&mut FeedbackForm)| {
            let mut form = good.clone();
            change(&mut form);
            form
        };
        for (wrong, message) in [
            (with(&|f| f.feedback_type = None), "请选择反馈类型"),
            (with(&|f| f.feedback_type = Some(3)), "请选择反馈类型"),
            (
                with(&|f| f.feedback_content = " ".into()),
                "请输入您的问题与建议",
            ),
            (
                with(&|f| f.feedback_content = "长".repeat(2001)),
                "问题与建议最多 2000 个字符",
            ),
            (with(&|f| f.feedback_end = 1), "反馈来源不正确"),
            (
                with(&|f| f.feedback_picture_url = urls.join(",")),
                "最多上传5张图片",
            ),
            (
                with(&|f| f.feedback_picture_url = large.clone()),
                "单个文件不能超过2M",
            ),
            (
                with(&|f| f.feedback_annex_url = seven.clone()),
                "附件格式不正确！仅支持zip,rar文件",
            ),
            (
                with(&|f| f.feedback_annex_url = liar.clone()),
                "附件格式不正确！仅支持zip,rar文件",
            ),
            (
                with(&|f| f.feedback_annex_url = heavy.clone()),
                "附件不能超过20M",
            ),
            (
                with(&|f| f.feedback_annex_url = foreign.clone()),
                "图片地址不正确，请重新上传",
            ),
            (
                with(&|f| f.feedback_annex_url = format!("{zip},{zip}")),
                "附件只能上传一个",
            ),
        ] {
            let status = submit(&running, "u1", wrong).await.expect_err(message);
            assert_eq!(message_of(&status), message);
        }
        assert_eq!(mine(&running, "u1").await.total_count, 0);
        let half = with(&|f| {
            f.feedback_picture_url = urls[..3].join(",");
            f.feedback_annex_url = seven.clone();
        });
        submit(&running, "u1", half)
            .await
            .expect_err("a bad archive");
        let kept = running.test.parts.objects.list("f/", None).await;
        assert!(kept.expect("a list").objects.is_empty(), "no row names it");
        let full = with(&|f| {
            f.feedback_content = "<script>alert(1)</script>".into();
            f.feedback_picture_url = urls[..3].join(",");
            f.feedback_annex_url = zip.clone();
        });
        submit(&running, "u1", full).await.expect("submitted");
        let page = mine(&running, "u1").await;
        let row = &page.results[0];
        assert_eq!((page.total_count, row.pictures.len()), (1, 3));
        assert_eq!((row.feedback_type, row.state.as_str()), (1, "open"));
        assert_eq!(row.annex_name, "log.zip");
        assert!(
            row.annex_url.contains("octet-stream"),
            "a download, whatever it holds"
        );
        assert_eq!(mine(&running, "u2").await.total_count, 0, "nobody else's");

        // A command in a process of its own, next to a serving one: its own pushes reach no page.
        let context = running.test.parts.context(xl_personal::NAME).await;
        let mut context = context.expect("context");
        context.parts.bus = Bus::within_process(&context.parts.shutdown);
        let personal = Personal::new(context).expect("parts");
        let mut pushes = running.test.parts.bus.pushes();
        let answered = |text: &str| {
            let id = row.id.clone();
            let (text, by) = (text.to_owned(), By { by: "o1".into() });
            Command::Feedback(FeedbackCommand::Answer { id, text, by })
        };
        let answer = operate(&personal, answered("已修复，谢谢")).await;
        answer.expect("answered");
        let heard = async {
            loop {
                let push = pushes.recv().await.expect("a push");
                if push.user_id == "u1" && push.json.contains("MESSAGE") {
                    return push.json;
                }
            }
        };
        let heard = tokio::time::timeout(PATIENCE, heard).await;
        let heard = heard.expect("open pages are told by the service that runs");
        assert!(heard.contains("systemInformation"), "{heard}");
        let id = row.id.clone();
        let by = By { by: "o1".into() };
        let close = Command::Feedback(FeedbackCommand::Close { id, by });
        operate(&personal, close).await.expect("closed");
        let late = operate(&personal, answered("再答")).await;
        late.expect_err("it is closed");
        let reply = running.listed("u1", "systemInformation").await;
        let told: Vec<&str> = reply.results.iter().map(|one| one.kind.as_str()).collect();
        assert_eq!(
            told,
            ["feedbackClosed", "feedbackAnswered"],
            "the author is told"
        );
        let row = mine(&running, "u1").await.results.remove(0);
        assert_eq!(row.state, "closed");
        assert_eq!(row.replies[0].content, "已修复，谢谢");

        running.register_at("u1", 5).await;
        let at_once = (0..30).map(|_| submit(&running, "u1", good.clone()));
        let taken = join_all(at_once).await;
        assert_eq!(taken.iter().filter(|one| one.is_ok()).count(), 19);
        let status = submit(&running, "u1", good.clone())
            .await
            .expect_err("too many");
        assert_eq!(code_of(&status), code::QUOTA);
        running.test.finish().await;
    }
}

#[tokio::test]
async fn a_chat_has_two_sides_and_no_line_twice() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let mut client = ChatApiClient::new(running.channel());
        let say = |client_id: &str, content: &str| ChatMessage {
            content: content.into(),
            client_id: client_id.into(),
            ..Default::default()
        };
        for (wrong, message) in [
            (say("a", " "), "请输入消息内容"),
            (say("a", &"长".repeat(1001)), "消息最多 1000 个字符"),
            (say("", "你好"), "消息编号不正确，请刷新页面后重试"),
        ] {
            let status = client
                .send_chat(running.by("u1", wrong))
                .await
                .expect_err(message);
            assert_eq!(message_of(&status), message);
        }
        let mut both = ChatApiClient::new(running.channel());
        let (one, two) = tokio::join!(
            client.send_chat(running.by("u1", say("a", "你好 <b>"))),
            both.send_chat(running.by("u1", say("a", "你好 <b>"))),
        );
        let line = one.expect("said").into_inner();
        assert_eq!(line.id, two.expect("said").into_inner().id);
        let personal = running.replica().await;
        let answer = personal.answer_chat("u1", "您好", "a", &op()).await;
        answer.expect("answered");
        let more = personal.answer_chat("u1", "还需要什么吗", "b", &op()).await;
        more.expect("answered");
        let told = running.listed("u1", "systemInformation").await.results;
        let told: Vec<_> = told
            .iter()
            .map(|one| (one.content.as_str(), one.link.as_str(), one.is_read))
            .collect();
        assert_eq!(
            told,
            [("在线客服回复了您：您好", "/helpCenter?ask=chat", false)],
            "one message for all answers that wait to be read"
        );
        let stranger = personal.answer_chat("u9", "您好", "a", &op()).await;
        assert!(stranger.is_err(), "who never wrote has no conversation");
        let lines = |user: &str, after: &str| {
            let request = ChatRequest {
                after: after.into(),
                ..Default::default()
            };
            running.by(user, request)
        };
        let all = client
            .chat_lines(lines("u1", ""))
            .await
            .expect("lines")
            .into_inner()
            .lines;
        let said: Vec<(bool, &str)> = all.iter().map(|l| (l.mine, l.content.as_str())).collect();
        assert_eq!(
            said,
            [(true, "你好 <b>"), (false, "您好"), (false, "还需要什么吗")]
        );
        let read = running.listed("u1", "systemInformation").await.results;
        assert!(read[0].is_read, "who has seen the answers has read of them");
        let answer = personal.answer_chat("u1", "再见", "c", &op()).await;
        answer.expect("answered");
        let again = running.listed("u1", "systemInformation").await.results;
        assert_eq!((again.len(), again[0].is_read), (2, false));
        let selection = MessageSelection {
            ids: again[0].id.clone(),
            ..Default::default()
        };
        let mut messages = MessageApiClient::new(running.channel());
        let deleted = messages.delete_messages(running.by("u1", selection)).await;
        deleted.expect("deleted");
        let long = "长".repeat(201);
        let answer = personal.answer_chat("u1", &long, "d", &op()).await;
        answer.expect("answered");
        let after = running.listed("u1", "systemInformation").await.results;
        let start = format!("{}…", "长".repeat(200));
        assert!(
            !after[0].is_read && after[0].content.ends_with(&start),
            "who has deleted the message unseen is told of the next answer, cut visibly"
        );
        let newer = client
            .chat_lines(lines("u1", &line.id))
            .await
            .expect("lines");
        assert_eq!(newer.into_inner().lines[..2], all[1..]);
        // What is older than a page is read by its end.
        for number in 0..50 {
            let id = format!("n{number}");
            let sent = client
                .send_chat(running.by("u1", say(&id, "再问一下")))
                .await;
            sent.expect("sent");
        }
        let last = client
            .chat_lines(lines("u1", ""))
            .await
            .expect("lines")
            .into_inner();
        assert_eq!((last.lines.len(), last.earlier), (50, true));
        let answer = personal.answer_chat("u1", "在的", "e", &op()).await;
        answer.expect("answered");
        let request = ChatRequest {
            before: last.lines[0].id.clone(),
            ..Default::default()
        };
        let first = client
            .chat_lines(running.by("u1", request))
            .await
            .expect("lines");
        let first = first.into_inner();
        assert_eq!((first.lines.len(), first.earlier), (5, false));
        assert_eq!(first.lines[..3], all);
        let told = running.listed("u1", "systemInformation").await.results;
        assert!(!told[0].is_read, "an earlier page shows no new answer");
        let others = client.chat_lines(lines("u2", "")).await.expect("lines");
        assert!(others.into_inner().lines.is_empty());
        running.test.finish().await;
    }
}

#[tokio::test]
async fn points_are_earned_once_for_each_thing() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let registered = AccountRegistered {
            login_id: "u1".into(),
            ..Default::default()
        };
        for id in ["e1", "e2"] {
            running.publish(id, &registered).await;
        }
        let points = eventually("points", || async {
            let mut client = PointsApiClient::new(running.channel());
            let request = running.by("u1", PointsRequest::default());
            let points = client
                .integral_info(request)
                .await
                .expect("points")
                .into_inner();
            (points.total_count > 0).then_some(points)
        });
        let points = points.await;
        assert_eq!(
            (points.integral, points.total_integral, points.total_count),
            (50, 50, 1)
        );
        assert_eq!(points.records[0].description, "注册账号");
        let qualified = InvitationQualified {
            invitation_id: "i1".into(),
            side: "invitee".into(),
            login_id: "u1".into(),
            cents: 500,
            qualified_at_ms: 1,
        };
        for id in ["e3", "e4"] {
            running.publish(id, &qualified).await;
        }
        eventually("the coins are told once", || async {
            let told = running.listed("u1", "systemInformation").await.results;
            let [one] = &told[..] else { return None };
            let said = "您的首个模型已通过体检，5.00 元云币的推广奖励已存入您的账户。";
            (one.content == said && one.link == "/workbench/account/myExtension").then_some(())
        })
        .await;
        running.test.finish().await;
    }
}
