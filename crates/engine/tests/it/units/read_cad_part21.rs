//! Unit tests of `read::cad::step::part21`.

use modelkit::internals::part21::{Parameters, entity, statements, string};

#[test]
fn statements_end_at_semicolons_outside_of_strings_and_comments() {
    let text = b"A;\n /* ; ' */ #1=B('x;''y',/* ;*/#2) ;C('";
    let found: Vec<&[u8]> = statements(text).map(|range| &text[range]).collect();
    assert_eq!(found, [&b"A"[..], b"#1=B('x;''y',/* ;*/#2) "]);
    let entity = entity(text, statements(text).nth(1).unwrap()).unwrap();
    assert_eq!((entity.number, &text[entity.keyword]), (1, &b"B"[..]));
    let mut parameters = Parameters::new(text, entity.parameters);
    assert_eq!(&text[parameters.skip().unwrap()], b"'x;''y'");
    assert_eq!(
        parameters.skip().map(|range| text[range].to_vec()),
        Some(b"#2".to_vec())
    );
    assert_eq!(parameters.skip(), None);
}

#[test]
fn strings_lose_their_escapes() {
    let cases = [
        (r"'a''b\\c'", r"a'b\c"),
        (r"'\X2\87BA6813\X0\.stp'", "螺栓.stp"),
        (r"'\X\E9\X4\0001F600\X0\'", "é😀"),
        (r"'C:\parts\X'", r"C:\parts\X"),
        (r"'\X2\87BA'", "螺"),
        (r"'\X\é'", r"\X\é"),
    ];
    for (written, text) in cases {
        assert_eq!(
            string(written.as_bytes()).as_deref(),
            Some(text),
            "{written}"
        );
    }
    assert_eq!(string(b"$"), None);
}

#[test]
fn parameters_are_read_in_turn() {
    let text = b"(1.,-2.5E-1, 3.),(#4 , #5),$,(),.T.";
    let mut parameters = Parameters::new(text, 0..text.len());
    assert_eq!(
        parameters.list(Parameters::real),
        Some(vec![1.0, -0.25, 3.0])
    );
    assert_eq!(parameters.references(), Some(vec![4, 5]));
    assert!(parameters.unset() && !parameters.unset());
    assert_eq!(parameters.references(), Some(vec![]));
    assert_eq!(parameters.reference(), None);
    assert!(parameters.skip().is_some());
    // Lists without an end.
    for text in [&b"(1,2"[..], b"(", b"((1)"] {
        let mut parameters = Parameters::new(text, 0..text.len());
        assert_eq!(parameters.list(Parameters::index), None);
    }
}
