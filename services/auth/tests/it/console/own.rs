//! An operator's own account: password, recovery codes, authenticator app, sessions.

use proto::auth::v1::operator_api_client::OperatorApiClient;
use totp_rs::Builder;

use super::*;

impl World {
    async fn sessions_of(&self, agent: &Agent) -> Vec<OperatorSession> {
        let request = self.by(agent, Empty {}).await;
        let found = self.operators().operator_sessions(request).await;
        found.unwrap().into_inner().sessions
    }

    async fn confirmed(&self, agent: &Agent) {
        let body = OperatorConfirmRequest {
            code: self.code_of(&agent.app),
        };
        let request = self.by(agent, body).await;
        self.operators().operator_confirm(request).await.unwrap();
    }

    async fn in_another_browser(&self, agent: &Agent, password: &str) -> Agent {
        let code = self.code_of(&agent.app);
        let signed_in = self.signed_in_as(&agent.name, password, &code).await;
        Agent {
            name: agent.name.clone(),
            app: agent.app.clone(),
            recovery: Vec::new(),
            token: signed_in.unwrap(),
        }
    }
}

/// Each change of a way in needs a fresh second factor, leaves one entry, and ends the other sessions.
pub async fn account(world: &World, anna: &Agent, seen: &mut Seen) {
    let add = OperatorAddRequest {
        name: "carla".to_owned(),
        roles: Vec::new(),
        reason: "for the night".to_owned(),
    };
    let link = deed!(
        world,
        anna,
        seen,
        "K08",
        OperatorApiClient.operator_add(add)
    );
    let mut carla = world.enrolled(&link.link).await;
    sessions_end(world, &carla, anna, seen).await;
    password_changes(world, &carla, seen).await;
    recovery_codes_are_renewed(world, &mut carla, seen).await;
    app_is_replaced(world, &mut carla, seen).await;
}

async fn sessions_end(world: &World, carla: &Agent, anna: &Agent, seen: &mut Seen) {
    let first = world.in_another_browser(carla, PASSWORD).await;
    let second = world.in_another_browser(carla, PASSWORD).await;
    let all = world.sessions_of(carla).await;
    assert_eq!(all.len(), 3);
    let current: Vec<bool> = all.iter().map(|session| session.current).collect();
    assert_eq!(current, [true, false, false], "the one in use is the first");
    assert!(all.iter().all(|session| session.remote_addr == ADDRESS));

    let end = |id: &str| OperatorEndSessionRequest { id: id.to_owned() };
    let before = world.rows("audit").await;
    let others = world.sessions_of(anna).await[0].id.clone();
    for (id, code) in [(&all[0].id, code::INVALID), (&others, code::CONFLICT)] {
        let request = world.by(carla, end(id)).await;
        let answer = world.operators().operator_end_session(request).await;
        assert_eq!(refused(&answer.unwrap_err()), code);
    }
    assert!(world.known(&anna.token, ADDRESS).await.is_ok());
    assert_eq!(world.rows("audit").await, before);
    // The last one that was used comes next: the second.
    let one = end(&all[1].id);
    deed!(
        world,
        carla,
        seen,
        "K18",
        OperatorApiClient.operator_end_session(one)
    );
    assert!(world.known(&second.token, ADDRESS).await.is_err());
    assert!(world.known(&first.token, ADDRESS).await.is_ok());
    deed!(
        world,
        carla,
        seen,
        "K18",
        OperatorApiClient.operator_end_session(end(""))
    );
    assert!(world.known(&first.token, ADDRESS).await.is_err());
    let request = world.by(carla, end("")).await;
    let none = world.operators().operator_end_session(request).await;
    assert_eq!(
        refused(&none.unwrap_err()),
        code::CONFLICT,
        "there is no other"
    );
}

const NEW: &str = "a longer and newer phrase";

async fn password_changes(world: &World, carla: &Agent, seen: &mut Seen) {
    let change = |current: &str, password: &str| OperatorChangePasswordRequest {
        current: current.to_owned(),
        password: password.to_owned(),
    };
    world.advance_seconds(11 * 60);
    let request = world.by(carla, change(PASSWORD, NEW)).await;
    let stale = world.operators().operator_change_password(request).await;
    assert_eq!(refused(&stale.unwrap_err()), code::NOT_FRESH);
    world.confirmed(carla).await;
    let other = world.in_another_browser(carla, PASSWORD).await;
    for (current, password, code) in [
        ("not the password", NEW, code::WRONG_PASSWORD),
        (PASSWORD, PASSWORD, code::INVALID),
        (PASSWORD, "short", code::INVALID),
        (PASSWORD, "123456789012", code::INVALID),
        (PASSWORD, "carla and her cat", code::INVALID),
    ] {
        let request = world.by(carla, change(current, password)).await;
        let answer = world.operators().operator_change_password(request).await;
        assert_eq!(refused(&answer.unwrap_err()), code, "{password}");
    }
    let right = change(PASSWORD, NEW);
    deed!(
        world,
        carla,
        seen,
        "K15",
        OperatorApiClient.operator_change_password(right)
    );
    assert!(world.known(&carla.token, ADDRESS).await.is_ok());
    assert!(world.known(&other.token, ADDRESS).await.is_err());
    let code = world.code_of(&carla.app);
    assert!(world.signed_in_as("carla", PASSWORD, &code).await.is_err());
    world.in_another_browser(carla, NEW).await;

    // Guesses of the current one are limited, for the right one too.
    for _ in 0..5 {
        let request = world.by(carla, change("a guess", PASSWORD)).await;
        let guess = world.operators().operator_change_password(request).await;
        assert_eq!(refused(&guess.unwrap_err()), code::WRONG_PASSWORD);
    }
    let request = world.by(carla, change(NEW, "yet another phrase")).await;
    let paused = world.operators().operator_change_password(request).await;
    assert_eq!(refused(&paused.unwrap_err()), code::WRONG_PASSWORD);
}

async fn recovery_codes_are_renewed(world: &World, carla: &mut Agent, seen: &mut Seen) {
    let other = world.in_another_browser(carla, NEW).await;
    let renewed = deed!(
        world,
        carla,
        seen,
        "K16",
        OperatorApiClient.operator_renew_recovery_codes(Empty {})
    );
    assert!(world.known(&other.token, ADDRESS).await.is_err());
    let old = std::mem::replace(&mut carla.recovery, renewed.recovery_codes);
    assert_eq!(carla.recovery.len(), 10);
    assert!(world.signed_in_as("carla", NEW, &old[0]).await.is_err());
    let signed_in = world.signed_in_as("carla", NEW, &carla.recovery[0]).await;
    assert!(signed_in.is_ok());
}

async fn app_is_replaced(world: &World, carla: &mut Agent, seen: &mut Seen) {
    world.confirmed(carla).await;
    let finish = |code: String| OperatorFinishAppRequest { code };
    let request = world.by(carla, finish("123456".to_owned())).await;
    let early = world.operators().operator_finish_app(request).await;
    assert_eq!(
        refused(&early.unwrap_err()),
        code::CONFLICT,
        "none was begun"
    );
    let other = world.in_another_browser(carla, NEW).await;
    let request = world.by(carla, Empty {}).await;
    let begun = world.operators().operator_begin_app(request).await;
    let begun = begun.unwrap().into_inner();
    assert!(begun.uri.contains(&begun.secret));
    let app = Builder::new()
        .with_secret(base32(&begun.secret))
        .with_skew(1)
        .with_step_duration(30_u64)
        .with_account_name("carla".to_owned())
        .build()
        .unwrap();
    // A code of the old app is none of the new one; what another session began is not this one's.
    let old = world.code_of(&carla.app);
    let request = world.by(carla, finish(old)).await;
    let wrong = world.operators().operator_finish_app(request).await;
    assert_eq!(refused(&wrong.unwrap_err()), code::WRONG_CODE);
    let request = world.by(&other, finish(world.code_of(&app))).await;
    let foreign = world.operators().operator_finish_app(request).await;
    assert_eq!(refused(&foreign.unwrap_err()), code::CONFLICT);
    let shown = world.code_of(&app);
    deed!(
        world,
        carla,
        seen,
        "K33",
        OperatorApiClient.operator_finish_app(finish(shown.clone()))
    );
    assert!(world.known(&other.token, ADDRESS).await.is_err());
    assert!(
        world.signed_in_as("carla", NEW, &shown).await.is_err(),
        "used"
    );
    let old = world.code_of(&carla.app);
    assert!(world.signed_in_as("carla", NEW, &old).await.is_err());
    carla.app = app;
    world.in_another_browser(carla, NEW).await;
}
