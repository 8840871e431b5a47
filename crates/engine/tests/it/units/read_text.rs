//! Unit tests of `read::text`.

use modelkit::internals::{line_chunks, parse_f64};

#[test]
fn numbers_match_std() {
    for text in [
        "0",
        "-0",
        "1",
        "+1.5",
        "-12.25",
        ".5",
        "5.",
        "1e3",
        "1E-3",
        "-1.25e+10",
        "0.1",
        "93.87400100000001",
        "-235.313995",
        "123456789012345678901234567890",
        "1e-320",
        "3.4028235e38",
        "0.000000001",
        "4.9406564584124654e-324",
    ] {
        let expected: f64 = text.parse().unwrap();
        assert_eq!(parse_f64(text.as_bytes()), Some(expected), "{text}");
    }
    for text in ["", "-", ".", "e5", "1e", "1x", "1.2.3", "--1", "1e+"] {
        assert_eq!(parse_f64(text.as_bytes()), None, "{text}");
    }
    assert!(parse_f64(b"-1.#IND").unwrap().is_nan());
    assert_eq!(parse_f64(b"1,5"), Some(1.5));
}

#[test]
fn chunks_never_cut_a_continued_line() {
    let text = b"v 1 2 \\\n3\r\nf 1 2 3\rl 1 2 \\\r\n3\n";
    for target in 1..text.len() {
        let chunks = line_chunks(text, target);
        assert_eq!(chunks.concat(), text);
        for chunk in chunks {
            assert!(!chunk.ends_with(b"\\\n") && !chunk.ends_with(b"\\\r\n"));
        }
    }
}
