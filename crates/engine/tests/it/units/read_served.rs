//! Unit tests of `read::served`.

use modelkit::internals::as_glb;
use modelkit::read::{Input, SideFiles};
use serde_json::json;
use std::borrow::Cow;

const PNG: &[u8; 8] = b"\x89PNG\r\n\x1a\n";
const LARGE: usize = 64 << 10;

/// One large picture, under whatever name.
struct OnePicture(Vec<u8>);

impl SideFiles for OnePicture {
    fn find(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(&self.0))
    }
}

#[test]
fn many_references_to_one_large_file_are_not_gathered_past_the_limit() {
    let mut picture = PNG.to_vec();
    picture.resize(LARGE, 0);
    let side = OnePicture(picture);
    let gathered = |references: usize, most: usize| {
        let images = vec![json!({"uri": "a.png"}); references];
        let text = json!({"asset": {"version": "2.0"}, "images": images}).to_string();
        let (bytes, name) = (text.as_bytes(), "a.gltf");
        let side = &side;
        as_glb(&Input { bytes, name, side }, most).map(Cow::into_owned)
    };
    let whole = gathered(3, 3 * LARGE).unwrap();
    assert!((3 * LARGE..3 * LARGE + 1024).contains(&whole.len()));
    assert_eq!(gathered(3, 3 * LARGE - 1), None);
    // Would take 6 GB.
    assert_eq!(gathered(100_000, 3 * LARGE), None);
}
