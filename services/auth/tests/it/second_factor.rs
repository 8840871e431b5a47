//! The second factor: enrolling an app, signing in with its codes, recovery codes, the limits of guessing.

use chassis::testing::Shape;
use proto::auth::v1::*;
use sea_orm::EntityTrait;
use totp_rs::{Builder, Secret, Totp};

use crate::security::{code_of, confirm, confirm_by_password, overview, published};
use crate::world::{Person, World};

crate::on_every_shape!(
    a_second_factor_is_asked_for_and_each_code_works_once,
    who_knows_the_password_does_not_keep_the_owner_out,
);

/// The app: makes the codes of the secret it was shown.
pub struct App(Totp);

impl App {
    fn of(shown: &BeginSecondFactorReply) -> Self {
        assert!(shown.uri.starts_with("otpauth://totp/"), "{}", shown.uri);
        assert!(shown.uri.contains(&shown.secret), "{}", shown.uri);
        let secret = Secret::try_from_base32(&shown.secret).unwrap();
        Self(Builder::new().with_secret(secret).build().unwrap())
    }

    pub fn code(&self, world: &World) -> String {
        let now = world.context.clock.now_ms() / 1000;
        self.0.generate(now as u64).to_string()
    }
}

/// Signs in by password with a code of the second factor; returns the refusal's ticket too.
async fn enter(world: &World, who: &Person, totp: &str, ticket: &str) -> Result<(), (i32, String)> {
    let form = TokenRequest {
        username: who.phone.clone(),
        password: "shanhai1".into(),
        totp: totp.into(),
        factor_ticket: ticket.into(),
        ..Default::default()
    };
    let reply = world.client().token(world.from("10.0.9.5", form)).await;
    reply.map(|_| ()).map_err(|status| {
        let error = chassis::error::business_error(&status).unwrap();
        let datas: serde_json::Value = serde_json::from_str(&error.datas_json).unwrap_or_default();
        let ticket = datas["factorTicket"].as_str().unwrap_or_default();
        (error.code, ticket.to_owned())
    })
}

pub async fn enrol(world: &World, who: &Person) -> (App, Vec<String>) {
    let begun = world.signed(who, BeginSecondFactorRequest::default());
    let begun = world.security().begin_second_factor(begun).await.unwrap();
    let app = App::of(&begun.into_inner());
    assert!(
        !overview(world, who).await.second_factor,
        "before it is confirmed"
    );
    let confirm = |code: String| ConfirmSecondFactorRequest {
        verifycode: code,
        ..Default::default()
    };
    let wrong = world.signed(who, confirm("12345x".into()));
    let wrong = world.security().confirm_second_factor(wrong).await;
    assert_eq!(code_of(wrong), 60206);
    let right = world.signed(who, confirm(app.code(world)));
    let right = world.security().confirm_second_factor(right).await.unwrap();
    (app, right.into_inner().codes)
}

async fn a_second_factor_is_asked_for_and_each_code_works_once(shape: Shape) {
    let world = World::open(shape).await;
    let who = world.register("13800138000", "shanhai1").await;
    let other = world
        .sign_in(&who.phone, "shanhai1", "", "10.0.9.1")
        .await
        .unwrap();
    let (app, codes) = enrol(&world, &who).await;
    assert_eq!(codes.len(), 10);
    assert!(
        world.introspect(&other.token).await.is_err(),
        "the other session goes on"
    );
    let kept = xl_auth::entity::second_factor::Entity::find()
        .one(&world.context.db)
        .await;
    assert!(
        !kept
            .unwrap()
            .unwrap()
            .secret
            .contains(&app.0.secret().to_base32())
    );

    let (code, ticket) = enter(&world, &who, "", "").await.unwrap_err();
    assert_eq!((code, ticket.is_empty()), (60206, false));
    // The code that enrolled the app has been used.
    assert_eq!(
        enter(&world, &who, &app.code(&world), &ticket)
            .await
            .unwrap_err()
            .0,
        60206
    );
    world.advance_seconds(31);
    another_accounts_ticket_spares_no_slider(&world, &ticket).await;
    enter(&world, &who, &app.code(&world), &ticket)
        .await
        .unwrap();
    assert_eq!(
        enter(&world, &who, &app.code(&world), "")
            .await
            .unwrap_err()
            .0,
        60206,
        "twice"
    );
    let typed = codes[0].to_uppercase().replace('-', " ");
    enter(&world, &who, &typed, "").await.unwrap();
    assert_eq!(
        enter(&world, &who, &codes[0], "").await.unwrap_err().0,
        60206,
        "twice"
    );
    by_sms_the_code_serves_again(&world, &who, &app).await;

    // Neither password nor phone replaces it.
    assert_eq!(confirm_by_password(&world, &who, "shanhai1").await, 60206);
    let by = |method: &str, code: String| ConfirmIdentityRequest {
        method: method.into(),
        verifycode: code,
        ..Default::default()
    };
    world.advance_seconds(31);
    for _ in 0..5 {
        assert_eq!(
            confirm(&world, &who, by("totp", "000000".into())).await,
            60206
        );
    }
    let right = app.code(&world);
    assert_eq!(
        confirm(&world, &who, by("totp", right)).await,
        60206,
        "five wrong ones"
    );
    world.advance_seconds(901);
    assert_eq!(
        code_of(
            world
                .security()
                .remove_second_factor(world.signed(&who, RemoveSecondFactorRequest::default()))
                .await
        ),
        60207
    );
    assert_eq!(
        confirm(&world, &who, by("totp", app.code(&world))).await,
        60000
    );
    let renewed = world.signed(&who, RenewRecoveryCodesRequest::default());
    let renewed = world
        .security()
        .renew_recovery_codes(renewed)
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        confirm(&world, &who, by("recovery", codes[1].clone())).await,
        60206
    );
    assert_eq!(
        confirm(&world, &who, by("recovery", renewed.codes[0].clone())).await,
        60000
    );
    assert_eq!(overview(&world, &who).await.recovery_codes_left, 9);
    let remove = world.signed(&who, RemoveSecondFactorRequest::default());
    world.security().remove_second_factor(remove).await.unwrap();
    enter(&world, &who, "", "").await.unwrap();
    let secured: Vec<_> = published::<AccountSecured>(&world).await;
    let secured: Vec<&str> = secured.iter().map(|event| event.what.as_str()).collect();
    assert_eq!(
        secured,
        ["secondFactorOn", "recoveryCodes", "secondFactorOff"]
    );
    world.finish().await;
}

async fn who_knows_the_password_does_not_keep_the_owner_out(shape: Shape) {
    let world = World::open(shape).await;
    let who = world.register("13800138000", "shanhai1").await;
    let key = entered(&world, &who, "", "").await.unwrap();
    let (app, codes) = enrol(&world, &who).await;
    world.advance_seconds(31);
    for _ in 0..5 {
        assert_eq!(
            enter(&world, &who, "000000", "").await.unwrap_err().0,
            60206
        );
    }
    let right = app.code(&world);
    let locked = enter(&world, &who, &right, "").await.unwrap_err();
    assert_eq!(locked.0, 60206, "for those on no known device");

    // On a known device, in the session that is open, and by a recovery code the owner comes in.
    entered(&world, &who, &right, &key).await.unwrap();
    world.advance_seconds(31);
    let by = |method: &str, code: String| ConfirmIdentityRequest {
        method: method.into(),
        verifycode: code,
        ..Default::default()
    };
    let shown = app.code(&world);
    assert_eq!(confirm(&world, &who, by("totp", shown)).await, 60000);
    enter(&world, &who, &codes[0], "").await.unwrap();

    // Guesses on a known device are limited too.
    for _ in 0..5 {
        let guess = entered(&world, &who, "000000", &key).await;
        assert_eq!(guess.unwrap_err(), 60206);
    }
    world.advance_seconds(31);
    let right = app.code(&world);
    assert_eq!(
        entered(&world, &who, &right, &key).await.unwrap_err(),
        60206
    );
    world.finish().await;
}

/// Signs in by password on a device; returns its key.
async fn entered(world: &World, who: &Person, totp: &str, device: &str) -> Result<String, i32> {
    let form = TokenRequest {
        username: who.phone.clone(),
        password: "shanhai1".into(),
        totp: totp.into(),
        device: device.into(),
        ..Default::default()
    };
    let reply = world.client().token(world.from("10.0.9.7", form)).await;
    let datas = reply.map_err(|status| chassis::error::business_error(&status).unwrap().code)?;
    let datas: serde_json::Value = serde_json::from_str(&datas.into_inner().token).unwrap();
    Ok(datas["device"].as_str().unwrap_or_default().to_owned())
}

async fn another_accounts_ticket_spares_no_slider(world: &World, ticket: &str) {
    let stranger = world.register("13800138009", "shanhai1").await;
    for _ in 0..2 {
        let wrong = world
            .sign_in(&stranger.phone, "wrong-one", "", "10.0.9.5")
            .await;
        assert!(wrong.is_err());
    }
    let refused = enter(world, &stranger, "", ticket).await.unwrap_err();
    assert_eq!(refused.0, 60201);
}

async fn by_sms_the_code_serves_again(world: &World, who: &Person, app: &App) {
    world.advance_seconds(61);
    let ticket = world.pass("10.0.9.6").await;
    let key = world
        .send_with(&who.phone, "login", &ticket, "10.0.9.6")
        .await;
    let mut form = LoginByPhoneRequest {
        phoneno: who.phone.clone(),
        verifycode: world.code(&who.phone, 2).await,
        sms_key: key.unwrap(),
        ..Default::default()
    };
    let asked = world
        .client()
        .login_by_phone(world.from("10.0.9.6", form.clone()))
        .await;
    assert_eq!(code_of(asked), 60206);
    form.totp = app.code(world);
    let entered = world
        .client()
        .login_by_phone(world.from("10.0.9.6", form))
        .await;
    entered.unwrap();
}
