//! Turntables, and image files.

use super::{ball, front, matte, pane, scene};
use image::{AnimationDecoder, RgbaImage};
use modelkit::render::{self, Options, turntable};
use modelkit::{Ctx, Error, Silent};
use std::io::Cursor;

#[test]
fn a_turntable_goes_round_evenly() {
    let folder = tempfile::tempdir().unwrap();
    let mut box_ = pane(0.4, 0);
    box_.positions[1][1] = -0.3;
    let made = scene(
        vec![box_, pane(-0.4, 1)],
        vec![matte([0.8, 0.2, 0.1, 1.0]), matte([0.1, 0.3, 0.8, 1.0])],
    );
    let options = Options {
        size: [80, 64],
        ..Options::square(80)
    };
    let path = folder.path().join("t.webp");
    let ctx = Ctx::new(&Silent);
    let out = turntable(&made, &path, &options, 12, 3.0, &ctx).unwrap();
    assert_eq!((out.frames, out.columns, out.duration), (12, 1, 250));
    let bytes = std::fs::read(&path).unwrap();
    let decoder = image::codecs::webp::WebPDecoder::new(Cursor::new(&bytes)).unwrap();
    let frames: Vec<_> = decoder.into_frames().collect_frames().unwrap();
    assert_eq!(frames.len(), 12);
    let pictures: Vec<RgbaImage> = frames.into_iter().map(|f| f.into_buffer()).collect();
    assert!(pictures.iter().all(|p| p.dimensions() == (80, 64)));
    let steps: Vec<f64> = (0..12)
        .map(|i| {
            let (a, b) = (&pictures[i], &pictures[(i + 1) % 12]);
            let pairs = a.as_raw().iter().zip(b.as_raw());
            pairs.map(|(p, q)| f64::from(p.abs_diff(*q))).sum::<f64>()
        })
        .collect();
    let most = steps.iter().copied().fold(0.0, f64::max);
    assert!(steps.iter().all(|&s| s > 0.0), "{steps:?}");
    assert!(
        steps[11] < most * 1.01 && steps[11] > most * 0.05,
        "{steps:?}"
    );
    turntable(&made, &path, &options, 12, 3.0, &ctx).unwrap();
    assert_eq!(bytes, std::fs::read(&path).unwrap(), "not deterministic");
    // A sheet holds the same frames in rows of four.
    let sheet = folder.path().join("t.png");
    let out = turntable(&made, &sheet, &options, 12, 3.0, &ctx).unwrap();
    assert_eq!(out.columns, 4);
    let sheet = image::open(&sheet).unwrap();
    assert_eq!((sheet.width(), sheet.height()), (320, 192));
}

#[test]
fn file_formats_follow_the_extension() {
    let folder = tempfile::tempdir().unwrap();
    let made = scene(vec![ball()], vec![matte([0.5, 0.5, 0.5, 1.0])]);
    let ctx = Ctx::new(&Silent);
    for (name, format) in [
        ("a.png", image::ImageFormat::Png),
        ("a.jpg", image::ImageFormat::Jpeg),
        ("a.webp", image::ImageFormat::WebP),
    ] {
        let path = folder.path().join(name);
        let options = Options {
            size: [64, 40],
            ..Options::square(64)
        };
        render::render(&made, &path, &options, &ctx).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(image::guess_format(&bytes).unwrap(), format);
        let seen = image::load_from_memory(&bytes).unwrap().to_rgba8();
        assert_eq!(seen.dimensions(), (64, 40));
        if format == image::ImageFormat::Jpeg {
            assert!(seen.get_pixel(1, 1).0[..3].iter().all(|&c| c > 250));
        }
    }
    let wrong = render::render(&made, &folder.path().join("a.tiff"), &front(), &ctx);
    assert!(matches!(wrong, Err(Error::Usage(_))), "{wrong:?}");
}
