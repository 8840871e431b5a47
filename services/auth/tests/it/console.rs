//! The operators' console: enrolment, the service's own permission check for every call, one audit entry for each deed, the chain.

mod desk;

use std::collections::BTreeSet;

use chassis::error::business_error;
use chassis::testing::console::{audited, locked};
use chassis::testing::{Shape, eventually};
use proto::auth::v1::audit_console_api_client::AuditConsoleApiClient;
use proto::auth::v1::auth_internal_client::AuthInternalClient;
use proto::auth::v1::operator_api_client::OperatorApiClient;
use proto::auth::v1::user_console_api_client::UserConsoleApiClient;
use proto::auth::v1::*;
use proto::code;
use proto::common::v1::{Empty, Principal};
use sea_orm::{ConnectionTrait, Statement};
use tonic::codegen::http::uri::PathAndQuery;
use tonic::service::Routes;
use tonic::{Code, Request, Status};
use tonic_prost::ProstCodec;
use totp_rs::{Builder, Totp};
use xl_auth::operator::{ADMIN, Operators};

use self::desk::*;
use crate::on_every_shape;
use crate::world::{World, hash};

type Seen = BTreeSet<&'static str>;

on_every_shape!(
    operators_enrol_and_sign_in_with_both_factors,
    each_deed_leaves_one_entry_in_a_chain_that_breaks_visibly,
    of_two_who_take_each_others_place_one_stays,
);

async fn operators_enrol_and_sign_in_with_both_factors(shape: Shape) {
    let world = World::open(shape).await;
    let anna = world.admin().await;
    assert_eq!(anna.recovery.len(), 10);

    // Neither factor alone, no code twice, a recovery code once.
    let code = world.code_of(&anna.app);
    assert!(
        world
            .signed_in_as("anna", "another phrase", &code)
            .await
            .is_err()
    );
    assert!(world.signed_in_as("anna", PASSWORD, "").await.is_err());
    assert!(world.signed_in_as("anna", PASSWORD, &code).await.is_ok());
    assert!(world.signed_in_as("anna", PASSWORD, &code).await.is_err());
    let recovery = &anna.recovery[0];
    assert!(world.signed_in_as("ANNA", PASSWORD, recovery).await.is_ok());
    assert!(
        world
            .signed_in_as("anna", PASSWORD, recovery)
            .await
            .is_err()
    );

    // A stale second factor is confirmed; the code of a confirmation is not valid again either.
    let body = OperatorAddRequest {
        name: "berta".to_owned(),
        roles: vec![ADMIN.to_owned()],
        reason: "night shift".to_owned(),
    };
    world.advance_seconds(11 * 60);
    let request = world.by(&anna, body.clone()).await;
    let stale = world.operators().operator_add(request).await.unwrap_err();
    assert_eq!(refused(&stale), code::NOT_FRESH);
    let confirmation = OperatorConfirmRequest {
        code: world.code_of(&anna.app),
    };
    for works in [true, false] {
        let request = world.by(&anna, confirmation.clone()).await;
        let confirmed = world.operators().operator_confirm(request).await;
        assert_eq!(confirmed.is_ok(), works);
    }
    let request = world.by(&anna, body).await;
    let link = world.operators().operator_add(request).await.unwrap();
    let berta = world.enrolled(&link.into_inner().link).await;

    // Another address ends the session, and so do 30 minutes without a call, and the absolute end.
    assert!(world.known(&berta.token, "10.9.0.2").await.is_err());
    assert!(world.known(&berta.token, ADDRESS).await.is_err());
    for _ in 0..17 {
        world.advance_seconds(29 * 60);
        let lives = world.known(&anna.token, ADDRESS).await.is_ok();
        if !lives {
            break;
        }
    }
    assert!(
        world.known(&anna.token, ADDRESS).await.is_err(),
        "after 8 hours"
    );
    let code = world.code_of(&anna.app);
    let idle = world.signed_in_as("anna", PASSWORD, &code).await.unwrap();
    world.advance_seconds(31 * 60);
    assert!(world.known(&idle, ADDRESS).await.is_err());

    // Five wrong tries, then a pause for the right one too.
    for _ in 0..5 {
        assert!(
            world
                .signed_in_as("anna", PASSWORD, "000000x")
                .await
                .is_err()
        );
    }
    let code = world.code_of(&anna.app);
    assert!(world.signed_in_as("anna", PASSWORD, &code).await.is_err());
    world.advance_seconds(16 * 60);
    let code = world.code_of(&anna.app);
    assert!(world.signed_in_as("anna", PASSWORD, &code).await.is_ok());
    world.parts.finish().await;
}

/// Includes new calls: they come from the catalogue.
#[tokio::test]
async fn the_inner_lock_holds_for_every_call() {
    let world = World::open(Shape::Embedded).await;
    let tried = locked(xl_auth::NAME, async |path, principal| {
        let mut client = tonic::client::Grpc::new(world.routes());
        client.ready().await.unwrap();
        let path = PathAndQuery::from_static(path);
        let codec = ProstCodec::<(), ()>::default();
        let answer = client
            .unary(world.vouched(principal, ()), path, codec)
            .await;
        answer.err().unwrap_or_else(|| Status::ok(""))
    });
    tried.await;
    world.parts.finish().await;
}

/// Calls a writing RPC and expects one entry more, of this call.
macro_rules! deed {
    ($world:ident, $agent:expr, $seen:ident, $id:literal, $client:ident . $rpc:ident($body:expr)) => {{
        let before = $world.rows("audit").await;
        let request = $world.by($agent, $body).await;
        let answer = $client::new($world.routes()).$rpc(request).await;
        let answer = answer.unwrap_or_else(|status| panic!("{}: {status:?}", $id));
        assert_eq!($world.rows("audit").await, before + 1, "{}", $id);
        $seen.insert($id);
        answer.into_inner()
    }};
}

/// The gateway has let both calls pass; each would leave the other without what the other's call needs.
async fn of_two_who_take_each_others_place_one_stays(shape: Shape) {
    let world = World::open(shape).await;
    let anna = world.admin().await;
    let add = OperatorAddRequest {
        name: "berta".to_owned(),
        roles: vec![ADMIN.to_owned()],
        reason: "night shift".to_owned(),
    };
    let request = world.by(&anna, add).await;
    let link = world.operators().operator_add(request).await.unwrap();
    let link = link.into_inner();
    let berta = world.enrolled(&link.link).await;
    let first = world.known(&anna.token, ADDRESS).await.unwrap().operator_id;
    let demote = |id: &str| OperatorSetRolesRequest {
        id: id.to_owned(),
        roles: vec![],
        reason: "a quarrel".to_owned(),
    };
    let by_anna = world.by(&anna, demote(&link.id)).await;
    let by_berta = world.by(&berta, demote(&first)).await;
    let (mut one, mut other) = (world.operators(), world.operators());
    let done = futures::join!(
        one.operator_set_roles(by_anna),
        other.operator_set_roles(by_berta)
    );
    let refusal = match done {
        (Ok(_), Err(refusal)) | (Err(refusal), Ok(_)) => refusal,
        done => panic!("{done:?}"),
    };
    assert_eq!(refusal.code(), Code::PermissionDenied);

    // A name that only looks like another is none.
    let left = match world.known(&anna.token, ADDRESS).await {
        Ok(known) if !known.permissions.is_empty() => &anna,
        _ => &berta,
    };
    for title in ["\u{200d}", "管理员\u{fe0f}", "客服\u{17b4}"] {
        let role = OperatorRoleSaveRequest {
            title: title.to_owned(),
            reason: "looks alike".to_owned(),
            ..Default::default()
        };
        let request = world.by(left, role).await;
        let refused_title = world.operators().operator_role_save(request).await;
        assert_eq!(
            refused(&refused_title.unwrap_err()),
            code::INVALID,
            "{title:?}"
        );
    }
    // Nor is a reason that nobody can see.
    let role = OperatorRoleSaveRequest {
        title: "客服".to_owned(),
        reason: "\u{200d}\u{301}".to_owned(),
        ..Default::default()
    };
    let request = world.by(left, role).await;
    let silent = world.operators().operator_role_save(request).await;
    assert_eq!(refused(&silent.unwrap_err()), code::INVALID);
    world.parts.finish().await;
}

mod entry;
mod forge;
mod keys;
mod own;
mod review;
mod ways;

async fn each_deed_leaves_one_entry_in_a_chain_that_breaks_visibly(shape: Shape) {
    let world = World::open(shape).await;
    let anna = world.admin().await;
    // The two calls before a sign-in, and the command.
    let mut seen = BTreeSet::from(["K02", "K03"]);
    assert_eq!(world.rows("audit").await, 3);
    let person = world.register("13900000001", "xuanlan1").await;
    let reason = || "asked for by the police".to_owned();
    let confirmation = OperatorConfirmRequest {
        code: world.code_of(&anna.app),
    };
    deed!(
        world,
        &anna,
        seen,
        "K05",
        OperatorApiClient.operator_confirm(confirmation)
    );

    let role = OperatorRoleSaveRequest {
        title: "support".to_owned(),
        permissions: vec!["user.freeze".to_owned()],
        reason: reason(),
        ..Default::default()
    };
    deed!(
        world,
        &anna,
        seen,
        "K13",
        OperatorApiClient.operator_role_save(role)
    );
    let request = world.by(&anna, Empty {}).await;
    let roles = world.operators().operator_role_list(request).await.unwrap();
    let support = roles.into_inner().roles.pop().unwrap();
    assert_eq!(
        support.permissions,
        ["user.freeze", "user.read"],
        "who acts on a thing sees it"
    );
    let support = support.id;
    let add = OperatorAddRequest {
        name: "berta".to_owned(),
        roles: vec![support.clone()],
        reason: reason(),
    };
    let link = deed!(
        world,
        &anna,
        seen,
        "K08",
        OperatorApiClient.operator_add(add)
    );
    let berta = world.enrolled(&link.link).await;
    let (id, roles) = (link.id, vec![]);
    let set = OperatorSetRolesRequest {
        id: id.clone(),
        roles,
        reason: reason(),
    };
    // No operator raises himself, and none without the permission raises another.
    let own = world.by(
        &anna,
        OperatorSetRolesRequest {
            id: world.known(&anna.token, ADDRESS).await.unwrap().operator_id,
            ..set.clone()
        },
    );
    let own = world.operators().operator_set_roles(own.await).await;
    assert_eq!(refused(&own.unwrap_err()), 403);
    let by_other = world.by(&berta, set.clone()).await;
    let by_other = world.operators().operator_set_roles(by_other).await;
    assert_eq!(by_other.unwrap_err().code(), Code::PermissionDenied);
    deed!(
        world,
        &anna,
        seen,
        "K09",
        OperatorApiClient.operator_set_roles(set)
    );
    let remove = OperatorRoleRemoveRequest {
        id: support,
        reason: reason(),
    };
    deed!(
        world,
        &anna,
        seen,
        "K14",
        OperatorApiClient.operator_role_remove(remove)
    );
    let disable = OperatorSetDisabledRequest {
        id: id.clone(),
        disabled: true,
        reason: reason(),
    };
    deed!(
        world,
        &anna,
        seen,
        "K10",
        OperatorApiClient.operator_set_disabled(disable)
    );
    assert!(world.known(&berta.token, ADDRESS).await.is_err());
    let target = OperatorTargetRequest {
        id: id.clone(),
        reason: reason(),
    };
    let request = world.by(&anna, target.clone()).await;
    let disabled = world.operators().operator_reset(request).await.unwrap_err();
    assert_eq!(refused(&disabled), code::CONFLICT, "a reset enables nobody");
    let enable = OperatorSetDisabledRequest {
        id,
        disabled: false,
        reason: reason(),
    };
    deed!(
        world,
        &anna,
        seen,
        "K10",
        OperatorApiClient.operator_set_disabled(enable)
    );
    deed!(
        world,
        &anna,
        seen,
        "K11",
        OperatorApiClient.operator_reset(target)
    );

    let login_id = person.login_id.clone();
    let show = UserShowRequest {
        login_id: login_id.clone(),
    };
    let shown = deed!(
        world,
        &anna,
        seen,
        "K22",
        UserConsoleApiClient.user_reveal(show)
    );
    assert_eq!(shown.phone, person.phone);
    let search = UserSearchRequest {
        text: person.phone.clone(),
        ..Default::default()
    };
    let request = world.by(&anna, search).await;
    let found = UserConsoleApiClient::new(world.routes())
        .user_search(request)
        .await;
    let found = found.unwrap().into_inner().users;
    assert_eq!(
        (found[0].login_id.as_str(), found[0].state.as_str()),
        (login_id.as_str(), "active")
    );

    // A deed without a reason leaves neither effect nor entry: they are one transaction.
    let freeze = UserFreezeRequest {
        login_id: login_id.clone(),
        until: 0,
        reason: reason(),
    };
    let before = world.rows("audit").await;
    let silent = world.by(
        &anna,
        UserFreezeRequest {
            reason: " ".to_owned(),
            ..freeze.clone()
        },
    );
    let silent = UserConsoleApiClient::new(world.routes())
        .user_freeze(silent.await)
        .await;
    assert_eq!(refused(&silent.unwrap_err()), code::INVALID);
    assert_eq!(
        (
            world.rows("audit").await,
            world.rows("account_freeze").await
        ),
        (before, 0)
    );
    assert!(world.introspect(&person.token).await.is_ok());
    deed!(
        world,
        &anna,
        seen,
        "K23",
        UserConsoleApiClient.user_freeze(freeze)
    );
    for (state, count) in [("frozen", 1), ("active", 0)] {
        let search = UserSearchRequest {
            state: state.to_owned(),
            ..Default::default()
        };
        let request = world.by(&anna, search).await;
        let mut client = UserConsoleApiClient::new(world.routes());
        let found = client.user_search(request).await.unwrap();
        assert_eq!(found.into_inner().users.len(), count, "{state}");
    }
    assert!(world.introspect(&person.token).await.is_err());
    let thaw = UserDecisionRequest {
        login_id: login_id.clone(),
        reason: reason(),
    };
    deed!(
        world,
        &anna,
        seen,
        "K24",
        UserConsoleApiClient.user_thaw(thaw)
    );
    let end = UserEndSessionsRequest {
        login_id,
        reason: reason(),
        ..Default::default()
    };
    let request = world.by(&anna, end.clone()).await;
    let mut client = UserConsoleApiClient::new(world.routes());
    let nothing = client.user_end_sessions(request).await.unwrap_err();
    assert_eq!(refused(&nothing), code::CONFLICT, "nobody is signed in");
    let again = world
        .sign_in(&person.phone, "xuanlan1", "", "10.0.0.9")
        .await;
    assert!(again.is_ok());
    deed!(
        world,
        &anna,
        seen,
        "K25",
        UserConsoleApiClient.user_end_sessions(end)
    );
    review::certifications(&world, &anna, &mut seen).await;
    review::invitations(&world, &anna, &mut seen).await;
    let all = AuditSearchRequest::default();
    let exported = deed!(
        world,
        &anna,
        seen,
        "K31",
        AuditConsoleApiClient.audit_export(all)
    );
    assert!(exported.csv.contains("anna"));
    ways::users(&world, &anna, &mut seen).await;
    ways::dead_letters(&world, &anna, &mut seen).await;
    own::account(&world, &anna, &mut seen).await;
    ways::health(&world, &anna).await;
    let before = world.rows("audit").await;
    let request = world.by(&anna, Empty {}).await;
    world.operators().operator_sign_out(request).await.unwrap();
    assert_eq!(world.rows("audit").await, before + 1);
    seen.insert("K04");
    assert!(world.known(&anna.token, ADDRESS).await.is_err());
    assert_eq!(
        seen,
        audited(xl_auth::NAME),
        "each writing call and each audited read has a case"
    );

    // Operators' deeds in other services join the same chain.
    world.elsewhere("elsewhere").await;
    let written = world.rows("audit").await + 1;
    eventually("every entry is in the chain", || async {
        (world.rows("audit_chain").await == written).then_some(())
    })
    .await;
    forge::each_forgery_is_found(&world, written).await;
    world.parts.finish().await;
}
