//! The settings in force, with secrets masked for operators.

use chassis::Settings;
use proto::auth::v1::RunningSetting;

/// Shown in place of a secret that is set.
pub const MASK: &str = "******";
/// Parts of names whose values are or contain secrets.
const SECRET: [&str; 9] = [
    "secret",
    "password",
    "seed",
    "key",
    "token",
    "url",
    "private",
    "credential",
    "pepper",
];
/// Ends of names with such a part whose values are none: what a key is called, how long a token lasts, where something is.
const NONE: [&str; 8] = [
    "_id",
    "_ids",
    "_seconds",
    "_minutes",
    "_days",
    "_bucket",
    "_file",
    "public_keys",
];
/// What addresses with a password in them contain.
const IN_ADDRESS: [&str; 5] = ["@", "password", "token", "secret", "key="];

fn is_secret(name: &str, values: [&str; 2]) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    let named = SECRET.iter().any(|part| last.contains(part));
    if !named || NONE.iter().any(|end| last.ends_with(end)) {
        return false;
    }
    let has = |value: &str| IN_ADDRESS.iter().any(|part| value.contains(part));
    // An address tells by itself.
    !last.ends_with("url") || values.into_iter().any(has)
}

/// Every setting of this process, by name.
pub fn shown(settings: &Settings) -> Vec<RunningSetting> {
    let values = settings.values().into_iter();
    values
        .map(|(name, kind, value, built_in)| {
            let secret = is_secret(&name, [&value, &built_in]);
            let masked = secret && !value.is_empty();
            RunningSetting {
                built_in: if secret { String::new() } else { built_in },
                r#type: kind.to_owned(),
                value: if masked { MASK.to_owned() } else { value },
                secret,
                name,
            }
        })
        .collect()
}
