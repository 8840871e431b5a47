//! Unit tests of `read::units`.

use modelkit::internals::stated;

#[test]
fn units_are_found_where_exporters_put_them() {
    assert_eq!(stated(b"# File units = centimeters\n"), Some(("cm", 0.01)));
    assert_eq!(stated(b"UNITS=mm   COLOR="), Some(("mm", 0.001)));
    assert_eq!(stated(b"# unit: m\n"), Some(("m", 1.0)));
    assert_eq!(stated(b"# a unit sphere, United States\n"), None);
}
