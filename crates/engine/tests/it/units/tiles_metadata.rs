//! Unit tests of `tiles::metadata`.

use modelkit::internals::{origin, parse};

#[test]
fn elements_are_found_and_broken_files_are_not_believed() {
    let text = r#"<?xml version="1.0"?><ModelMetadata version="1"><!--x-->
        <SRS>PROJCS[&quot;a&quot;,1]</SRS><SRSOrigin> 1,2.5,-3 </SRSOrigin>
        <Texture><ColorSource>Visible</ColorSource></Texture></ModelMetadata>"#;
    let found = parse(text).unwrap();
    assert_eq!(found.srs.as_deref(), Some("PROJCS[\"a\",1]"));
    assert_eq!(origin(&found.origin.unwrap()), Some([1.0, 2.5, -3.0]));
    assert_eq!(parse("<a><SRS>EPSG:1</SRS>"), None);
    assert_eq!(parse("no xml"), None);
    assert_eq!(origin("1,x"), None);
    assert_eq!(origin("1,2,3,4"), None);
    assert_eq!(origin("nan,0,0"), None);
    // As typed by hand.
    assert_eq!(
        origin("450952，2483262，0.5"),
        Some([450_952.0, 2_483_262.0, 0.5])
    );
    let found = parse("<m><srs>EPSG:4547</srs><srsorigin>1,2,3</srsorigin></m>").unwrap();
    assert_eq!(found.srs.as_deref(), Some("EPSG:4547"));
    assert_eq!(found.origin.as_deref(), Some("1,2,3"));
}
