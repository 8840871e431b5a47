//! Codes: limits, purposes, tries, lives.

use chassis::testing::Shape;
use proto::auth::v1::{LoginByPhoneRequest, SendSmsRequest};
use sea_orm::QuerySelect;
use sea_orm::entity::prelude::*;
use tonic::{Code, Status};
use xl_auth::entity::sms_code::{Column, Entity, Lane};

use crate::world::{World, refusal};

crate::on_every_shape!(
    the_countdown_and_the_limits_of_a_number,
    an_address_is_limited,
    purposes_are_checked_against_existence,
    a_code_serves_once_its_number_and_purpose,
    five_tries_and_five_minutes,
    many_at_once_get_one_code,
    no_spreading_over_addresses_escapes_the_cap_of_all,
    strangers_shut_a_number_for_strangers_alone,
    strangers_do_not_shut_out_a_new_device_at_home,
    the_password_opens_a_number_that_strangers_used_up,
    an_address_is_a_whole_ipv6_subscriber,
    recovery_does_not_tell_who_has_an_account,
);

async fn login(world: &World, phone: &str, key: &str, code: &str) -> Result<(), Status> {
    let body = LoginByPhoneRequest {
        phoneno: phone.into(),
        verifycode: code.into(),
        sms_key: key.into(),
        ..Default::default()
    };
    let request = world.from(&world.fresh_address(), body);
    world.client().login_by_phone(request).await.map(|_| ())
}

/// Sends with a slider passed, from a fresh address.
async fn send_checked(world: &World, phone: &str) -> Result<String, Status> {
    let address = world.fresh_address();
    let ticket = world.pass(&address).await;
    world.send_with(phone, "register", &ticket, &address).await
}

/// SM011, and what comes after it.
async fn the_countdown_and_the_limits_of_a_number(shape: Shape) {
    let world = World::open(shape).await;
    let phone = "13800138000";
    let key = world
        .send(phone, "register", &world.fresh_address())
        .await
        .unwrap();
    assert!(key.len() >= 20);
    let code = world.code(phone, 1).await;
    assert!(
        code.len() == 6 && code.bytes().all(|b| b.is_ascii_digit()),
        "{code}"
    );

    world.advance_seconds(20);
    let refused = world
        .send(phone, "register", &world.fresh_address())
        .await
        .unwrap_err();
    let (code, message) = refusal(&refused);
    assert_eq!(
        (code, message.as_str()),
        (60202, "获取太频繁，请40秒后再试")
    );

    world.advance_seconds(41);
    let bare = world
        .send(phone, "register", &world.fresh_address())
        .await
        .unwrap_err();
    assert_eq!(
        refusal(&bare),
        (60202, "请进行智能验证".into()),
        "the second code needs the slider"
    );
    for _ in 0..4 {
        send_checked(&world, phone).await.unwrap();
        world.advance_seconds(61);
    }
    let (code, message) = refusal(&send_checked(&world, phone).await.unwrap_err());
    assert!(code == 60202 && message.contains("1小时内"), "{message}");
    world.advance_seconds(3600);
    for _ in 0..5 {
        send_checked(&world, phone).await.unwrap();
        world.advance_seconds(61);
    }
    world.advance_seconds(3600);
    let (code, message) = refusal(&send_checked(&world, phone).await.unwrap_err());
    assert!(code == 60202 && message.contains("今天"), "{message}");
    world.advance_seconds(24 * 3600);
    world
        .send(phone, "register", &world.fresh_address())
        .await
        .unwrap();
    world.finish().await;
}

async fn an_address_is_limited(shape: Shape) {
    let world = World::with(
        shape,
        "[auth.sms]\nper_address_hour = 5\nper_address_day = 6\n",
    )
    .await;
    let address = world.fresh_address();
    let phone = |number: u32| format!("139{number:08}");
    for number in 0..3 {
        world
            .send(&phone(number), "register", &address)
            .await
            .unwrap();
    }
    let bare = world
        .send(&phone(3), "register", &address)
        .await
        .unwrap_err();
    assert_eq!(refusal(&bare), (60202, "请进行智能验证".into()));
    for number in 3..5 {
        // A client without tickets: the pass of its address counts, once.
        world.pass(&address).await;
        world
            .send(&phone(number), "register", &address)
            .await
            .unwrap();
        let again = world
            .send(&phone(9), "register", &address)
            .await
            .unwrap_err();
        assert_eq!(refusal(&again).0, 60202);
    }
    let ticket = world.pass(&address).await;
    let hour = world
        .send_with(&phone(5), "register", &ticket, &address)
        .await
        .unwrap_err();
    assert!(refusal(&hour).1.contains("当前网络1小时内"), "{hour:?}");
    world.advance_seconds(3601);
    world.send(&phone(5), "register", &address).await.unwrap();
    let day = world
        .send(&phone(6), "register", &address)
        .await
        .unwrap_err();
    assert!(refusal(&day).1.contains("当前网络今天"), "{day:?}");
    world
        .send(&phone(6), "register", &world.fresh_address())
        .await
        .unwrap();
    world.finish().await;
}

async fn purposes_are_checked_against_existence(shape: Shape) {
    let world = World::open(shape).await;
    let known = world.register("13800138000", "shanhai1").await.phone;
    world.advance_seconds(3700);
    let address = world.fresh_address();
    let expected = [
        (known.as_str(), "register", 60205, "用户已存在"),
        (known.as_str(), "bindPhone", 60205, "手机号码已存在"),
        ("13900139000", "login", 60200, "账号未注册"),
        ("13900139000", "", 60200, "账号未注册"),
        ("12800138000", "login", 60100, "请输入正确的手机号"),
        ("", "login", 60100, "请输入手机号"),
        ("13900139000", "other", 60100, "短信用途不正确"),
    ];
    for (phone, purpose, code, message) in expected {
        let refused = world.send(phone, purpose, &address).await.unwrap_err();
        assert_eq!(
            refusal(&refused),
            (code, message.into()),
            "{phone} {purpose}"
        );
    }
    let sent = world.pushed("#sandbox", |m| m["type"] == "SMS");
    assert_eq!(sent.len(), 1, "only the registration's code was sent");
    world.finish().await;
}

/// AM013: each purpose has its own codes.
async fn a_code_serves_once_its_number_and_purpose(shape: Shape) {
    let world = World::open(shape).await;
    world.register("13800138000", "shanhai1").await;
    world.register("13800138001", "shanhai1").await;
    world.advance_seconds(3700);
    let key = world
        .send("13800138000", "rebuild", &world.fresh_address())
        .await
        .unwrap();
    let code = world.code("13800138000", 2).await;
    let expired = (60204, "验证码已失效，请重新获取".to_owned());
    let other_purpose = login(&world, "13800138000", &key, &code).await.unwrap_err();
    assert_eq!(refusal(&other_purpose), expired);

    world.advance_seconds(3700);
    let key = world
        .send("13800138000", "login", &world.fresh_address())
        .await
        .unwrap();
    let code = world.code("13800138000", 3).await;
    let other_number = login(&world, "13800138001", &key, &code).await.unwrap_err();
    assert_eq!(refusal(&other_number), expired);
    let other_key = login(&world, "13800138000", "x", &code).await.unwrap_err();
    assert_eq!(refusal(&other_key), expired);

    // Of many concurrent tries one succeeds.
    let tries = (0..8).map(|_| login(&world, "13800138000", &key, &code));
    let outcomes = futures::future::join_all(tries).await;
    assert_eq!(
        outcomes.iter().filter(|o| o.is_ok()).count(),
        1,
        "{outcomes:?}"
    );
    let used = login(&world, "13800138000", &key, &code).await.unwrap_err();
    assert_eq!(refusal(&used), expired);

    // A newer code voids the older one of the same caller.
    world.advance_seconds(3700);
    let address = world.fresh_address();
    let older = world.send("13800138000", "login", &address).await.unwrap();
    let older_code = world.code("13800138000", 4).await;
    world.advance_seconds(61);
    let ticket = world.pass(&address).await;
    let newer = world
        .send_with("13800138000", "login", &ticket, &address)
        .await
        .unwrap();
    let newer_code = world.code("13800138000", 5).await;
    assert_eq!(
        refusal(
            &login(&world, "13800138000", &older, &older_code)
                .await
                .unwrap_err()
        ),
        expired
    );
    login(&world, "13800138000", &newer, &newer_code)
        .await
        .unwrap();
    world.finish().await;
}

async fn five_tries_and_five_minutes(shape: Shape) {
    let world = World::open(shape).await;
    world.register("13800138000", "shanhai1").await;
    world.advance_seconds(3700);
    let key = world
        .send("13800138000", "login", &world.fresh_address())
        .await
        .unwrap();
    let code = world.code("13800138000", 2).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    for (key, given, message) in [
        ("", code.as_str(), "请获取验证码"),
        (key.as_str(), "", "请输入验证码"),
        (key.as_str(), "12a456", "请输入正确的验证码"),
    ] {
        let refused = login(&world, "13800138000", key, given).await.unwrap_err();
        assert_eq!(refusal(&refused), (60100, message.into()));
    }
    for _ in 0..5 {
        let refused = login(&world, "13800138000", &key, wrong).await.unwrap_err();
        assert_eq!(refusal(&refused), (60204, "请输入正确的验证码".into()));
    }
    let expired = (60204, "验证码已失效，请重新获取".to_owned());
    let sixth = login(&world, "13800138000", &key, &code).await.unwrap_err();
    assert_eq!(refusal(&sixth), expired, "the right code comes too late");

    world.advance_seconds(3700);
    let key = world
        .send("13800138000", "login", &world.fresh_address())
        .await
        .unwrap();
    let code = world.code("13800138000", 3).await;
    world.advance_seconds(301);
    assert_eq!(
        refusal(&login(&world, "13800138000", &key, &code).await.unwrap_err()),
        expired
    );
    world.finish().await;
}

async fn many_at_once_get_one_code(shape: Shape) {
    let world = World::open(shape).await;
    let addresses: Vec<String> = (0..10).map(|_| world.fresh_address()).collect();
    let sends = addresses
        .iter()
        .map(|address| world.send("13800138000", "register", address));
    let outcomes = futures::future::join_all(sends).await;
    assert_eq!(
        outcomes.iter().filter(|o| o.is_ok()).count(),
        1,
        "{outcomes:?}"
    );
    world.finish().await;
}

async fn no_spreading_over_addresses_escapes_the_cap_of_all(shape: Shape) {
    let world = World::with(
        shape,
        "[auth.sms]\nall_slider_hour = 3\nall_hour = 5\nall_day = 7\n",
    )
    .await;
    let phone = |number: u32| format!("139{number:08}");
    for number in 0..3 {
        let at = world.fresh_address();
        world.send(&phone(number), "register", &at).await.unwrap();
    }
    let at = world.fresh_address();
    let bare = world.send(&phone(3), "register", &at).await.unwrap_err();
    assert_eq!(refusal(&bare), (60202, "请进行智能验证".into()));
    for number in 3..5 {
        send_checked(&world, &phone(number)).await.unwrap();
    }
    let (code, message) = refusal(&send_checked(&world, &phone(5)).await.unwrap_err());
    assert_eq!(code, 60202);
    assert!(
        message.starts_with("获取验证码的人太多，请") && message.ends_with("分钟后再试"),
        "{message}"
    );
    world.advance_seconds(3601);
    for number in 5..7 {
        send_checked(&world, &phone(number)).await.unwrap();
    }
    let (_, message) = refusal(&send_checked(&world, &phone(7)).await.unwrap_err());
    assert!(message.ends_with("小时后再试"), "{message}");
    world.finish().await;
}

/// Strangers use up the codes of a number, and those of all numbers: its owner gets one all the same, and it stays valid.
async fn strangers_shut_a_number_for_strangers_alone(shape: Shape) {
    let most = "[auth.sms]\nper_number_hour = 3\nper_number_day = 3\nall_hour = 5\n";
    let world = World::with(shape, most).await;
    let phone = "13800138000";
    let owner = world.register(phone, "shanhai1").await;
    world.advance_seconds(3601);
    let own = async |device: &str, ticket: &str, at: &str| {
        world.send_on(device, phone, "login", ticket, at).await
    };
    let at = world.fresh_address();
    let key = own(&owner.device, "", &at).await.unwrap();
    let code = world.code(phone, 2).await;
    let stranger = async || {
        let address = world.fresh_address();
        let ticket = world.pass(&address).await;
        own("", &ticket, &address).await
    };
    for _ in 0..2 {
        stranger().await.unwrap();
        world.advance_seconds(61);
    }
    let (_, message) = refusal(&stranger().await.unwrap_err());
    assert!(message.starts_with("该手机号今天"), "{message}");
    for number in 0..2 {
        let phone = format!("139{number:08}");
        send_checked(&world, &phone).await.unwrap();
    }
    let (_, message) = refusal(&send_checked(&world, "13900000009").await.unwrap_err());
    assert!(message.starts_with("获取验证码的人太多"), "{message}");
    login(&world, phone, &key, &code).await.unwrap();
    let ticket = world.pass(&at).await;
    let of_nobody = "A".repeat(owner.device.len());
    let refused = own(&of_nobody, &ticket, &at).await.unwrap_err();
    assert!(refusal(&refused).1.starts_with("该手机号今天"));
    let ticket = world.pass(&at).await;
    let key = own(&owner.device, &ticket, &at).await.unwrap();
    let code = world.code(phone, 5).await;
    login(&world, phone, &key, &code).await.unwrap();
    world.finish().await;
}

/// Strangers request all codes of a number, each from another address.
async fn use_up(world: &World, phone: &str, most: usize) {
    for _ in 0..most {
        let address = world.fresh_address();
        let ticket = world.pass(&address).await;
        let sent = world.send_with(phone, "login", &ticket, &address).await;
        sent.unwrap();
        world.advance_seconds(61);
    }
}

/// The owner's new telephone, in the house where the account has signed in before.
async fn strangers_do_not_shut_out_a_new_device_at_home(shape: Shape) {
    let most = "[auth.sms]\nper_number_hour = 2\nper_number_day = 2\nall_hour = 4\n";
    let world = World::with(shape, most).await;
    let phone = "13800138000";
    world.register(phone, "shanhai1").await;
    let (home, elsewhere) = ("2001:db8:1:2::7", "2001:db8:1:3::7");
    world.sign_in(phone, "shanhai1", "", home).await.unwrap();
    world.advance_seconds(86_401);
    use_up(&world, phone, 2).await;
    send_checked(&world, "13900000001").await.unwrap();
    send_checked(&world, "13900000002").await.unwrap();
    let refused = world.send(phone, "login", elsewhere).await.unwrap_err();
    assert_eq!(refusal(&refused).0, 60208, "{refused:?}");
    // Another address of the same subscriber.
    let at = "2001:db8:1:2::8";
    let key = world.send(phone, "login", at).await.unwrap();
    let code = world.code(phone, 4).await;
    login(&world, phone, &key, &code).await.unwrap();
    world.advance_seconds(91 * 86_400);
    use_up(&world, phone, 2).await;
    let refused = world.send(phone, "login", home).await.unwrap_err();
    assert_eq!(
        refusal(&refused).0,
        60208,
        "an address of long ago: {refused:?}"
    );
    world.finish().await;
}

/// A new device at a new address, while strangers use up what a number gets. Nobody learns from the replies whether a password
/// is right.
async fn the_password_opens_a_number_that_strangers_used_up(shape: Shape) {
    let most = "[auth.sms]\nper_number_hour = 3\nper_number_day = 3\nall_hour = 2\n";
    let world = World::with(shape, most).await;
    let phone = "13800138000";
    world.register(phone, "shanhai1").await;
    world.advance_seconds(86_401);
    use_up(&world, phone, 2).await;
    let show = async |password: &str, address: &str, purpose: &str| {
        let body = SendSmsRequest {
            phone: phone.to_owned(),
            r#type: purpose.to_owned(),
            nvc_ticket: world.pass(address).await,
            password: password.to_owned(),
            ..Default::default()
        };
        world.send_sms(body, address).await
    };
    let at = world.fresh_address();
    let (number, message) = refusal(&show("", &at, "login").await.unwrap_err());
    assert_eq!(number, 60208, "{message}");
    assert!(message.ends_with("可以用登录密码继续获取"), "{message}");
    let (number, _) = refusal(&show("", &at, "rebuild").await.unwrap_err());
    assert_eq!(number, 60202, "whoever has forgotten it cannot show it");
    let no_slider = SendSmsRequest {
        phone: phone.to_owned(),
        r#type: "login".to_owned(),
        password: "shanhai1".to_owned(),
        ..Default::default()
    };
    let refused = world.send_sms(no_slider, &world.fresh_address()).await;
    let refused = refused.unwrap_err();
    assert_eq!(refusal(&refused), (60202, "请进行智能验证".into()));

    // Each address is told the same, whether its password is right or not; the owner's phone gets three and no more.
    let mut keys = Vec::new();
    for _ in 0..4 {
        for password in ["shanhai2", "shanhai1"] {
            let at = world.fresh_address();
            let key = show(password, &at, "login").await.unwrap();
            let again = show(password, &at, "login").await.unwrap_err();
            assert_eq!(refusal(&again), (60202, "获取太频繁，请60秒后再试".into()));
            keys.push((password, key));
        }
        world.advance_seconds(61);
    }
    // Three at the registration and by strangers, three with the password.
    let code = world.code(phone, 6).await;
    // The last one of the right password was one too many.
    let sent = keys.len() - 3;
    login(&world, phone, &keys[sent].1, &code).await.unwrap();
    let unsent = (0..keys.len()).filter(|at| keys[*at].0 == "shanhai2" || *at > sent);
    for at in unsent {
        let key = &keys[at].1;
        let refused = login(&world, phone, key, &code).await.unwrap_err();
        assert_eq!(refusal(&refused), (60204, "请输入正确的验证码".into()));
    }
    let lanes: Vec<Lane> = Entity::find()
        .select_only()
        .column(Column::Lane)
        .filter(Column::Lane.is_in([Lane::Knower, Lane::Pretender]))
        .into_tuple()
        .all(&world.context.db)
        .await
        .unwrap();
    let sent = lanes.iter().filter(|lane| **lane == Lane::Knower);
    assert_eq!((sent.count(), lanes.len()), (3, 8));
    world.finish().await;
}

/// A subscriber has 2^64 addresses, and the caps of one.
async fn an_address_is_a_whole_ipv6_subscriber(shape: Shape) {
    let world = World::with(shape, "[auth.sms]\nper_address_hour = 2\n").await;
    let send = async |number: u32| {
        let (phone, at) = (format!("139{number:08}"), format!("2001:db8::{number:x}"));
        world.send(&phone, "register", &at).await
    };
    send(1).await.unwrap();
    send(2).await.unwrap();
    let (_, message) = refusal(&send(3).await.unwrap_err());
    assert!(message.starts_with("当前网络1小时内"), "{message}");
    world.finish().await;
}

async fn recovery_does_not_tell_who_has_an_account(shape: Shape) {
    let world = World::open(shape).await;
    let at = world.fresh_address();
    let key = world.send("13900139000", "rebuild", &at).await.unwrap();
    assert!(key.len() >= 20);
    // It counts as sent, but nothing was.
    let again = world.send("13900139000", "rebuild", &at).await.unwrap_err();
    assert!(refusal(&again).1.starts_with("获取太频繁，请"), "{again:?}");
    world.register("13800138000", "shanhai1").await;
    let sent = world.pushed("#sandbox", |m| m["phone"] == "13900139000");
    assert!(sent.is_empty(), "{sent:?}");
    world.finish().await;
}

#[tokio::test]
async fn without_a_provider_nothing_is_sent() {
    let world = World::with(Shape::Embedded, "[auth.sms]\nsender = \"none\"\n").await;
    let refused = world
        .send("13800138000", "register", "10.0.0.9")
        .await
        .unwrap_err();
    assert_eq!(
        refusal(&refused),
        (60202, "短信服务未配置，请联系管理员".into())
    );
    world.finish().await;
}

#[tokio::test]
async fn what_shows_codes_is_refused_in_production() {
    use crate::world::PRIVATE;
    use chassis::testing::TestParts;
    let open = |text: String| async move {
        let parts = TestParts::open(Shape::Embedded, &[xl_auth::DEFAULTS, &text], |_| {}).await;
        let context = parts.context("auth").await;
        let outcome = xl_auth::start(context).await.map(|_| ());
        parts.finish().await;
        outcome
    };
    let production = PRIVATE.replace("\"test\"", "\"production\"");
    let only_sms = production.replace("reveal = true", "reveal = false");
    let only_slider = production.replace("sender = \"sandbox\"", "sender = \"none\"");
    for text in [production.clone(), only_sms.clone(), only_slider] {
        let error = open(text).await.unwrap_err().to_string();
        assert!(error.contains("shows every code"), "{error}");
    }
    let public = PRIVATE.replace("http://127.0.0.1:1", "https://3d.example.com");
    assert!(open(public).await.is_err());
    let meant = only_sms.replace(
        "sender = \"sandbox\"",
        "sender = \"sandbox\"\ni_know_this_shows_every_code = true",
    );
    open(meant).await.unwrap();
}

#[tokio::test]
async fn a_call_without_a_principal_is_refused() {
    let world = World::open(Shape::Embedded).await;
    let bare = tonic::Request::new(LoginByPhoneRequest::default());
    let refused = world.client().login_by_phone(bare).await.unwrap_err();
    assert_eq!(refused.code(), Code::PermissionDenied);
    world.finish().await;
}
