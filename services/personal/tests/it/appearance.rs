//! Editing one's public appearance.

use chassis::testing::{eventually, shapes};
use image::ImageFormat;
use proto::auth::v1::{AccountChanged, AccountRegistered, IdentityRegistered};
use proto::code;
use proto::personal::v1::{KeptUserInfo, ModifyUserInfoRequest, UserRequest};
use sea_orm::{ConnectionTrait, Statement};
use tonic::Status;

use crate::pictures::{encoded, picture, qr};
use crate::{Running, code_of};

impl Running {
    async fn register(&self, user: &str) {
        let registered = AccountRegistered {
            login_id: user.to_owned(),
            phone_masked: "138****0000".into(),
            profession_code: "modeler".into(),
            registered_at_ms: 7,
            account_number: "1234567890".into(),
        };
        self.publish(&format!("registered-{user}"), &registered)
            .await;
        eventually("the profile is made", || async {
            let request = self.by(user, UserRequest::default());
            let info = self.profile().query_info(request).await.ok()?.into_inner();
            (!info.account_number.is_empty()).then_some(())
        })
        .await;
    }

    pub async fn modify(
        &self,
        user: &str,
        request: ModifyUserInfoRequest,
    ) -> Result<KeptUserInfo, Status> {
        let reply = self
            .profile()
            .modify_user_info(self.by(user, request))
            .await;
        reply.map(tonic::Response::into_inner)
    }
}

fn named(nickname: &str) -> ModifyUserInfoRequest {
    ModifyUserInfoRequest {
        nickname: Some(nickname.into()),
        ..Default::default()
    }
}

fn seen(avatar: &str) -> ModifyUserInfoRequest {
    ModifyUserInfoRequest {
        avatar: Some(avatar.into()),
        ..Default::default()
    }
}

/// AM084, AM085, SF012, SF014, SF015, AM047: refused values are replaced and reported; both spellings show one value.
#[tokio::test]
async fn what_the_scans_refuse_is_replaced_and_told() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        running.register("u1").await;
        let all = ModifyUserInfoRequest {
            nickname: Some(" 青山 ".into()),
            introduce: Some("<b>做模型的</b>\n第二行".into()),
            username: Some("qing_shan".into()),
            ..Default::default()
        };
        let kept = running.modify("u1", all).await.expect("kept");
        assert_eq!(kept.nickname.as_deref(), Some("青山"));
        assert_eq!(kept.username.as_deref(), Some("qing_shan"));
        assert!(kept.tips.is_empty());
        // SE006, SF012: what is not seen neither separates the letters of a word nor makes a name.
        let hidden = named("\u{202e}青\u{200b}山\u{2060}");
        let kept = running.modify("u1", hidden).await.expect("kept");
        assert_eq!(kept.nickname.as_deref(), Some("青山"));
        for nothing in ["\u{200b}", "\u{3164}", "\u{301}", " \u{2800} "] {
            let refused = running.modify("u1", named(nothing)).await;
            let refused = refused.expect_err("no name");
            assert_eq!(code_of(&refused), code::INVALID, "{nothing:?}");
        }
        let word = "赌博网站";
        let kept = running.modify("u1", named(word)).await.expect("a preset");
        let preset = kept.nickname.expect("a name");
        assert!(
            preset.chars().count() == 4 && !preset.contains(word),
            "{preset}"
        );
        assert_eq!(kept.introduce.as_deref(), Some("<b>做模型的</b>\n第二行"));
        let tip = &kept.tips[0];
        assert_eq!(
            (tip.field.as_str(), tip.code),
            ("nickname", code::TEXT_REFUSED)
        );
        assert!(tip.message.contains(&preset), "{}", tip.message);
        let shown = running.by("u1", UserRequest::default());
        let shown = running
            .profile()
            .query_info(shown)
            .await
            .unwrap()
            .into_inner();
        assert_eq!(
            (&shown.nick_name, &shown.new_nick_name),
            (&Some(preset.clone()), &Some(preset))
        );

        let good = encoded(&picture(3), ImageFormat::Png);
        let good = running.store("u/u1/me.png", good).await;
        let kept = running.modify("u1", seen(&good)).await.expect("an avatar");
        let avatar = kept.avatar.expect("an address");
        assert!(!avatar.contains("/u/u1/"), "{avatar}");
        // Forms send back unchanged values.
        let same = running.modify("u1", seen(&avatar)).await.expect("the same");
        assert_eq!(same.avatar.as_deref(), Some(avatar.as_str()));
        // SF013: an undecided picture leaves the current avatar in place until a reviewer decides.
        let code = encoded(&qr("https://elsewhere.example/"), ImageFormat::Png);
        let code = running.store("u/u1/code.png", code).await;
        let kept = running.modify("u1", seen(&code)).await.expect("it waits");
        assert_eq!(kept.avatar.as_deref(), Some(avatar.as_str()));
        assert_eq!(kept.tips[0].message, "图片需要人工审核，通过后即可使用");
        let svg = b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec();
        let svg = running.store("u/u1/bad.png", svg).await;
        let kept = running
            .modify("u1", seen(&svg))
            .await
            .expect("the default one");
        assert_eq!(
            (kept.avatar, kept.tips[0].code),
            (None, code::IMAGE_REFUSED)
        );
        assert_eq!(kept.tips[0].field, "avatar");

        let long = "长".repeat(17);
        let introduction = |text: &str| ModifyUserInfoRequest {
            introduce: Some(text.into()),
            ..Default::default()
        };
        let username = |text: &str| ModifyUserInfoRequest {
            username: Some(text.into()),
            ..Default::default()
        };
        // A username has one owner, in any case; what an account was given is its own.
        running.register("u2").await;
        let taken = running.modify("u2", username("Qing_Shan")).await;
        assert_eq!(code_of(&taken.unwrap_err()), code::CONFLICT);
        let given = running.modify("u2", username("xl_123456")).await;
        assert_eq!(code_of(&given.unwrap_err()), code::CONFLICT);
        running.modify("u1", username("QING_shan")).await.unwrap();
        running.modify("u1", username("bai_yun")).await.unwrap();
        let free = running.modify("u2", username("qing_shan")).await.unwrap();
        assert_eq!(free.username.as_deref(), Some("qing_shan"));
        let refusals = [
            (named(""), code::INVALID),
            (named(&long), code::INVALID),
            (introduction(&"长".repeat(201)), code::INVALID),
            (introduction(word), code::TEXT_REFUSED),
            (username("1abc"), code::INVALID),
            (username("a b c d"), code::INVALID),
            (seen("http://127.0.0.1/a.png"), code::INVALID),
            (seen(&good.replace("/u1/", "/u2/")), code::INVALID),
        ];
        for (request, expected) in refusals {
            let refused = running.modify("u1", request.clone()).await.unwrap_err();
            assert_eq!(code_of(&refused), expected, "{request:?}");
        }
        let nobody = running.modify("", named("青山")).await.unwrap_err();
        assert_eq!(nobody.code(), tonic::Code::Unauthenticated);
        running.test.finish().await;
    }
}

/// Nickname and picture from WeChat reach a new account's profile: judged like user input, and never over the user's own values.
#[tokio::test]
async fn who_comes_by_a_provider_appears_as_there() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        let portrait = encoded(&picture(4), ImageFormat::Jpeg);
        let shown = async |user: &str| {
            let request = running.by(user, UserRequest::default());
            let info = running.profile().query_info(request).await;
            let info = info.expect("a profile").into_inner();
            (info.nick_name, info.avatar)
        };
        let come = async |user: &str, nickname: &str, picture: &[u8]| {
            let event = IdentityRegistered {
                login_id: user.to_owned(),
                nickname: nickname.to_owned(),
                picture: picture.to_vec(),
            };
            running.publish(&format!("came-{user}"), &event).await;
        };
        running.register("set").await;
        running
            .modify("set", named("自己起的"))
            .await
            .expect("named");
        // Before the registration event, which may arrive later.
        come("new", " 山\n海<b>的一个很长很长很长的名字", &portrait).await;
        come("bad", "赌博网站", b"<svg/>").await;
        come("set", "来自微信", &portrait).await;
        running.register("bad").await;
        running.register("new").await;
        let clock = &running.test.parts.clock;
        eventually("all have been looked at", || async {
            clock.advance_ms(31_000);
            let new = shown("new").await;
            let set = shown("set").await;
            (new.1.is_some() && set.1.is_some()).then_some(())
        })
        .await;
        let (nickname, avatar) = shown("new").await;
        assert_eq!(nickname.as_deref(), Some("山海<b>的一个很长很长很长的名"));
        let avatar = avatar.expect("an address of ours");
        assert!(avatar.contains("/p/"), "{avatar}");
        assert_eq!(shown("set").await.0.as_deref(), Some("自己起的"));
        let context = running.test.parts.context(xl_personal::NAME).await;
        let db = context.expect("context").db;
        eventually("nobody waits any more", || async {
            clock.advance_ms(31_000);
            let backend = db.get_database_backend();
            let count = Statement::from_string(backend, "SELECT COUNT(*) AS n FROM newcomer");
            let row = db.query_one_raw(count).await.ok()??;
            (row.try_get::<i64>("", "n").ok()? == 0).then_some(())
        })
        .await;
        assert_eq!(shown("bad").await, (None, None), "what any new account has");
        running.test.finish().await;
    }
}

/// Account fields from auth are copied by version.
#[tokio::test]
async fn an_older_account_does_not_replace_a_newer_one() {
    for shape in shapes() {
        let running = Running::start(shape).await;
        running.register("u1").await;
        let changed = |version: i64, phone: &str| AccountChanged {
            login_id: "u1".into(),
            version,
            phone_masked: phone.into(),
            email_masked: "l***@example.com".into(),
        };
        running.publish("c3", &changed(3, "139****0003")).await;
        running.publish("c2", &changed(2, "139****0002")).await;
        running.publish("c4", &changed(4, "139****0004")).await;
        eventually("the newest number", || async {
            let request = running.by("u1", UserRequest::default());
            let info = running.profile().query_info(request).await.ok()?;
            (info.into_inner().mobile_num == "139****0004").then_some(())
        })
        .await;
        running.test.finish().await;
    }
}
