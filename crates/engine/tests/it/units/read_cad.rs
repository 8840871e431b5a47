//! Unit tests of `read::cad`.

use modelkit::internals::{is_ifc, is_iges, is_step};

#[test]
fn step_and_building_are_distinguished() {
    let step = b"\xef\xbb\xbf\r\nISO-10303-21;\nHEADER;\nFILE_SCHEMA(('AUTOMOTIVE_DESIGN'));\n";
    assert!(is_step(step) && !is_ifc(step));
    assert!(is_ifc(
        b"ISO-10303-21;\nHEADER;\nfile_schema (( 'IFC2X3'));\n"
    ));
    assert!(!is_step(b"solid ISO-10303-21"));
}

#[test]
fn iges_is_detected_by_its_columns() {
    let mut line = [b' '; 81];
    line[72] = b'S';
    line[79] = b'1';
    line[80] = b'\n';
    assert!(is_iges(&line));
    line[75] = b'x';
    assert!(!is_iges(&line));
    assert!(!is_iges(b"S      1"));
}
