//! Unit tests of `config`.

use xl_payment::internals::{PaymentConfig, WithdrawalConfig};

#[test]
fn a_fee_leaves_something_to_arrive() {
    let config = |fee_bp, least_fee| WithdrawalConfig {
        least: 10_000,
        most: 5_000_000,
        fee_bp,
        least_fee,
        two_above: 1_000_000,
    };
    assert_eq!(config(0, 0).fee_of(10_000), 0);
    assert_eq!(config(10, 0).fee_of(123_456), 123);
    assert_eq!(config(10, 200).fee_of(123_456), 200);
    assert_eq!(config(20_000, 0).fee_of(10_000), 9_999);
    assert_eq!(config(0, 200).fee_of(1), 0);
}

#[test]
fn only_addresses_of_the_site_are_its_own() {
    let settings = chassis::Settings::load_from(&[xl_payment::DEFAULTS], None, Vec::new()).unwrap();
    let mut config: PaymentConfig = settings.section("payment").unwrap();
    assert!(!config.is_own("https://3d.example/"));
    config.site_origins = vec!["https://3d.example".into(), "http://127.0.0.1:7080/".into()];
    for own in [
        "https://3d.example/a?b=c",
        "https://3D.example",
        "http://127.0.0.1:7080/x",
    ] {
        assert!(config.is_own(own), "{own}");
    }
    for other in [
        "http://3d.example/",
        "https://3d.example:444/",
        "https://3d.example.evil/",
        "https://3d.example@evil/",
        "https://evil/https://3d.example",
        "//3d.example/",
        "/pay",
        "javascript:alert(1)",
        "https://3d.example\\@evil/",
        "",
    ] {
        assert!(!config.is_own(other), "{other}");
    }
}
