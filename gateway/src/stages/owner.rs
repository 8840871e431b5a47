//! A call that names an owner must name the caller. Otherwise it is refused, never silently replaced.

use crate::input::Input;
use crate::refused::Refused;

/// Checks every occurrence of the owner field; a missing or empty one is accepted.
/// Errors: it names a user other than `login_id` (empty for an anonymous caller).
pub fn check(owner: &str, input: &Input, login_id: &str) -> Result<(), Refused> {
    if owner.is_empty() {
        return Ok(());
    }
    for (name, value) in input.query().iter().chain(input.form()) {
        if name == owner && !value.is_empty() && value != login_id {
            return Err(Refused::Foreign);
        }
    }
    if let Input::Json { body, .. } = input
        && let Ok(serde_json::Value::Object(object)) = serde_json::from_slice(body)
    {
        match object.get(owner) {
            None | Some(serde_json::Value::Null) => {}
            Some(serde_json::Value::String(value)) if value.is_empty() || value == login_id => {}
            Some(_) => return Err(Refused::Foreign),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    fn form(body: &'static str, login_id: &str) -> Result<(), Refused> {
        let body = Bytes::from_static(body.as_bytes());
        let kind = Some("application/x-www-form-urlencoded");
        let input = Input::read("POST", kind, "", &body).unwrap();
        check("userId", &input, login_id)
    }

    fn json(body: &'static str, login_id: &str) -> Result<(), Refused> {
        let body = Bytes::from_static(body.as_bytes());
        let input = Input::read("POST", Some("application/json"), "", &body).unwrap();
        check("userId", &input, login_id)
    }

    #[test]
    fn only_the_caller_may_be_named() {
        assert!(form("userId=u1", "u1").is_ok());
        assert!(form("a=1", "u1").is_ok());
        assert!(form("userId=", "u1").is_ok());
        assert!(form("userId=u2", "u1").is_err());
        assert!(form("userId=u1&userId=u2", "u1").is_err());
        assert!(form("userId=u1", "").is_err());
        assert!(json("{\"userId\":\"u1\"}", "u1").is_ok());
        assert!(json("{}", "u1").is_ok());
        assert!(json("{\"userId\":\"u2\"}", "u1").is_err());
        assert!(json("{\"userId\":1}", "u1").is_err());
        assert!(json("{\"userId\":[\"u1\"]}", "u1").is_err());
    }
}
