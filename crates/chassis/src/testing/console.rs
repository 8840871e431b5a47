//! What holds for the calls of the operators' console in every service. Taken from the catalogue: a new call is in it.

use std::collections::BTreeSet;

use proto::catalogue::{Access, calls};
use proto::code;
use proto::common::v1::Principal;
use tonic::{Code, Status};

use crate::error::business_error;

/// Ids of a service's calls that leave an audit entry: each needs a case.
pub fn audited(service: &str) -> BTreeSet<&'static str> {
    let own = calls().iter().filter(|call| call.service == service);
    own.filter(|call| call.is_audited())
        .map(|call| call.id.as_str())
        .collect()
}

fn operator(permissions: &[&str], fresh: bool) -> Principal {
    Principal {
        operator: true,
        operator_id: "o1".to_owned(),
        operator_name: "anna".to_owned(),
        permissions: permissions.iter().map(|name| name.to_string()).collect(),
        fresh_until_ms: if fresh { i64::MAX } else { 0 },
        ..Principal::default()
    }
}

/// Every call of the console × no caller, a user, an operator without the permission, one whose second factor is stale, one who
/// may; and every call of users × an operator. `call` sends an empty message to a gRPC path.
pub async fn locked(service: &str, call: impl AsyncFn(&'static str, Principal) -> Status) {
    let user = Principal {
        login_id: "u1".to_owned(),
        ..Principal::default()
    };
    let mut seen = 0;
    for one in calls().iter().filter(|call| call.service == service) {
        let (id, path) = (&one.id, one.address.as_str());
        let by_all = call(path, operator(&["*"], true)).await;
        if !one.is_console() {
            let code = by_all.code();
            // What no version serves yet is refused in another way.
            let refused = matches!(code, Code::PermissionDenied | Code::Unimplemented);
            assert!(refused, "{id}: an operator: {code:?}");
            continue;
        }
        seen += 1;
        let by_user = call(path, user.clone()).await.code();
        assert_eq!(by_user, Code::PermissionDenied, "{id}: a user");
        if one.access == Access::Public {
            continue;
        }
        let nobody = call(path, Principal::default()).await.code();
        assert_eq!(nobody, Code::Unauthenticated, "{id}: nobody");
        assert!(by_all.code() != Code::PermissionDenied, "{id}: {by_all:?}");
        if !one.permission.is_empty() {
            let without = call(path, operator(&["something.else"], true)).await;
            let code = without.code();
            assert_eq!(code, Code::PermissionDenied, "{id}: no permission");
        }
        let stale = call(path, operator(&[&one.permission], false)).await;
        let is_stale = business_error(&stale).is_some_and(|error| error.code == code::NOT_FRESH);
        assert_eq!(is_stale, one.fresh, "{id}: stale");
    }
    assert!(seen > 0, "no call of the console is {service}'s");
}
