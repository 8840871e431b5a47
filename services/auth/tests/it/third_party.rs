//! Sign-in with WeChat and QQ, linking, and the production senders, against the sandbox.

mod site;

use std::time::Duration;

use chassis::bus::Bus;
use chassis::testing::Shape;
use chassis::{Clock, Settings, Shutdown};
use proto::auth::v1::{
    BindThirdPartyAccountRequest, GetMyThirdPartyAccountRequest, IdentityRegistered,
    LinkAuthorizeRequest, RelatedPhoneRequest, RemoveThirdPartyAccountByIdRequest,
    ThirdPartyAccount, ThirdPartyAuthorizeRequest, ThirdPartyCallbackReply,
    ThirdPartyCallbackRequest,
};
use sandbox::{Sandbox, aliyun, social};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tonic::Status;

use self::site::*;
use crate::security::published;
use crate::world::{Person, World, hash, person, refusal};

crate::on_every_shape!(
    somebody_new_binds_a_phone,
    an_attempt_serves_once_and_only_where_it_began,
    providers_that_misbehave_sign_nobody_in,
    identities_are_linked_and_unlinked,
    a_provider_does_not_stand_in_for_the_second_factor,
    codes_go_out_by_aliyun,
);

fn gone() -> (i32, String) {
    (60105, GONE.to_owned())
}

/// TP002 TP003 TP004 TP005 TP006 TP007: through the provider to a ticket, with a phone to an account, and straight in the next time.
async fn somebody_new_binds_a_phone(shape: Shape) {
    let site = Site::open(shape).await;
    let world = &site.world;
    world.register("13800138000", "shanhai1").await;
    for (kind, phone, app) in [
        ("wechat", "13900139000", ("appid", social::WECHAT_APP)),
        ("qq", "13900139001", ("client_id", social::QQ_APP)),
    ] {
        let (page, state) = site.begin(kind, None).await;
        let fields: Vec<_> = page.query_pairs().into_owned().collect();
        assert!(
            fields.contains(&(app.0.to_owned(), app.1.to_owned())),
            "{page}"
        );
        assert!(fields.contains(&("state".to_owned(), state)), "{page}");
        let new = site.come(kind, "小明<b>").await.unwrap();
        assert_eq!((new.token.as_str(), new.nickname.as_str()), ("", "小明<b>"));
        assert!(
            new.avatar.starts_with("data:image/jpeg;base64,"),
            "{}",
            new.avatar
        );
        assert!(!new.open_id.is_empty());

        // A phone that exists is refused, before a code is sent and after.
        let refused = world
            .send("13800138000", "bindPhone", "10.0.0.9")
            .await
            .unwrap_err();
        let exists = (60205, "手机号码已存在".to_owned());
        assert_eq!(refusal(&refused), exists);
        let ticket = new.bind_ticket;
        let refused = site.bind("13800138000", "k", "123456", &ticket).await;
        assert_eq!(refusal(&refused.err().unwrap()), exists);

        let (key, code) = world.first_code(phone, "bindPhone").await;
        let wrong = if code == "000000" { "000001" } else { "000000" };
        let refused = site.bind(phone, &key, wrong, &ticket).await.err().unwrap();
        assert_eq!(refusal(&refused), (60204, "请输入正确的验证码".to_owned()));
        let refused = site.bind(phone, &key, &code, "forged").await.err().unwrap();
        assert_eq!(refusal(&refused), gone());
        let owner = site.bind(phone, &key, &code, &ticket).await.unwrap();
        assert!(world.introspect(&owner.token).await.is_ok());
        // Used up, for any number.
        let other = phone.replace("139001390", "139001391");
        let (key, code) = world.first_code(&other, "bindPhone").await;
        let refused = site.bind(&other, &key, &code, &ticket).await.err().unwrap();
        assert_eq!(refusal(&refused), gone());

        let known = site.come(kind, "小明<b>").await.unwrap();
        assert_eq!(person(phone, &known.token).login_id, owner.login_id);
        assert_eq!(
            (known.bind_ticket.as_str(), known.open_id.as_str()),
            ("", "")
        );
        // Another name is another person there.
        assert_eq!(site.come(kind, "小红").await.unwrap().token, "");
        // Name and picture there are published once, for the new account; linking publishes nothing.
        let reply: Vec<IdentityRegistered> = published(world).await;
        let last = reply.last().unwrap();
        assert_eq!(
            (last.login_id.as_str(), last.nickname.as_str()),
            (owner.login_id.as_str(), "小明<b>")
        );
        assert!(last.picture.starts_with(&[0xFF, 0xD8]), "a JPEG");
        assert_eq!(reply.len(), if kind == "wechat" { 1 } else { 2 });
    }
    let owner = world.register("13800138009", "shanhai9").await;
    site.link(&owner, "wechat", "小蓝").await.unwrap();
    let reply: Vec<IdentityRegistered> = published(world).await;
    assert_eq!(reply.len(), 2, "an account that was there is not changed");
    site.finish().await;
}

/// A state of one browser in another, of one provider at the other, of one purpose for another, twice, or made up: refused.
async fn an_attempt_serves_once_and_only_where_it_began(shape: Shape) {
    let site = Site::open(shape).await;
    let refused = |outcome: Result<ThirdPartyCallbackReply, Status>| refusal(&outcome.unwrap_err());
    let (page, _) = site.begin("wechat", None).await;
    let (code, state) = site.agree("wechat", "小明", &page).await;
    let other = "b-verifier-of-more-than-32-characters";
    assert_eq!(
        refused(site.callback("wechat", &code, &state, other).await),
        gone()
    );
    // The attempt is used up: a stranger gets no second try.
    assert_eq!(
        refused(site.callback("wechat", &code, &state, VERIFIER).await),
        gone()
    );

    let (page, _) = site.begin("wechat", None).await;
    let (code, state) = site.agree("wechat", "小明", &page).await;
    assert_eq!(
        refused(site.callback("qq", &code, &state, VERIFIER).await),
        gone()
    );
    // A code of one provider at the other, with the other's state.
    let (_, state) = site.begin("qq", None).await;
    let answer = refused(site.callback("qq", &code, &state, VERIFIER).await);
    assert_eq!(answer, (60105, "QQ没有确认这次登录，请重新发起".to_owned()));

    let (page, _) = site.begin("wechat", None).await;
    let (code, state) = site.agree("wechat", "小明", &page).await;
    assert!(
        site.callback("wechat", &code, &state, VERIFIER)
            .await
            .is_ok()
    );
    assert_eq!(
        refused(site.callback("wechat", &code, &state, VERIFIER).await),
        gone()
    );
    for state in ["", "forged", "x".repeat(5000).as_str()] {
        assert_eq!(
            refused(site.callback("wechat", &code, state, VERIFIER).await),
            gone()
        );
    }

    let owner = site.world.register("13800138000", "shanhai1").await;
    let stranger = site.world.register("13800138001", "shanhai1").await;
    let (page, _) = site.begin("wechat", Some(&owner)).await;
    let (code, state) = site.agree("wechat", "小明", &page).await;
    assert_eq!(
        refused(site.callback("wechat", &code, &state, VERIFIER).await),
        gone()
    );
    let (page, _) = site.begin("wechat", Some(&owner)).await;
    let (code, state) = site.agree("wechat", "小明", &page).await;
    let linked = site.link_with(&stranger, "wechat", code, state).await;
    assert_eq!(refusal(&linked.unwrap_err()), gone());
    let (page, _) = site.begin("wechat", None).await;
    let (code, state) = site.agree("wechat", "小明", &page).await;
    let linked = site.link_with(&owner, "wechat", code, state).await;
    assert_eq!(refusal(&linked.unwrap_err()), gone());

    let foreign = ThirdPartyAuthorizeRequest {
        r#type: "wechat".to_owned(),
        challenge: hash(VERIFIER),
        origin: "https://evil.test".to_owned(),
    };
    for (wrong, code) in [
        (foreign.clone(), 60100),
        (
            ThirdPartyAuthorizeRequest {
                challenge: "x".into(),
                origin: ORIGIN.into(),
                ..foreign.clone()
            },
            60100,
        ),
        (
            ThirdPartyAuthorizeRequest {
                r#type: "weibo".into(),
                origin: ORIGIN.into(),
                ..foreign
            },
            60100,
        ),
    ] {
        let request = site.world.from("10.0.0.1", wrong);
        let refused = site.world.identities().third_party_authorize(request).await;
        assert_eq!(refusal(&refused.unwrap_err()).0, code);
    }
    site.finish().await;
}

async fn providers_that_misbehave_sign_nobody_in(shape: Shape) {
    let site = Site::open(shape).await;
    let refused =
        |outcome: Result<ThirdPartyCallbackReply, Status>| refusal(&outcome.unwrap_err()).1;
    for (kind, faults, message) in [
        (
            "wechat",
            json!({"usedCode": true}),
            "微信没有确认这次登录，请重新发起",
        ),
        (
            "qq",
            json!({"usedCode": true}),
            "QQ没有确认这次登录，请重新发起",
        ),
        (
            "qq",
            json!({"foreignClient": true}),
            "第三方登录没有完成，请重新发起",
        ),
        (
            "wechat",
            json!({"huge": true}),
            "微信暂时没有响应，请稍后再试",
        ),
        ("qq", json!({"lateMs": 5000}), "QQ暂时没有响应，请稍后再试"),
    ] {
        site.misbehave(faults).await;
        assert_eq!(refused(site.come(kind, "小明").await), message);
    }
    // A picture on any other host is not fetched.
    let trap = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = trap.local_addr().unwrap();
    for picture in [
        format!("http://{at}/a.png"),
        format!("http://localhost:{}/a.png", at.port()),
        "file:///etc/passwd".into(),
    ] {
        site.misbehave(json!({"picture": picture, "nickname": "a\u{202e}b"}))
            .await;
        let new = site.come("wechat", "小明").await.unwrap();
        assert_eq!((new.avatar.as_str(), new.nickname.as_str()), ("", "ab"));
    }
    assert!(
        tokio::time::timeout(Duration::from_millis(50), trap.accept())
            .await
            .is_err()
    );

    // The unionid identifies the person after the openid has changed.
    let new = site.come("wechat", "小红").await.unwrap();
    let (key, code) = site.world.first_code("13900139000", "bindPhone").await;
    let owner = site
        .bind("13900139000", &key, &code, &new.bind_ticket)
        .await
        .unwrap();
    site.misbehave(json!({"changedOpenid": true})).await;
    let again = site.come("wechat", "小红").await.unwrap();
    assert_eq!(person("", &again.token).login_id, owner.login_id);
    assert_eq!(site.linked(&owner).await.len(), 1);
    site.finish().await;
}

async fn identities_are_linked_and_unlinked(shape: Shape) {
    let site = Site::open(shape).await;
    let owner = site.world.register("13800138000", "shanhai1").await;
    let stranger = site.world.register("13800138001", "shanhai1").await;
    site.link(&owner, "wechat", "小明").await.unwrap();
    site.link(&owner, "qq", "小明").await.unwrap();
    // Linking the same one again is no conflict.
    site.link(&owner, "qq", "小明").await.unwrap();
    let linked = site.linked(&owner).await;
    let kinds: Vec<_> = linked
        .iter()
        .map(|one| (one.r#type.as_str(), one.nickname.as_str()))
        .collect();
    assert_eq!(kinds, [("wechat", "小明"), ("qq", "小明")]);
    assert!(
        linked
            .iter()
            .all(|one| one.avatar.starts_with("data:image/jpeg") && one.bind_time > 0)
    );
    assert!(site.linked(&stranger).await.is_empty());

    let refused = refusal(&site.link(&stranger, "wechat", "小明").await.unwrap_err());
    assert_eq!(refused, (60205, "该微信账号已绑定其他用户".to_owned()));
    let refused = refusal(&site.link(&owner, "wechat", "小红").await.unwrap_err());
    assert_eq!(refused, (60105, "已绑定其他微信账号，请先解绑".to_owned()));
    let known = site.come("wechat", "小明").await.unwrap();
    assert_eq!(person("", &known.token).login_id, owner.login_id);

    let refused = refusal(&site.unlink(&stranger, &linked[0].id).await.unwrap_err());
    assert_eq!(refused.0, 60104);
    site.unlink(&owner, &linked[0].id).await.unwrap();
    assert_eq!(
        refusal(&site.unlink(&owner, &linked[0].id).await.unwrap_err()).0,
        60104
    );
    assert_eq!(site.linked(&owner).await.len(), 1);
    // Unlinked: a sign-in with it is new again.
    assert_eq!(site.come("wechat", "小明").await.unwrap().token, "");
    site.link(&stranger, "wechat", "小明").await.unwrap();
    site.finish().await;
}

async fn a_provider_does_not_stand_in_for_the_second_factor(shape: Shape) {
    let site = Site::open(shape).await;
    let owner = site.world.register("13800138000", "shanhai1").await;
    site.link(&owner, "wechat", "小明").await.unwrap();
    let (app, _) = crate::second_factor::enrol(&site.world, &owner).await;
    let asked = site.come("wechat", "小明").await.unwrap_err();
    let asked = chassis::error::business_error(&asked).unwrap();
    assert_eq!(asked.code, 60206);
    let datas: Value = serde_json::from_str(&asked.datas_json).unwrap();
    site.world.advance_seconds(31);
    let body = ThirdPartyCallbackRequest {
        r#type: "wechat".to_owned(),
        totp: app.code(&site.world),
        factor_ticket: datas["factorTicket"].as_str().unwrap().to_owned(),
        ..Default::default()
    };
    let mut wrong = body.clone();
    wrong.totp = "no-code".to_owned();
    let call = |body| {
        let request = site.world.from("10.0.9.9", body);
        let mut client = site.world.identities();
        async move { client.third_party_callback(request).await }
    };
    assert_eq!(refusal(&call(wrong).await.unwrap_err()).0, 60206);
    let mut elsewhere = body.clone();
    elsewhere.r#type = "qq".to_owned();
    assert_eq!(refusal(&call(elsewhere).await.unwrap_err()).0, 60105);
    let entered = call(body.clone()).await.unwrap().into_inner();
    assert_eq!(person("", &entered.token).login_id, owner.login_id);
    assert_eq!(refusal(&call(body).await.unwrap_err()), gone());
    site.world.advance_seconds(601);
    let linked = site.linked(&owner).await;
    let late = site.unlink(&owner, &linked[0].id).await.unwrap_err();
    assert_eq!(refusal(&late).0, 60207);
    site.finish().await;
}

/// The production sender, against a service that checks its signature.
async fn codes_go_out_by_aliyun(shape: Shape) {
    let site = Site::open(shape).await;
    let mut config: xl_auth::config::AuthConfig =
        site.world.context.settings.section("auth").unwrap();
    config.sms.sender = xl_auth::config::SenderKind::Aliyun;
    let context = &site.world.context;
    let sender = |config: &xl_auth::config::AuthConfig| {
        xl_auth::sms::of_config(
            &context.settings,
            &config.sms,
            &context.bus,
            context.clock.clone(),
        )
    };
    let sms = |purpose| xl_auth::sms::Sms {
        phone: "13800138000".to_owned(),
        purpose,
        code: "012345".to_owned(),
        text: String::new(),
        time_ms: 0,
    };
    let aliyun = sender(&config).unwrap();
    aliyun.send(&sms("login")).await.unwrap();
    aliyun.send(&sms("register")).await.unwrap();
    let kept = site.sandbox.store.sms("13800138000");
    let templates: Vec<_> = kept
        .iter()
        .map(|one| (one.purpose.as_str(), one.code.as_str()))
        .collect();
    assert_eq!(templates, [("SMS_2", "012345"), ("SMS_1", "012345")]);
    assert!(kept[0].text.starts_with("【玄览云】"), "{}", kept[0].text);
    site.post(
        "/api/aliyun/refuse",
        json!({"code": "isv.BUSINESS_LIMIT_CONTROL"}),
    )
    .await;
    let refused = aliyun.send(&sms("login")).await.unwrap_err();
    assert_eq!(refused.message(), "获取太频繁，请稍后再试");
    config.sms.aliyun.access_key_secret = "another".to_owned();
    let refused = sender(&config)
        .unwrap()
        .send(&sms("login"))
        .await
        .unwrap_err();
    assert!(
        refused.to_string().contains("SignatureDoesNotMatch"),
        "{refused}"
    );
    config.sms.aliyun.template = String::new();
    assert!(sender(&config).is_err());
    site.finish().await;
}
