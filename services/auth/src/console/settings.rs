//! The settings in force, as operators may see them.

use chassis::Settings;
use proto::auth::v1::RunningSetting;

/// What stands in the place of a secret that is set.
const MASK: &str = "******";
/// Parts of names whose values are secrets, or hold one (addresses with a password in them).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_shown() {
        let over = "[database]\nurl = \"postgres://u:hidden@h/d\"\n[gateway.client]\nsecret = \"hidden\"\n[principal]\nseed = \"hidden\"\n[auth.certification]\nprevious_keys = [\"k0:hidden\"]\n";
        let settings = Settings::load(&[crate::DEFAULTS, over], None).unwrap();
        let shown = shown(&settings);
        assert!(
            shown
                .iter()
                .any(|s| s.name == "auth.token.life_days" && s.r#type == "number")
        );
        assert!(shown.iter().any(|s| s.value == MASK));
        assert!(
            shown.iter().all(|s| !s.value.contains("hidden")),
            "{shown:?}"
        );
    }
}
