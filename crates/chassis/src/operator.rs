//! Who may call what, by kind of caller: one rule, from the options of the call, which the gateway applies by route and every
//! service by gRPC path.

use proto::calls::Rights;
use proto::catalogue::{Access, Call};
use proto::code;

use crate::{BusinessError, ServiceError};

/// Permits everything.
pub const EVERYTHING: &str = "*";

/// Whether roles with these permissions permit what a call demands; an empty demand permits every operator.
pub fn permits(permissions: &[String], demanded: &str) -> bool {
    demanded.is_empty()
        || permissions
            .iter()
            .any(|held| held == demanded || held == EVERYTHING)
}

/// Errors: an operator at a call of users, a user at a call of the console, no operator where one is required, a permission
/// that is missing, a second factor that is not fresh.
pub fn may_call(
    call: &Call,
    user: Option<&str>,
    operator: Option<Rights<'_>>,
    now_ms: i64,
) -> Result<(), ServiceError> {
    if !call.is_console() {
        return match operator {
            Some(_) => Err(ServiceError::Forbidden),
            None => Ok(()),
        };
    }
    if user.is_some() {
        return Err(ServiceError::Forbidden);
    }
    if call.access != Access::Operator {
        return Ok(());
    }
    let operator = operator.ok_or(ServiceError::Unauthenticated)?;
    if !permits(operator.permissions, &call.permission) {
        return Err(ServiceError::Forbidden);
    }
    if call.fresh && operator.fresh_until_ms <= now_ms {
        return Err(BusinessError::new(code::NOT_FRESH, "请先验证动态口令，再执行此操作").into());
    }
    Ok(())
}
