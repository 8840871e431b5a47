//! Unit tests of `pictures::sweep`.

use xl_personal::internals::public_key_in;

#[test]
fn keys_are_found_in_addresses_of_ours_only() {
    let ours = "https://store.example:9000/private/p/abc.png";
    assert_eq!(public_key_in(ours), Some("p/abc.png"));
    assert_eq!(public_key_in("https://elsewhere.example/a.png"), None);
}
