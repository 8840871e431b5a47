//! Unit tests of `console::settings`.

use chassis::Settings;
use xl_auth::internals::{MASK, shown};

#[test]
fn no_secret_is_shown() {
    let over = "[database]\nurl = \"postgres://u:hidden@h/d\"\n[gateway.client]\nsecret = \"hidden\"\n[objectstore]\nprivate_bucket = \"b\"\n[personal]\ncredential_seconds = 9\n[principal]\nseed = \"hidden\"\n[auth.certification]\nprevious_keys = [\"k0:hidden\"]\n";
    let settings = Settings::load(&[xl_auth::DEFAULTS, over], None).unwrap();
    let shown = shown(&settings);
    assert!(
        shown
            .iter()
            .any(|s| s.name == "auth.token.life_days" && s.r#type == "number")
    );
    assert!(shown.iter().any(|s| s.value == MASK));
    for (name, expected) in [
        ("objectstore.private_bucket", false),
        ("personal.credential_seconds", false),
        ("auth.qq.authorize_url", false),
        ("database.url", true),
        ("gateway.client.secret", true),
        ("principal.seed", true),
        ("auth.certification.previous_keys", true),
    ] {
        let found = shown.iter().find(|s| s.name == name);
        let found = found.unwrap_or_else(|| panic!("{name}"));
        assert_eq!(found.secret, expected, "{name}");
    }
    assert!(
        shown.iter().all(|s| !s.value.contains("hidden")),
        "{shown:?}"
    );
}
