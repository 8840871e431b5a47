//! Unit tests of `console::settings`.

use chassis::Settings;
use xl_auth::internals::{MASK, shown};

#[test]
fn no_secret_is_shown() {
    let over = "[database]\nurl = \"postgres://u:hidden@h/d\"\n[gateway.client]\nsecret = \"hidden\"\n[principal]\nseed = \"hidden\"\n[auth.certification]\nprevious_keys = [\"k0:hidden\"]\n";
    let settings = Settings::load(&[xl_auth::DEFAULTS, over], None).unwrap();
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
