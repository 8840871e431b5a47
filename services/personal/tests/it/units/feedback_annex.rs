//! Unit tests of `feedback::annex`.

use xl_personal::internals::kind_of;

#[test]
fn archives_are_told_by_their_first_bytes() {
    assert_eq!(kind_of(b"PK\x03\x04...."), Some("zip"));
    assert_eq!(kind_of(b"Rar!\x1A\x07\x01\x00"), Some("rar"));
    for other in [&b"7z\xBC\xAF\x27\x1C"[..], b"MZ", b"", b"PK"] {
        assert_eq!(kind_of(other), None);
    }
}
