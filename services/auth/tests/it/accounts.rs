//! Registration, existence, recovery, the operator's commands.

use chassis::testing::Shape;
use proto::auth::v1::{
    AccountRegistered, AppUserInfoRequest, FindPwdByPhoneRequest, LoginByPhoneRequest,
    RegisterPhoneRequest, SessionRevoked, UserIsExistRequest,
};
use proto::events::Published;
use sea_orm::{ConnectionTrait, Statement};
use tonic::{Code, Status};
use xl_auth::admin::{self, AccountSpec};

use crate::world::{World, hash, refusal};

/// Makes a valid request invalid.
type Change<T> = fn(&mut T);

crate::on_every_shape!(
    a_person_registers,
    registration_checks_its_fields_in_order,
    a_number_registers_once,
    recovery_sets_a_password_and_ends_every_session,
    operators_add_accounts,
    trying_out_numbers_needs_the_slider,
);

async fn absent(world: &World, username: &str) -> Result<bool, Status> {
    let body = UserIsExistRequest {
        username: username.into(),
        ..Default::default()
    };
    let reply = world
        .client()
        .user_is_exist(world.from("10.0.0.1", body))
        .await?;
    Ok(reply.into_inner().absent)
}

async fn events(world: &World, key: &str) -> usize {
    let db = &world.context.db;
    let text = format!("SELECT id FROM outbox WHERE event_key = '{key}'");
    let query = Statement::from_string(db.get_database_backend(), text);
    db.query_all_raw(query).await.unwrap().len()
}

async fn a_person_registers(shape: Shape) {
    let world = World::open(shape).await;
    // SI027
    assert!(absent(&world, "13800138000").await.unwrap());
    let person = world.register("13800138000", "shanhai1").await;
    assert!(!absent(&world, "13800138000").await.unwrap());
    assert!(
        person.login_id.starts_with('u') && person.login_id.len() == 17,
        "{}",
        person.login_id
    );
    assert_eq!(events(&world, AccountRegistered::KEY).await, 1);

    let session = world.introspect(&person.token).await.unwrap();
    assert_eq!(
        (session.login_id.as_str(), session.operator),
        (person.login_id.as_str(), false)
    );
    let request = world.signed(&person, AppUserInfoRequest::default());
    let info = world
        .client()
        .app_user_info(request)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        (
            info.phone.as_str(),
            info.profession_code.as_str(),
            info.loginstate,
            info.nickname
        ),
        ("138****8000", "modeler", true, None)
    );
    let anonymous = world.from("10.0.0.1", AppUserInfoRequest::default());
    let refused = world.client().app_user_info(anonymous).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unauthenticated);

    for (username, message) in [
        ("", "请输入手机号或者邮箱"),
        ("a@", "请输入正确的邮箱"),
        ("1380013800", "请输入正确的手机号"),
    ] {
        assert_eq!(
            refusal(&absent(&world, username).await.unwrap_err()),
            (60100, message.into())
        );
    }
    world.finish().await;
}

async fn registration_checks_its_fields_in_order(shape: Shape) {
    let world = World::open(shape).await;
    let (sms_key, verifycode) = world.first_code("13800138000", "register").await;
    let right = RegisterPhoneRequest {
        phoneno: "13800138000".into(),
        verifycode,
        password: "shanhai1".into(),
        sms_key,
        profession_code: String::new(),
        device: String::new(),
    };
    let wrongs: [(&str, Change<RegisterPhoneRequest>); 8] = [
        ("请输入手机号", |r| r.phoneno.clear()),
        ("请输入正确的手机号", |r| {
            r.phoneno = "12800138000".into()
        }),
        ("请输入密码", |r| r.password.clear()),
        ("请输入6~16位字符的密码", |r| {
            r.password = "12345".into()
        }),
        ("请输入6~16位字符的密码", |r| {
            r.password = "12345678901234567".into()
        }),
        ("请获取验证码", |r| r.sms_key.clear()),
        ("请输入验证码", |r| r.verifycode.clear()),
        ("请选择正确的职业", |r| {
            r.profession_code = "king".into()
        }),
    ];
    for (message, spoil) in wrongs {
        let mut body = right.clone();
        spoil(&mut body);
        let refused = world
            .client()
            .register_phone(world.from("10.0.0.1", body))
            .await;
        assert_eq!(refusal(&refused.unwrap_err()), (60100, message.into()));
    }
    world
        .client()
        .register_phone(world.from("10.0.0.1", right))
        .await
        .unwrap();
    world.finish().await;
}

async fn a_number_registers_once(shape: Shape) {
    let world = World::open(shape).await;
    let (sms_key, verifycode) = world.first_code("13800138000", "register").await;
    let body = RegisterPhoneRequest {
        phoneno: "13800138000".into(),
        verifycode,
        password: "shanhai1".into(),
        sms_key,
        profession_code: "other".into(),
        device: String::new(),
    };
    let tries = (0..3).map(|_| {
        let request = world.from("10.0.0.1", body.clone());
        let mut client = world.client();
        async move { client.register_phone(request).await }
    });
    let outcomes = futures::future::join_all(tries).await;
    assert_eq!(
        outcomes.iter().filter(|o| o.is_ok()).count(),
        1,
        "{outcomes:?}"
    );
    let again = world
        .client()
        .register_phone(world.from("10.0.0.1", body))
        .await;
    assert_eq!(refusal(&again.unwrap_err()), (60205, "用户已存在".into()));
    assert_eq!(events(&world, AccountRegistered::KEY).await, 1);
    world.finish().await;
}

async fn recovery_sets_a_password_and_ends_every_session(shape: Shape) {
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    let second = world
        .sign_in(&person.phone, "shanhai1", "", "10.0.0.1")
        .await
        .unwrap();
    let other = world.register("13800138001", "shanhai1").await;
    world.advance_seconds(3700);
    let sms_key = world
        .send(&person.phone, "rebuild", "10.0.0.2")
        .await
        .unwrap();
    let right = FindPwdByPhoneRequest {
        phoneno: person.phone.clone(),
        verifycode: world.code(&person.phone, 2).await,
        password: "shanhai2".into(),
        sms_key,
        nvc_ticket: String::new(),
    };
    let wrongs: [(i32, &str, Change<FindPwdByPhoneRequest>); 7] = [
        (60100, "请输入正确的手机号", |r| {
            r.phoneno = "1".into()
        }),
        (60100, "请输入密码", |r| r.password.clear()),
        (60100, "请输入6~16位字符的密码", |r| {
            r.password = "1".into()
        }),
        (60100, "请获取验证码", |r| r.sms_key.clear()),
        (60100, "请输入验证码", |r| r.verifycode.clear()),
        // The same as for a key of another number: it does not reveal who has an account.
        (60204, "验证码已失效，请重新获取", |r| {
            r.phoneno = "13900139000".into()
        }),
        (60201, "请进行智能验证", |r| {
            r.nvc_ticket = "stale".into()
        }),
    ];
    for (code, message, spoil) in wrongs {
        let mut body = right.clone();
        spoil(&mut body);
        let refused = world
            .client()
            .find_pwd_by_phone(world.from("10.0.0.1", body))
            .await;
        assert_eq!(refusal(&refused.unwrap_err()), (code, message.into()));
    }
    world
        .client()
        .find_pwd_by_phone(world.from("10.0.0.1", right))
        .await
        .unwrap();
    for token in [&person.token, &second.token] {
        assert_eq!(
            world.introspect(token).await.unwrap_err().code(),
            Code::NotFound
        );
    }
    world.introspect(&other.token).await.unwrap();
    assert_eq!(events(&world, SessionRevoked::KEY).await, 1);
    let answer = chassis::testing::eventually("the gateways are told", || async {
        world.pushed("#gateway", |m| m["type"] == "REVOKED").pop()
    });
    let answer = answer.await;
    assert_eq!(answer["loginId"], person.login_id);
    let mut hashes: Vec<&str> = answer["tokenHashes"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|h| h.as_str())
        .collect();
    hashes.sort_unstable();
    let mut expected = [hash(&person.token), hash(&second.token)];
    expected.sort();
    assert_eq!(hashes, expected);
    let old = world
        .sign_in(&person.phone, "shanhai1", "", "10.0.0.3")
        .await;
    assert_eq!(
        refusal(&old.err().unwrap()),
        (60203, "账号或密码错误".into())
    );
    world
        .sign_in(&person.phone, "shanhai2", "", "10.0.0.3")
        .await
        .unwrap();
    world.finish().await;
}

async fn operators_add_accounts(shape: Shape) {
    let world = World::open(shape).await;
    let spec = AccountSpec {
        phone: "13800138000".into(),
        password: "shanhai1".into(),
        email: Some("Demo@Xuanlan.cn".into()),
        ..AccountSpec::default()
    };
    let first = admin::add_account(&world.context, &spec).await.unwrap();
    let second = admin::add_account(&world.context, &spec).await.unwrap();
    assert!(first.is_new && !second.is_new && first.login_id == second.login_id);
    assert_eq!(events(&world, AccountRegistered::KEY).await, 1);
    let by_email = world
        .sign_in("demo@xuanlan.cn", "shanhai1", "", "10.0.0.1")
        .await
        .unwrap();
    assert_eq!(by_email.login_id, first.login_id);
    // Operators have accounts and tokens of their own.
    assert!(!world.introspect(&by_email.token).await.unwrap().operator);
    assert!(!absent(&world, "demo@xuanlan.cn").await.unwrap());

    world.register("13800138001", "shanhai1").await;
    let taken = admin::set_email(&world.context, "13800138001", "demo@xuanlan.cn").await;
    assert!(taken.unwrap_err().to_string().contains("邮箱已被使用"));
    admin::set_email(&world.context, "13800138001", "b@xuanlan.cn")
        .await
        .unwrap();
    world
        .sign_in("B@xuanlan.cn", "shanhai1", "", "10.0.0.1")
        .await
        .unwrap();
    admin::set_password(&world.context, "13800138000", "shanhai9")
        .await
        .unwrap();
    assert!(world.introspect(&by_email.token).await.is_err());
    let last = world
        .sign_in("13800138000", "shanhai9", "", "10.0.0.1")
        .await
        .unwrap();
    let retire = async |phone: &str, known: &str| {
        let retired = admin::retire_password(&world.context, phone, known).await;
        retired.unwrap()
    };
    assert!(!retire("13900139000", "shanhai9").await, "no account");
    assert!(!retire("13800138000", "shanhai1").await, "no longer right");
    world.introspect(&last.token).await.unwrap();
    assert!(retire("13800138000", "shanhai9").await);
    assert!(!retire("13800138000", "shanhai9").await);
    assert!(world.introspect(&last.token).await.is_err());
    let weak = AccountSpec {
        phone: "13800138002".into(),
        password: "1".into(),
        ..AccountSpec::default()
    };
    assert!(admin::add_account(&world.context, &weak).await.is_err());
    world.finish().await;
}

async fn trying_out_numbers_needs_the_slider(shape: Shape) {
    let world = World::open(shape).await;
    let known = world.register("13800138000", "shanhai1").await;
    let ask = |address: &str, name: String, ticket: String| {
        let body = UserIsExistRequest {
            username: name,
            nvc_ticket: ticket,
        };
        let request = world.from(address, body);
        let mut client = world.client();
        async move { client.user_is_exist(request).await }
    };
    for number in 0..30 {
        let reply = ask("10.0.7.1", format!("139001390{number:02}"), String::new()).await;
        assert!(reply.unwrap().into_inner().absent);
    }
    // From now on for any name: a reply without the slider would reveal which exist.
    for name in ["13900139099", known.phone.as_str()] {
        let refused = ask("10.0.7.1", name.to_owned(), String::new()).await;
        assert_eq!(refusal(&refused.unwrap_err()).0, 60201);
    }
    let ticket = world.pass("10.0.7.1").await;
    let once = ask("10.0.7.1", known.phone.clone(), ticket.clone()).await;
    assert!(!once.unwrap().into_inner().absent);
    let twice = ask("10.0.7.1", known.phone.clone(), ticket).await;
    assert_eq!(refusal(&twice.unwrap_err()).0, 60201);
    let elsewhere = ask("10.0.7.2", known.phone.clone(), String::new()).await;
    assert!(!elsewhere.unwrap().into_inner().absent);
    // Nor do the other calls tell it: without the slider, or without a code that was sent to the number.
    let both = ["13900139099", known.phone.as_str()];
    for phone in both {
        let signing_in = world.sign_in(phone, "shanhai7", "", "10.0.7.1").await;
        assert_eq!(refusal(&signing_in.err().expect("refused")).0, 60201);
        for purpose in ["login", "register"] {
            let sent = world.send(phone, purpose, "10.0.7.1").await;
            let (code, message) = refusal(&sent.unwrap_err());
            assert_eq!(
                (code, message.as_str()),
                (60202, "请进行智能验证"),
                "{purpose}"
            );
        }
        let body = LoginByPhoneRequest {
            phoneno: phone.to_owned(),
            sms_key: "none".to_owned(),
            verifycode: "123456".to_owned(),
            ..Default::default()
        };
        let request = world.from("10.0.7.3", body);
        let refused = world.client().login_by_phone(request).await.unwrap_err();
        assert_eq!(refusal(&refused).0, 60204);
        let body = RegisterPhoneRequest {
            phoneno: phone.to_owned(),
            password: "shanhai7".to_owned(),
            sms_key: "none".to_owned(),
            verifycode: "123456".to_owned(),
            ..Default::default()
        };
        let request = world.from("10.0.7.3", body);
        let refused = world.client().register_phone(request).await.unwrap_err();
        assert_eq!(refusal(&refused).0, 60204);
    }
    // Numbers that are tried out by signing in count too.
    for number in 0..30 {
        let phone = format!("139001391{number:02}");
        let refused = world.sign_in(&phone, "shanhai7", "", "10.0.7.4").await;
        assert_eq!(refusal(&refused.err().expect("refused")).0, 60200);
    }
    let refused = world
        .sign_in("13900139199", "shanhai7", "", "10.0.7.4")
        .await;
    assert_eq!(refusal(&refused.err().expect("refused")).0, 60201);
    world.finish().await;
}
