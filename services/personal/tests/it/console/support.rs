//! Feedback and chat.

use chassis::testing::eventually;
use image::ImageFormat;
use proto::code;
use proto::personal::v1::chat_api_client::ChatApiClient;
use proto::personal::v1::chat_console_api_client::ChatConsoleApiClient;
use proto::personal::v1::feedback_api_client::FeedbackApiClient;
use proto::personal::v1::feedback_console_api_client::FeedbackConsoleApiClient;
use proto::personal::v1::*;

use super::{Desk, reason};
use crate::pictures::{encoded, picture};

pub async fn feedback(desk: &Desk) {
    let running = &desk.running;
    let shot = encoded(&picture(1), ImageFormat::Png);
    let shot = running.store("u/u1/shot.png", shot).await;
    let zip = [b"PK\x03\x04".to_vec(), vec![7; 7 * 1024 * 1024]].concat();
    let zip = running.store("u/u1/log.zip", zip).await;
    let submitted = FeedbackForm {
        feedback_type: Some(0),
        feedback_content: "按钮点不动 <script>".to_owned(),
        feedback_picture_url: shot,
        feedback_annex_url: zip,
        ..Default::default()
    };
    let mut user = FeedbackApiClient::new(desk.channel());
    user.submit_feedback(running.by("u1", submitted))
        .await
        .expect("submitted");
    let mut client = FeedbackConsoleApiClient::new(desk.channel());
    let list = |kind: i32| {
        desk.by(FeedbackListRequest {
            r#type: Some(kind),
            state: "open".to_owned(),
            ..Default::default()
        })
    };
    let other = client.feedback_list(list(1)).await.expect("a list");
    assert!(other.into_inner().items.is_empty());
    let listed = client
        .feedback_list(list(0))
        .await
        .expect("a list")
        .into_inner();
    let item = &listed.items[0];
    assert_eq!((item.pictures, item.has_archive, listed.open), (1, true, 1));
    let id = item.id.clone();
    let show = FeedbackShowRequest { id: id.clone() };
    let shown = desk.deed("K91", client.feedback_show(desk.by(show))).await;
    let names: Vec<(&str, bool)> = shown
        .files
        .iter()
        .map(|file| (file.name.as_str(), file.is_picture))
        .collect();
    assert!(names[0].1 && names[0].0.starts_with("0."), "{names:?}");
    assert_eq!(names[1..], [("log.zip", false)]);
    let file = |number: i32, offset: i64| {
        let id = id.clone();
        desk.by(FeedbackFileRequest { id, number, offset })
    };
    let part = desk.deed("K92", client.feedback_file(file(0, 0))).await;
    assert!(part.content_type.starts_with("image/"));
    // The gateway accepts 8 MiB per message, so an archive is sent in parts.
    let large = FeedbackConsoleApiClient::new(desk.channel());
    let mut large = large.max_decoding_message_size(8 << 20);
    let part = desk.deed("K92", large.feedback_file(file(1, 0))).await;
    assert_eq!(part.content_type, "application/octet-stream");
    let rest = desk
        .deed("K92", large.feedback_file(file(1, part.next_offset)))
        .await;
    let whole = part.data.len() + rest.data.len();
    assert_eq!((whole as i64, rest.next_offset), (part.size, 0));
    let none = desk.refused(client.feedback_file(file(2, 0))).await;
    assert_eq!(none, code::NOT_FOUND);

    let mut pushes = running.test.parts.bus.pushes();
    let answer = |known_answers: i32| {
        desk.by(FeedbackAnswerRequest {
            id: id.clone(),
            content: "已修复".to_owned(),
            known_answers,
        })
    };
    desk.deed("K93", client.feedback_answer(answer(0))).await;
    let twice = desk.refused(client.feedback_answer(answer(0))).await;
    assert_eq!(twice, code::CONFLICT, "somebody has answered");
    eventually("the author's page is told", || {
        let push = pushes.try_recv();
        async move { push.ok().filter(|push| push.user_id == "u1") }
    })
    .await;
    let close = || {
        let (id, reason) = (id.clone(), reason());
        desk.by(FeedbackCloseRequest { id, reason })
    };
    desk.deed("K94", client.feedback_close(close())).await;
    let told = running.listed("u1", "systemInformation").await.results;
    let told: Vec<_> = told
        .iter()
        .filter(|one| one.kind.starts_with("feedback"))
        .map(|one| (one.kind.as_str(), one.link.as_str()))
        .collect();
    let link = "/helpCenter?ask=myFeedback";
    assert_eq!(told, [("feedbackClosed", link), ("feedbackAnswered", link)]);
    assert_eq!(
        desk.refused(client.feedback_close(close())).await,
        code::CONFLICT
    );
    let late = desk.refused(client.feedback_answer(answer(1))).await;
    assert_eq!(late, code::CONFLICT, "it is closed");
}

pub async fn chat(desk: &Desk) {
    let running = &desk.running;
    let say = async |user: &str, id: &str, content: &str| {
        let message = ChatMessage {
            content: content.to_owned(),
            client_id: id.to_owned(),
            ..Default::default()
        };
        let mut client = ChatApiClient::new(desk.channel());
        // Each is later than the last.
        running.test.parts.clock.advance_ms(1);
        client
            .send_chat(running.by(user, message))
            .await
            .expect("said");
    };
    for user in ["u1", "u2", "u3"] {
        say(user, "1", "你好").await;
    }
    let mut client = ChatConsoleApiClient::new(desk.channel());
    let list = async |waiting: bool| {
        let mut users = Vec::new();
        let mut after = String::new();
        loop {
            let request = desk.by(ChatListRequest {
                waiting,
                after,
                size: 1,
            });
            let mut client = ChatConsoleApiClient::new(desk.channel());
            let page = client
                .chat_list(request)
                .await
                .expect("a list")
                .into_inner();
            users.extend(page.conversations.into_iter().map(|one| one.login_id));
            after = page.next;
            if after.is_empty() {
                return users;
            }
        }
    };
    assert_eq!(list(true).await, ["u1", "u2", "u3"], "the longest first");
    let mut pushes = running.test.parts.bus.pushes();
    let answer = |user: &str, content: &str| {
        desk.by(ChatAnswerRequest {
            login_id: user.to_owned(),
            content: content.to_owned(),
            client_id: "1".to_owned(),
        })
    };
    let line = desk
        .deed("K97", client.chat_answer(answer("u1", "您好")))
        .await;
    let before = desk.entries().await;
    let again = client.chat_answer(answer("u1", "您好")).await;
    assert_eq!(again.expect("the same").into_inner().id, line.id);
    assert_eq!(desk.entries().await, before, "no line twice, nor entry");
    eventually("the user's page is told", || {
        let push = pushes.try_recv();
        async move { push.ok().filter(|push| push.json.contains("CHAT")) }
    })
    .await;
    let stranger = desk.refused(client.chat_answer(answer("u9", "您好"))).await;
    assert_eq!(stranger, code::NOT_FOUND);
    assert_eq!(list(true).await, ["u2", "u3"]);
    assert_eq!(list(false).await, ["u2", "u3", "u1"]);
    let lines = ChatConversationRequest {
        login_id: "u1".to_owned(),
        ..Default::default()
    };
    let lines = client
        .chat_conversation(desk.by(lines))
        .await
        .expect("lines");
    let lines = lines.into_inner().lines;
    let said: Vec<(&str, &str)> = lines
        .iter()
        .map(|line| (line.operator.as_str(), line.content.as_str()))
        .collect();
    assert_eq!(said, [("", "你好"), ("anna", "您好")]);
    let close = || {
        desk.by(ChatCloseRequest {
            login_id: "u2".to_owned(),
        })
    };
    desk.deed("K98", client.chat_close(close())).await;
    assert_eq!(
        desk.refused(client.chat_close(close())).await,
        code::CONFLICT
    );
    assert_eq!(list(false).await, ["u3", "u1"]);
    say("u2", "2", "还有一件事").await;
    assert_eq!(list(true).await, ["u3", "u2"], "open again");
}
