//! The settings in force, with secrets masked for operators.

use chassis::Settings;
use proto::auth::v1::RunningSetting;

/// Shown in place of a secret that is set.
pub const MASK: &str = "******";
/// Parts of names whose values are or contain secrets (addresses with a password in them).
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

fn is_secret(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or_default();
    SECRET.iter().any(|part| last.contains(part))
}

/// Every setting of this process, by name.
pub fn shown(settings: &Settings) -> Vec<RunningSetting> {
    let values = settings.values().into_iter();
    values
        .map(|(name, kind, value, built_in)| {
            let secret = is_secret(&name);
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
