//! Words, suspect pictures and texts.

use chassis::testing::shapes;
use image::ImageFormat;
use proto::code;
use proto::personal::v1::review_console_api_client::ReviewConsoleApiClient;
use proto::personal::v1::word_console_api_client::WordConsoleApiClient;
use proto::personal::v1::*;

use super::{DAY_MS, Desk, reason};
use crate::Running;
use crate::pictures::{encoded, picture, qr};

fn form(word: &str, action: &str, replacement: &str) -> WordForm {
    WordForm {
        word: word.to_owned(),
        action: action.to_owned(),
        replacement: replacement.to_owned(),
        note: String::new(),
    }
}

pub async fn words(desk: &Desk) {
    let mut client = WordConsoleApiClient::new(desk.channel());
    let save = |action: &str| {
        desk.by(WordSaveRequest {
            word: Some(form("禁词丁", action, "")),
            is_new: true,
        })
    };
    desk.deed("K61", client.word_save(save("refuse"))).await;
    let twice = desk.refused(client.word_save(save("review"))).await;
    assert_eq!(twice, code::CONFLICT);
    let import = |words: Vec<WordForm>| {
        desk.by(WordImportRequest {
            words,
            reason: reason(),
        })
    };
    let wrong = vec![form("好词", "review", ""), form("***", "review", "")];
    let refused = desk.refused(client.word_import(import(wrong))).await;
    assert_eq!(refused, code::INVALID, "all or none");
    let many = (0..1001).map(|n| form(&format!("词{n}"), "review", ""));
    let refused = desk
        .refused(client.word_import(import(many.collect())))
        .await;
    assert_eq!(refused, code::INVALID);
    let good = vec![
        form("加微信", "review", ""),
        form("笨蛋", "replace", "〔略〕"),
        form("50%", "replace", ""),
        form("禁词丁", "refuse", ""),
    ];
    let done = desk.deed("K63", client.word_import(import(good))).await;
    assert_eq!((done.added, done.changed), (3, 1));

    let test = async |text: &str| {
        let request = desk.by(WordTestRequest {
            text: text.to_owned(),
        });
        let mut client = WordConsoleApiClient::new(desk.channel());
        client
            .word_test(request)
            .await
            .expect("tested")
            .into_inner()
    };
    let tested = test("笨*蛋，加微信").await;
    assert_eq!(
        (tested.verdict.as_str(), tested.text.as_str()),
        ("review", "〔略〕，加微信")
    );
    let hits: Vec<_> = tested
        .hits
        .iter()
        .map(|hit| (hit.word.as_str(), hit.position, hit.length))
        .collect();
    assert_eq!(hits, [("笨蛋", 0, 3), ("加微信", 4, 3)]);
    let tested = test("禁 词丁").await;
    assert_eq!(
        (tested.verdict.as_str(), tested.text.as_str()),
        ("refused", "")
    );

    let list = WordListRequest {
        text: "0%".to_owned(),
        ..Default::default()
    };
    let found = client
        .word_list(desk.by(list))
        .await
        .expect("a list")
        .into_inner();
    assert_eq!((found.words.len(), found.total_count), (1, 4));
    assert_eq!(found.words[0].changed_by, "anna");
    let remove = || {
        desk.by(WordRemoveRequest {
            word: "禁词丁".to_owned(),
            reason: reason(),
        })
    };
    desk.deed("K62", client.word_remove(remove())).await;
    let twice = desk.refused(client.word_remove(remove())).await;
    assert_eq!(twice, code::NOT_FOUND);
    assert_eq!(test("禁词丁").await.verdict, "passed", "at once");
}

pub async fn review(desk: &Desk) {
    let running = &desk.running;
    let named = ModifyUserInfoRequest {
        nickname: Some("加微信看".to_owned()),
        ..Default::default()
    };
    running
        .modify("u1", named)
        .await
        .expect("taken, and looked at");
    for (user, name) in [("u1", "a"), ("u2", "b")] {
        let code = encoded(
            &qr(&format!("https://elsewhere.example/{name}")),
            ImageFormat::Png,
        );
        let url = running.store(&format!("u/{user}/{name}.png"), code).await;
        running.scan(user, &url).await.expect_err("it waits");
    }
    let mut client = ReviewConsoleApiClient::new(desk.channel());
    let waiting = async |kind: &str| {
        let request = desk.by(ReviewListRequest {
            kind: kind.to_owned(),
            ..Default::default()
        });
        let mut client = ReviewConsoleApiClient::new(desk.channel());
        let page = client.review_list(request).await.expect("a list");
        page.into_inner().items
    };
    let all = waiting("").await;
    let kinds: Vec<&str> = all.iter().map(|item| item.kind.as_str()).collect();
    assert_eq!(kinds, ["text", "picture", "picture"], "the oldest first");
    assert_eq!(waiting("picture").await.len(), 2);
    let (text, good, bad) = (&all[0], &all[1], &all[2]);

    // While one operator has claimed it, another cannot decide it; once released, they can.
    let claim = |who: &str, release: bool| {
        let id = text.id.clone();
        desk.of(who, ReviewClaimRequest { id, release })
    };
    let claimed = desk
        .deed("K66", client.review_claim(claim("anna", false)))
        .await;
    assert_eq!(claimed.claimed_by, "anna");
    let other = desk
        .refused(client.review_claim(claim("berta", false)))
        .await;
    assert_eq!(other, code::CONFLICT);
    let decide = |who: &str, id: &str, accept: bool, ban: bool| {
        let request = ReviewDecideRequest {
            id: id.to_owned(),
            accept,
            ban,
            reason: "含联系方式".to_owned(),
        };
        desk.of(who, request)
    };
    let by_other = client.review_decide(decide("berta", &text.id, false, false));
    assert_eq!(desk.refused(by_other).await, code::CONFLICT);

    let show = |id: &str| desk.by(ReviewShowRequest { id: id.to_owned() });
    let shown = desk.deed("K67", client.review_show(show(&text.id))).await;
    assert_eq!(shown.text, "加微信看");
    let picture = |id: &str| {
        desk.by(ReviewPictureRequest {
            id: id.to_owned(),
            offset: 0,
        })
    };
    let part = desk
        .deed("K68", client.review_picture(picture(&good.id)))
        .await;
    assert!(part.content_type.starts_with("image/"));
    assert_eq!(part.next_offset, 0);
    assert_eq!(part.data.len() as i64, part.size);

    let refuse = client.review_decide(decide("anna", &text.id, false, false));
    desk.deed("K69", refuse).await;
    let request = running.by("u1", UserRequest::default());
    let info = running.profile().query_info(request).await.expect("info");
    let nickname = info.into_inner().nick_name.expect("another name");
    assert_ne!(nickname, "加微信看", "taken down");
    desk.deed(
        "K69",
        client.review_decide(decide("anna", &good.id, true, false)),
    )
    .await;
    let twice = client.review_decide(decide("berta", &good.id, false, false));
    assert_eq!(desk.refused(twice).await, code::CONFLICT, "decided twice");
    let plain = client.review_decide(decide("anna", &bad.id, true, true));
    assert_eq!(desk.refused(plain).await, code::INVALID);
    desk.deed(
        "K69",
        client.review_decide(decide("anna", &bad.id, false, true)),
    )
    .await;
    assert!(waiting("").await.is_empty());
    let url = format!("{}/u/u2/b.png", running.test.parts.objects.bucket());
    running
        .scan("u2", &url)
        .await
        .expect_err("refused for good");
    let reply = running.listed("u1", "systemInformation").await;
    let kinds: Vec<&str> = reply.results.iter().map(|one| one.kind.as_str()).collect();
    assert!(
        kinds.contains(&"textRefused") && kinds.contains(&"pictureAccepted"),
        "{kinds:?}"
    );
    let shown = desk.deed("K67", client.review_show(show(&good.id))).await;
    assert_eq!(shown.earlier[0].id, text.id, "history");
    assert_eq!(shown.earlier[0].decision, "含联系方式");
}

/// Replaced pictures, unused ones and decided ones are removed in time; used ones stay.
#[tokio::test]
async fn objects_that_nothing_names_are_swept() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        running.register_at("u1", 5).await;
        let personal = running.replica().await;
        let objects = &running.test.parts.objects;
        let count = async |prefix: &str| {
            objects
                .list(prefix, None)
                .await
                .expect("a list")
                .objects
                .len()
        };
        for number in 0..2 {
            let bytes = encoded(&picture(number), ImageFormat::Png);
            let avatar = running.store(&format!("u/u1/{number}.png"), bytes).await;
            let seen = ModifyUserInfoRequest {
                avatar: Some(avatar),
                ..Default::default()
            };
            running.modify("u1", seen).await.expect("an avatar");
        }
        let code = encoded(&qr("https://elsewhere.example/a"), ImageFormat::Png);
        let url = running.store("u/u1/code.png", code).await;
        running.scan("u1", &url).await.expect_err("it waits");
        personal.sweep_objects().await.expect("a round");
        assert_eq!((count("p/").await, count("q/").await), (2, 1), "not yet");
        let clock = &running.test.parts.clock;
        clock.advance_ms(2 * DAY_MS);
        personal.sweep_objects().await.expect("a round");
        assert_eq!((count("p/").await, count("q/").await), (1, 1), "it waits");
        let (_, waiting) = personal.waiting_pictures(1, 20).await.expect("queue");
        let refuse = xl_personal::review::Decision::default();
        personal
            .decide_case(&waiting[0].id, &refuse, &crate::op())
            .await
            .expect("decided");
        clock.advance_ms(29 * DAY_MS);
        personal.sweep_objects().await.expect("a round");
        assert_eq!(count("q/").await, 1);
        clock.advance_ms(2 * DAY_MS);
        personal.sweep_objects().await.expect("a round");
        assert_eq!(
            (count("p/").await, count("q/").await),
            (1, 0),
            "what is seen stays"
        );
        running.test.finish().await;
    }
}
