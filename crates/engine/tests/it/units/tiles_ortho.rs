//! Unit tests of `tiles::ortho`.

use image::{Rgb, RgbImage};
use modelkit::internals::Shot;
use modelkit::scene::{Bounds, Primitive};

#[test]
fn the_roof_hides_the_floor() {
    let mut bounds = Bounds::default();
    bounds.add([0.0, 0.0, 0.0]);
    bounds.add([10.0, 10.0, 5.0]);
    let quad = |from: f32, to: f32, high: f32| Primitive {
        positions: [[from, from], [to, from], [to, to], [from, to]]
            .map(|[x, y]| [x, high, -y])
            .to_vec(),
        indices: vec![0, 1, 2, 0, 2, 3],
        ..Primitive::default()
    };
    let (red, blue) = (Rgb([255, 0, 0]), Rgb([0, 0, 255]));
    let mut shot = Shot::new(&bounds, 10);
    shot.draw(&quad(0.0, 5.0, 5.0), &RgbImage::from_pixel(1, 1, red));
    shot.draw(&quad(0.0, 8.0, 0.0), &RgbImage::from_pixel(1, 1, blue));
    let ortho = shot.finish();
    // South-west is at the lower left; uncovered pixels take their neighbour's colour.
    assert_eq!(*ortho.picture.get_pixel(2, 7), red);
    assert_eq!(*ortho.picture.get_pixel(7, 3), blue);
    assert_eq!(*ortho.picture.get_pixel(9, 0), blue);
    assert_eq!(ortho.uv([0.0, 10.0, 3.0]), [0.0, 0.0]);
}
