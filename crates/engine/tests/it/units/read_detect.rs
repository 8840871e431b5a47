//! Unit tests of `read::detect`.

use modelkit::internals::detect;
use modelkit::read::Format;

#[test]
fn content_wins_over_extension() {
    assert_eq!(detect(b"glTF\x02\0\0\0", "a.obj").unwrap(), Format::Glb);
    assert_eq!(
        detect(b"# x\nv 0 0 0\nv 1 0 0\n", "a.bin").unwrap(),
        Format::Obj
    );
    assert_eq!(detect(b"ply\nformat ascii 1.0\n", "").unwrap(), Format::Ply);
    let mut stl = vec![0u8; 84 + 50];
    stl[80] = 1;
    assert_eq!(detect(&stl, "upload").unwrap(), Format::Stl);
}

#[test]
fn refusals_name_the_format() {
    let error = detect(b"7z\xbc\xaf\x27\x1c\0\x04", "a.zip").unwrap_err();
    assert_eq!(error.code(), "unsupported-format");
    assert!(error.to_string().contains("7Z"));
    assert!(detect(b"\0\0", "x.glb").unwrap_err().code() == "corrupt-file");
    assert!(detect(b"", "").is_err());
    for closed in ["a.rvt", "a.jt", "a.stp", "a.iges"] {
        assert_eq!(
            detect(b"nothing", closed).unwrap_err().code(),
            "corrupt-file"
        );
    }
}
