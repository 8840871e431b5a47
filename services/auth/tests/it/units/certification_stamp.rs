//! Unit tests of `certification::stamp`.

use image::Rgb;
use image::RgbImage;
use xl_auth::internals::stamped;

fn png(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut bytes, image::ImageFormat::Png)
        .unwrap();
    bytes.into_inner()
}

#[test]
fn a_name_stands_in_every_part_of_the_picture() {
    for shade in [0, 255] {
        let plain = RgbImage::from_pixel(2_400, 1_500, Rgb([shade; 3]));
        let seen = image::load_from_memory(&stamped(&png(&plain), "anna").unwrap()).unwrap();
        assert_eq!((seen.width(), seen.height()), (2_000, 1_250));
        let seen = seen.to_luma8();
        for (left, top) in [(0, 0), (1_500, 0), (0, 750), (750, 400), (1_500, 750)] {
            let part = image::imageops::crop_imm(&seen, left, top, 500, 500).to_image();
            let marked = part
                .pixels()
                .filter(|point| point.0[0].abs_diff(shade) > 40);
            let share = marked.count() as f64 / 250_000.0;
            assert!(
                (0.02..0.3).contains(&share),
                "{shade} {left} {top}: {share}"
            );
        }
    }
    let other = RgbImage::from_pixel(600, 400, Rgb([255; 3]));
    let of = |name: &str| stamped(&png(&other), name).unwrap();
    assert_ne!(of("anna"), of("bert"));
    assert!(stamped(b"no picture", "anna").is_err());
}
