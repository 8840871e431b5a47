//! Changes of a way into an account: fresh proof, the end of other sessions, the notice to its owner.

use chassis::testing::{Shape, eventually};
use proto::auth::v1::*;
use proto::events::Published;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Expr;
use sea_orm::{ConnectionTrait, QueryResult, Statement};
use tonic::Status;

use crate::world::{Person, World, refusal};

crate::on_every_shape!(
    a_phone_changes_with_fresh_proof_only,
    a_password_is_changed_with_the_old_one_or_set_after_confirming,
    an_address_is_bound_by_a_code_that_reached_it,
    the_step_after_registration_keeps_its_answers,
);

const NEW: &str = "qingshan-7";

pub fn code_of<T>(outcome: Result<T, Status>) -> i32 {
    outcome.map_or_else(|status| refusal(&status).0, |_| 60000)
}

pub async fn confirm(world: &World, who: &Person, form: ConfirmIdentityRequest) -> i32 {
    let request = world.signed(who, form);
    code_of(world.security().confirm_identity(request).await)
}

pub async fn confirm_by_password(world: &World, who: &Person, password: &str) -> i32 {
    let form = ConfirmIdentityRequest {
        method: "password".into(),
        password: password.into(),
        ..Default::default()
    };
    confirm(world, who, form).await
}

async fn confirm_by_sms(world: &World, who: &Person, count: usize) -> i32 {
    let request = world.signed(who, SendOwnCodeRequest::default());
    let sent = world.security().send_own_code(request).await.unwrap();
    let form = ConfirmIdentityRequest {
        method: "sms".into(),
        sms_key: sent.into_inner().sms_key,
        verifycode: world.code(&who.phone, count).await,
        ..Default::default()
    };
    confirm(world, who, form).await
}

pub async fn overview(world: &World, who: &Person) -> AccountSecurityReply {
    let request = world.signed(who, AccountSecurityRequest::default());
    let reply = world.security().account_security(request).await;
    reply.unwrap().into_inner()
}

/// Events of one kind that were published, oldest first.
pub async fn published<E: Published + Default>(world: &World) -> Vec<E> {
    let db = &world.context.db;
    let text = format!(
        "SELECT body FROM outbox WHERE event_key = '{}' ORDER BY id",
        E::KEY
    );
    let query = Statement::from_string(db.get_database_backend(), text);
    let rows = db.query_all_raw(query).await.unwrap();
    let body = |row: &QueryResult| row.try_get::<Vec<u8>>("", "body").unwrap();
    rows.iter()
        .map(|row| E::decode(body(row).as_slice()).unwrap())
        .collect()
}

async fn modify_phone(world: &World, who: &Person, phone: &str, key: &str, code: &str) -> i32 {
    let form = ModifyPhoneRequest {
        phone: phone.into(),
        sms_key: key.into(),
        verifycode: code.into(),
        ..Default::default()
    };
    let request = world.signed(who, form);
    code_of(world.security().modify_phone(request).await)
}

async fn a_phone_changes_with_fresh_proof_only(shape: Shape) {
    let world = World::open(shape).await;
    let stranger = world.register("13800138009", "shanhai1").await;
    let who = world.register("13800138000", "shanhai1").await;
    let other = world
        .sign_in(&who.phone, "shanhai1", "", "10.0.9.1")
        .await
        .unwrap();
    let (key, code) = world.first_code("13900139000", "bindPhone").await;
    // Signing in counts as proof for ten minutes.
    assert!(overview(&world, &who).await.confirmed_until > 0);
    world.advance_seconds(601);
    let (key, code) = match overview(&world, &who).await.confirmed_until {
        0 => {
            assert_eq!(
                modify_phone(&world, &who, "13900139000", &key, &code).await,
                60207
            );
            let again = world.send("13900139000", "bindPhone", "10.0.9.2").await;
            assert_eq!(
                code_of(again.as_ref().map_err(Clone::clone)),
                60202,
                "the slider first"
            );
            let ticket = world.pass("10.0.9.2").await;
            let key = world
                .send_with("13900139000", "bindPhone", &ticket, "10.0.9.2")
                .await;
            (key.unwrap(), world.code("13900139000", 2).await)
        }
        until => panic!("confirmed until {until}"),
    };
    assert_eq!(confirm_by_password(&world, &who, "wrong-one").await, 60203);
    assert_eq!(confirm_by_password(&world, &who, "shanhai1").await, 60000);
    // Another user's number, and a code of another number.
    assert_eq!(
        modify_phone(&world, &who, &stranger.phone, &key, &code).await,
        60205
    );
    assert_eq!(
        modify_phone(&world, &who, "13900139001", &key, &code).await,
        60204
    );
    assert_eq!(
        modify_phone(&world, &who, "13900139000", &key, &code).await,
        60000
    );
    world.introspect(&who.token).await.unwrap();
    assert!(
        world.introspect(&other.token).await.is_err(),
        "the other session goes on"
    );
    world
        .sign_in("13900139000", "shanhai1", "", "10.0.9.3")
        .await
        .unwrap();
    let gone = world.sign_in(&who.phone, "shanhai1", "", "10.0.9.3").await;
    assert_eq!(code_of(gone.map(|_| ())), 60200);
    let secured = published::<AccountSecured>(&world).await;
    assert_eq!((secured.len(), secured[0].what.as_str()), (1, "phone"));
    assert_eq!(secured[0].device, "Chrome · Windows");
    let changed = published::<AccountChanged>(&world).await;
    assert_eq!(changed[0].phone_masked, "139****9000");
    // The code to the own number, which no other caller can request.
    let public = world.send("13900139000", "confirm", "10.0.9.4").await;
    assert_eq!(code_of(public), 60100);
    world.finish().await;
}

async fn modify_password(world: &World, who: &Person, old: &str, new: &str) -> i32 {
    let form = ModifyUserPasswordRequest {
        old_password: old.into(),
        password: new.into(),
        ..Default::default()
    };
    let request = world.signed(who, form);
    code_of(world.security().modify_user_password(request).await)
}

async fn a_password_is_changed_with_the_old_one_or_set_after_confirming(shape: Shape) {
    let world = World::open(shape).await;
    let who = world.register("13800138000", "shanhai1").await;
    let other = world
        .sign_in(&who.phone, "shanhai1", "", "10.0.9.1")
        .await
        .unwrap();
    world.advance_seconds(601);
    assert_eq!(modify_password(&world, &who, "", NEW).await, 60207);
    assert_eq!(modify_password(&world, &who, "wrong-one", NEW).await, 60203);
    for refused in ["123456", "password", "short", "shanhai1", &who.phone] {
        assert_eq!(
            modify_password(&world, &who, "shanhai1", refused).await,
            60100,
            "{refused}"
        );
    }
    assert_eq!(modify_password(&world, &who, "shanhai1", NEW).await, 60000);
    world.introspect(&who.token).await.unwrap();
    assert!(world.introspect(&other.token).await.is_err());
    world
        .sign_in(&who.phone, NEW, "", "10.0.9.2")
        .await
        .unwrap();
    assert_eq!(
        published::<AccountSecured>(&world).await[0].what,
        "password"
    );

    // As an account that signs in with a third party alone.
    use xl_auth::entity::account;
    account::Entity::update_many()
        .col_expr(account::Column::PasswordHash, Expr::value(""))
        .filter(account::Column::Id.eq(&who.login_id))
        .exec(&world.context.db)
        .await
        .unwrap();
    let none = world.sign_in(&who.phone, NEW, "", "10.0.9.3").await;
    assert_eq!(code_of(none.map(|_| ())), 60203);
    let shown = overview(&world, &who).await;
    assert_eq!(
        (shown.has_password, shown.confirm_methods),
        (false, vec!["sms".to_owned()])
    );
    assert_eq!(modify_password(&world, &who, "", "another-9").await, 60207);
    assert_eq!(confirm_by_password(&world, &who, NEW).await, 60203);
    another_phones_code_confirms_nothing(&world, &who).await;
    assert_eq!(confirm_by_sms(&world, &who, 2).await, 60000);
    assert_eq!(modify_password(&world, &who, "", "another-9").await, 60000);
    world
        .sign_in(&who.phone, "another-9", "", "10.0.9.4")
        .await
        .unwrap();
    world.finish().await;
}

async fn another_phones_code_confirms_nothing(world: &World, who: &Person) {
    let stranger = world.register("13800138009", "shanhai1").await;
    world.advance_seconds(61);
    let request = world.signed(&stranger, SendOwnCodeRequest::default());
    let sent = world.security().send_own_code(request).await.unwrap();
    let form = ConfirmIdentityRequest {
        method: "sms".into(),
        sms_key: sent.into_inner().sms_key,
        verifycode: world.code(&stranger.phone, 2).await,
        ..Default::default()
    };
    assert_eq!(confirm(world, who, form).await, 60204);
}

/// Requests a code by mail; returns its key, and the code once it is there.
async fn mail_code(world: &World, who: &Person, email: &str) -> Result<(String, String), Status> {
    let form = SendMailCodeRequest {
        email: email.into(),
        ..Default::default()
    };
    let request = world.signed(who, form);
    let key = world.security().send_mail_code(request).await?;
    let key = key.into_inner().mail_key;
    let code = eventually("the mail arrives", || async {
        let mails = world.pushed("#sandbox", |m| m["type"] == "MAIL" && m["to"] == email);
        Some(mails.last()?["code"].as_str()?.to_owned())
    });
    Ok((key, code.await))
}

async fn bind(world: &World, who: &Person, email: &str, key: &str, code: &str) -> i32 {
    let form = BindEmailRequest {
        email: email.into(),
        mail_key: key.into(),
        verifycode: code.into(),
        ..Default::default()
    };
    let request = world.signed(who, form);
    code_of(world.security().bind_email(request).await)
}

async fn an_address_is_bound_by_a_code_that_reached_it(shape: Shape) {
    let world = World::open(shape).await;
    let who = world.register("13800138000", "shanhai1").await;
    let stranger = world.register("13800138009", "shanhai1").await;
    let mail = "li@example.com";
    assert_eq!(code_of(mail_code(&world, &who, "no address").await), 60100);
    let (key, code) = mail_code(&world, &who, mail).await.unwrap();
    let wrong = if code == "000000" { "000001" } else { "000000" };
    assert_eq!(bind(&world, &who, mail, &key, wrong).await, 60204);
    assert_eq!(
        bind(&world, &who, "wang@example.com", &key, &code).await,
        60204
    );
    assert_eq!(
        bind(&world, &stranger, mail, &key, &code).await,
        60204,
        "another's code"
    );
    assert_eq!(bind(&world, &who, mail, &key, &code).await, 60000);
    assert_eq!(
        bind(&world, &who, mail, &key, &code).await,
        60204,
        "a code works once"
    );
    let shown = overview(&world, &who).await;
    assert_eq!(shown.email.as_deref(), Some("l***@example.com"));
    assert!(shown.email_verified && shown.mail_available);
    world
        .sign_in(mail, "shanhai1", "", "10.0.9.1")
        .await
        .unwrap();
    assert_eq!(code_of(mail_code(&world, &stranger, mail).await), 60205);
    assert_eq!(
        published::<AccountChanged>(&world).await[0].email_masked,
        "l***@example.com"
    );
    world.advance_seconds(601);
    assert_eq!(
        code_of(mail_code(&world, &who, "wu@example.com").await),
        60207
    );
    world.finish().await;
}

async fn the_step_after_registration_keeps_its_answers(shape: Shape) {
    // AM088: it can be skipped, and answered later.
    let world = World::open(shape).await;
    let who = world.register("13800138000", "shanhai1").await;
    let before = overview(&world, &who).await;
    assert_eq!((before.interest, before.register_purpose), (None, None));
    let answer = |interest: Option<&str>, purpose: Option<&str>| {
        let form = InterestRequest {
            user_id: who.login_id.clone(),
            interest: interest.map(str::to_owned),
            register_purpose: purpose.map(str::to_owned),
        };
        let mut client = world.security();
        let request = world.signed(&who, form);
        async move { code_of(client.set_interest_and_register_purpose(request).await) }
    };
    assert_eq!(answer(Some("game,design,game"), None).await, 60000);
    assert_eq!(answer(None, Some("work")).await, 60000);
    let kept = overview(&world, &who).await;
    assert_eq!(kept.interest.as_deref(), Some("design,game"));
    assert_eq!(kept.register_purpose.as_deref(), Some("work"));
    for (interest, purpose) in [(Some("<b>"), None), (None, Some("fun"))] {
        assert_eq!(answer(interest, purpose).await, 60100);
    }
    assert_eq!(answer(Some(""), None).await, 60000);
    assert_eq!(overview(&world, &who).await.interest, None);
    world.finish().await;
}
