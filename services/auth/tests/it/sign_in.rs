//! Sign-in by password: order of checks, the slider's demand, the wait, the owner under attack.

use chassis::testing::Shape;

use crate::world::{World, refusal};

crate::on_every_shape!(
    checks_come_in_order,
    wrong_passwords_demand_the_slider_and_then_a_wait,
    an_address_that_guesses_needs_the_slider,
    guesses_at_once_do_not_slip_through,
    no_spreading_over_addresses_escapes_the_cap_of_an_account,
    the_owner_gets_in_while_an_attack_runs,
);

async fn refused(
    world: &World,
    name: &str,
    password: &str,
    ticket: &str,
    at: &str,
) -> (i32, String) {
    let outcome = world.sign_in(name, password, ticket, at).await;
    refusal(&outcome.err().expect("refused"))
}

fn said(code: i32, message: &str) -> (i32, String) {
    (code, message.to_owned())
}

async fn checks_come_in_order(shape: Shape) {
    let world = World::open(shape).await;
    world.register("13800138000", "shanhai1").await;
    let at = world.fresh_address();
    let expected = [
        ("", "", 60100, "请输入手机号或者邮箱"),
        ("a@b", "", 60100, "请输入正确的邮箱"),
        (
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@b.cn",
            "shanhai1",
            60100,
            "请输入正确的邮箱",
        ),
        ("12800138000", "", 60100, "请输入正确的手机号"),
        ("13900139000", "", 60100, "请输入密码"),
        ("13900139000", "12345", 60100, "请输入6~16位字符的密码"),
        ("13900139000", "shanhai1", 60200, "账号未注册"),
        ("nobody@b.cn", "shanhai1", 60200, "账号未注册"),
    ];
    for (name, password, code, message) in expected {
        assert_eq!(
            refused(&world, name, password, "", &at).await,
            said(code, message),
            "{name}"
        );
    }
    let stale = refused(&world, "13800138000", "shanhai1", "stale", &at).await;
    assert_eq!(
        stale,
        said(60201, "请进行智能验证"),
        "a ticket that is given has to be good"
    );
    world
        .sign_in("13800138000", "shanhai1", "", &at)
        .await
        .unwrap();
    let ticket = world.pass(&at).await;
    world
        .sign_in("13800138000", "shanhai1", &ticket, &at)
        .await
        .unwrap();
    world.finish().await;
}

async fn wrong_passwords_demand_the_slider_and_then_a_wait(shape: Shape) {
    let world = World::open(shape).await;
    let phone = world.register("13800138000", "shanhai1").await.phone;
    let at = world.fresh_address();
    let wrong = "账号或密码错误";
    assert_eq!(
        refused(&world, &phone, "wrong-1", "", &at).await,
        said(60203, wrong)
    );
    // The next try will need the slider, as this reply reports.
    assert_eq!(
        refused(&world, &phone, "wrong-1", "", &at).await,
        said(60201, wrong)
    );
    let bare = refused(&world, &phone, "shanhai1", "", &at).await;
    assert_eq!(
        bare,
        said(60201, "请进行智能验证"),
        "even the right password"
    );
    // A pass of the same address counts once, also without its ticket.
    world.pass(&at).await;
    assert_eq!(
        refused(&world, &phone, "wrong-1", "", &at).await,
        said(60201, wrong)
    );
    assert_eq!(
        refused(&world, &phone, "shanhai1", "", &at).await.1,
        "请进行智能验证"
    );
    let ticket = world.pass(&at).await;
    world
        .sign_in(&phone, "shanhai1", &ticket, &at)
        .await
        .unwrap();
    // Signing in resets the count.
    assert_eq!(
        refused(&world, &phone, "wrong-1", "", &at).await,
        said(60203, wrong)
    );

    // That one came from where the account has signed in, and does not count with those of strangers.
    for _ in 0..10 {
        let at = world.fresh_address();
        let ticket = world.pass(&at).await;
        assert_eq!(
            refused(&world, &phone, "wrong-1", &ticket, &at).await.1,
            wrong
        );
    }
    let at = world.fresh_address();
    let (code, message) = refused(&world, &phone, "shanhai1", "", &at).await;
    assert!(
        code == 60203 && message.starts_with("密码错误次数过多，请"),
        "told before a puzzle is solved: {message}"
    );
    world.advance_seconds(3700);
    world.sign_in(&phone, "shanhai1", "", &at).await.unwrap();

    // After a quarter of an hour an old failure no longer counts.
    assert_eq!(refused(&world, &phone, "wrong-1", "", &at).await.0, 60203);
    world.advance_seconds(901);
    assert_eq!(refused(&world, &phone, "wrong-1", "", &at).await.0, 60203);
    world.finish().await;
}

async fn an_address_that_guesses_needs_the_slider(shape: Shape) {
    let world = World::open(shape).await;
    let at = world.fresh_address();
    for number in 0..11 {
        let phone = format!("139{number:08}");
        world.register(&phone, "shanhai1").await;
        let (code, _) = refused(&world, &phone, "wrong-1", "", &at).await;
        // The tenth wrong password of the address makes its next try need the slider.
        let expected = if number < 9 { 60203 } else { 60201 };
        assert_eq!(code, expected, "{number}");
    }
    world.register("13800138000", "shanhai1").await;
    assert_eq!(
        refused(&world, "13800138000", "shanhai1", "", &at).await.0,
        60201
    );
    let elsewhere = world.fresh_address();
    world
        .sign_in("13800138000", "shanhai1", "", &elsewhere)
        .await
        .unwrap();
    world.finish().await;
}

async fn guesses_at_once_do_not_slip_through(shape: Shape) {
    let world = World::open(shape).await;
    let phone = world.register("13800138000", "shanhai1").await.phone;
    let at = world.fresh_address();
    let guesses = (0..12).map(|_| refused(&world, &phone, "wrong-1", "", &at));
    let outcomes = futures::future::join_all(guesses).await;
    let looked_at = outcomes
        .iter()
        .filter(|(_, message)| message == "账号或密码错误")
        .count();
    assert!(looked_at <= 2, "{outcomes:?}");
    world.finish().await;
}

/// A guess from a fresh address, with the slider passed; returns whether the password was checked.
async fn guess(world: &World, phone: &str) -> bool {
    let at = world.fresh_address();
    let ticket = world.pass(&at).await;
    let (_, message) = refused(world, phone, "wrong-1", &ticket, &at).await;
    assert!(
        message == "账号或密码错误" || message.starts_with("密码错误次数过多，请"),
        "{message}"
    );
    message == "账号或密码错误"
}

async fn no_spreading_over_addresses_escapes_the_cap_of_an_account(shape: Shape) {
    let world = World::with(
        shape,
        "[auth.password]\nper_account_hour = 4\nper_account_day = 6\n",
    )
    .await;
    let person = world.register("13800138000", "shanhai1").await;
    let mut looked_at = 0;
    for _ in 0..8 {
        looked_at += usize::from(guess(&world, &person.phone).await);
    }
    assert_eq!(looked_at, 4, "in an hour");
    // The owner's sign-in gives the guesses of others no new tries.
    let at = world.fresh_address();
    let ticket = world.pass(&at).await;
    world
        .sign_in_on(&person.device, &person.phone, "shanhai1", &ticket, &at)
        .await
        .unwrap();
    assert!(!guess(&world, &person.phone).await);
    for _ in 0..3 {
        world.advance_seconds(3700);
        for _ in 0..4 {
            looked_at += usize::from(guess(&world, &person.phone).await);
        }
    }
    assert_eq!(looked_at, 6, "in a day");
    world.finish().await;
}

async fn the_owner_gets_in_while_an_attack_runs(shape: Shape) {
    use proto::auth::v1::LoginByPhoneRequest;
    let world = World::open(shape).await;
    let person = world.register("13800138000", "shanhai1").await;
    assert_eq!(person.device.len(), 43);
    for _ in 0..12 {
        guess(&world, &person.phone).await;
    }
    // From anywhere else the right password waits too, and the reply says how long.
    let (code, message) = refused(
        &world,
        &person.phone,
        "shanhai1",
        "",
        &world.fresh_address(),
    )
    .await;
    assert_eq!(code, 60203);
    assert!(message.contains("分钟后再试，或使用短信登录"), "{message}");
    // On a device the owner signed in on before, from any address: the slider, then in.
    let at = world.fresh_address();
    let bare = world
        .sign_in_on(&person.device, &person.phone, "shanhai1", "", &at)
        .await;
    assert_eq!(refusal(&bare.err().unwrap()).0, 60201);
    let ticket = world.pass(&at).await;
    let again = world
        .sign_in_on(&person.device, &person.phone, "shanhai1", &ticket, &at)
        .await
        .unwrap();
    assert_eq!(again.device, person.device);
    assert!(
        !guess(&world, &person.phone).await,
        "the attack gains nothing"
    );
    // A key of another account is not valid here.
    let other = world.register("13800138001", "shanhai1").await;
    let elsewhere = world.fresh_address();
    let ticket = world.pass(&elsewhere).await;
    let foreign = world
        .sign_in_on(
            &other.device,
            &person.phone,
            "shanhai1",
            &ticket,
            &elsewhere,
        )
        .await;
    assert_eq!(refusal(&foreign.err().unwrap()).0, 60203);
    // A new device where the account has signed in lately is not shut out either, and has a count of its own.
    let mut looked_at = 0;
    for _ in 0..14 {
        let ticket = world.pass(&at).await;
        let outcome = world.sign_in(&person.phone, "wrong-1", &ticket, &at).await;
        looked_at += usize::from(refusal(&outcome.err().unwrap()).1 == "账号或密码错误");
    }
    assert_eq!(looked_at, 10, "near");
    world.advance_seconds(3601);
    for _ in 0..12 {
        guess(&world, &person.phone).await;
    }
    let ticket = world.pass(&at).await;
    world
        .sign_in(&person.phone, "shanhai1", &ticket, &at)
        .await
        .unwrap();
    // The device itself may not guess for ever.
    let mut looked_at = 0;
    for _ in 0..14 {
        let ticket = world.pass(&at).await;
        let outcome = world
            .sign_in_on(&person.device, &person.phone, "wrong-1", &ticket, &at)
            .await;
        looked_at += usize::from(refusal(&outcome.err().unwrap()).1 == "账号或密码错误");
    }
    assert_eq!(looked_at, 10);

    // With a code to the own phone.
    world.advance_seconds(61);
    let at = world.fresh_address();
    let ticket = world.pass(&at).await;
    let key = world
        .send_with(&person.phone, "login", &ticket, &at)
        .await
        .unwrap();
    let body = LoginByPhoneRequest {
        phoneno: person.phone.clone(),
        verifycode: world.code(&person.phone, 2).await,
        sms_key: key,
        ..Default::default()
    };
    let request = world.from(&at, body);
    world.client().login_by_phone(request).await.unwrap();
    world.finish().await;
}

#[tokio::test]
async fn the_slider_can_be_demanded_always() {
    let world = World::with(Shape::Embedded, "[auth.risk]\nslider = \"always\"\n").await;
    let at = world.fresh_address();
    let refused_code = world
        .send("13800138000", "register", &at)
        .await
        .unwrap_err();
    assert_eq!(refusal(&refused_code), said(60202, "请进行智能验证"));
    xl_auth::admin::add_account(
        &world.context,
        &xl_auth::admin::AccountSpec {
            phone: "13800138000".into(),
            password: "shanhai1".into(),
            ..Default::default()
        },
    )
    .await
    .unwrap();
    assert_eq!(
        refused(&world, "13800138000", "shanhai1", "", &at).await.0,
        60201
    );
    let ticket = world.pass(&at).await;
    world
        .sign_in("13800138000", "shanhai1", &ticket, &at)
        .await
        .unwrap();
    let again = refused(&world, "13800138000", "shanhai1", &ticket, &at).await;
    assert_eq!(again.0, 60201, "a ticket is good once");
    world.finish().await;
}
