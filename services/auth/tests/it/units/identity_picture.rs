//! Unit tests of `identity::picture`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use std::io::Cursor;

use image::ImageFormat;

use xl_auth::internals::{MAX_SIDE, SIDE, Source, allowed, made_anew};

#[test]
fn only_hosts_of_the_provider_are_asked() {
    let hosts = ["thirdwx.qlogo.cn".to_owned(), "127.0.0.1:7190".to_owned()];
    let source = allowed("http://thirdwx.qlogo.cn/mmopen/vi_32/a/132?x=1", &hosts);
    let Some(Source::Public(address)) = source else {
        panic!("{source:?}")
    };
    assert_eq!(address, "https://thirdwx.qlogo.cn/mmopen/vi_32/a/132?x=1");
    assert!(matches!(
        allowed("http://127.0.0.1:7190/p.png", &hosts),
        Some(Source::Stated(_))
    ));
    for other in [
        "http://127.0.0.1:7191/p.png",
        "http://127.0.0.1/p.png",
        "http://thirdwx.qlogo.cn@127.0.0.1/",
        "http://thirdwx.qlogo.cn:8080/",
        "http://thirdwx.qlogo.cn.evil.cn/",
        "http://2130706433/",
        "file:///etc/passwd",
        "//thirdwx.qlogo.cn/a",
        "",
    ] {
        assert!(allowed(other, &hosts).is_none(), "{other}");
    }
}

#[test]
fn a_picture_is_made_anew_and_small() {
    let mut file = Vec::new();
    image::RgbImage::from_fn(640, 300, |x, y| image::Rgb([x as u8, y as u8, 7]))
        .write_to(&mut Cursor::new(&mut file), ImageFormat::Png)
        .unwrap();
    let uri = made_anew(&file).unwrap();
    let inner = STANDARD
        .decode(uri.strip_prefix("data:image/jpeg;base64,").unwrap())
        .unwrap();
    let made = image::load_from_memory(&inner).unwrap();
    assert_eq!((made.width(), made.height()), (SIDE, SIDE));
    let mut large = Vec::new();
    image::GrayImage::new(MAX_SIDE + 1, 1)
        .write_to(&mut Cursor::new(&mut large), ImageFormat::Png)
        .unwrap();
    for bad in [
        &b"<svg xmlns='http://www.w3.org/2000/svg'/>"[..],
        b"GIF89a",
        b"",
        &file[..90],
        &large,
    ] {
        assert!(made_anew(bad).is_err());
    }
}
