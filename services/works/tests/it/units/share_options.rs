//! Unit tests of `share::options`.

use xl_works::internals::read_options;

#[test]
fn options_are_what_the_page_knows() {
    assert_eq!(
        read_options("").unwrap(),
        r#"{"autostart":false,"width":0,"height":0}"#
    );
    let text = r##"{"autostart":true,"tools":["reset"],"background":"#0a0b0c","start":{"position":[1.0,2.0,3.0],"target":[0.0,0.0,0.0]},"width":0,"height":480}"##;
    assert_eq!(read_options(text).unwrap(), text);
    for wrong in [
        "{",
        "[]",
        r#"{"x":1}"#,
        r#"{"tools":["x"]}"#,
        r#"{"background":"red"}"#,
        r#"{"width":5000}"#,
        r#"{"start":{"position":[1,2],"target":[0,0,0]}}"#,
        r#"{"start":{"position":[1e10,0,0],"target":[0,0,0]}}"#,
        r#"{"tools":["reset","reset","reset","reset","reset","reset"]}"#,
    ] {
        assert!(read_options(wrong).is_err(), "{wrong}");
    }
}
