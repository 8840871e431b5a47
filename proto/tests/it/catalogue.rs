//! Invariants of all calls in the contract.

use std::collections::HashSet;

use proto::catalogue::{Access, Body, CONSOLE, calls, is_encrypted};

#[test]
fn every_call_is_complete_and_unique() {
    let mut ids = HashSet::new();
    let mut paths = HashSet::new();
    let mut addresses = HashSet::new();
    assert!(calls().len() >= 40, "only {} calls", calls().len());
    for call in calls() {
        assert!(ids.insert(call.id.clone()), "{} stands twice", call.id);
        assert!(
            paths.insert(call.path.clone()),
            "{} stands twice",
            call.path
        );
        assert!(call.path.starts_with("/api-"), "{}", call.path);
        // The address has no gRPC service: two services of a package cannot both have an RPC of one name.
        assert!(
            addresses.insert(call.address.clone()),
            "{} stands twice",
            call.address
        );
        let output = call.method.output();
        assert!(
            call.datas.is_empty() || output.get_field_by_json_name(&call.datas).is_some(),
            "{}: no field {}",
            call.id,
            call.datas
        );
        assert!(
            call.note.is_empty() || output.get_field_by_json_name(&call.note).is_some(),
            "{}: no field {}",
            call.id,
            call.note
        );
        let input = call.method.input();
        assert!(
            call.owner.is_empty() || input.get_field_by_json_name(&call.owner).is_some(),
            "{}: no owner field {}",
            call.id,
            call.owner
        );
    }
}

#[test]
fn calls_of_the_console_and_no_others_are_for_operators() {
    for call in calls() {
        let id = &call.id;
        let options = !call.permission.is_empty() || call.reason || call.fresh;
        if !call.is_console() {
            assert!(
                !options && !call.audited_read && call.body_limit == 0,
                "{id}: an option of the console"
            );
            assert!(call.access != Access::Operator, "{id}: not below {CONSOLE}");
            continue;
        }
        let below = format!("{CONSOLE}{}/", call.service);
        assert!(call.path.starts_with(&below), "{id}: not below {below}");
        assert_eq!(call.body, Body::Json, "{id}");
        assert!(
            matches!(call.access, Access::Operator | Access::Public),
            "{id}"
        );
        assert!(
            call.access == Access::Operator || !options,
            "{id}: nobody signs in"
        );
        let reason = call.method.input().get_field_by_json_name("reason");
        assert_eq!(
            reason.is_some(),
            call.reason,
            "{id}: field and option `reason`"
        );
    }
}

#[test]
fn options_are_read() {
    let token = calls().iter().find(|c| c.id == "A03").unwrap();
    assert_eq!(token.path, "/api-auth/oauth/user/token");
    assert_eq!(token.service, "auth");
    assert!(token.token_endpoint && token.writes && token.access == Access::Public);
    let param = calls().iter().find(|c| c.id == "P39").unwrap();
    assert_eq!(
        param.address,
        "/xuanlan.personal.v1.PersonalApi/GetHuaweiParam"
    );
    let output = param.method.output();
    assert!(is_encrypted(&output.get_field_by_json_name("ak").unwrap()));
    assert!(!is_encrypted(
        &output.get_field_by_json_name("expiration").unwrap()
    ));
}
