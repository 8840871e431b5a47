//! Which pixels a projected triangle covers.

use modelkit::internals::{Form, NOBODY, Samples, V3, place};
use proptest::prelude::*;

/// Near the picture, or far outside of it.
fn corner() -> impl Strategy<Value = V3> {
    let near = (-40.0f32..400.0, -40.0f32..400.0);
    let far = (-1e6f32..1e6, -1e6f32..1e6);
    prop_oneof![4 => near, 1 => far].prop_map(|(x, y)| [x, y, 1.0])
}

proptest! {
    #[test]
    fn a_row_leaves_out_no_pixel_that_is_covered(
        a in corner(),
        b in corner(),
        c in corner(),
        thin in 0.0f32..2.0,
        y in 0u32..360,
    ) {
        let places: [[f32; 2]; 16] = std::array::from_fn(place::<16>);
        let sliver = [b[0] + thin, b[1] + thin, 1.0];
        for points in [[a, b, c], [a, b, sliver]] {
            let Some(form) = Form::triangle(points) else { continue };
            let (from, to) = form.reach(y as f32, 0, 359);
            prop_assert!(to <= 359);
            let covered = |x: &u32| {
                let nears = form.cover([*x as f32, y as f32], &places);
                nears.iter().any(|&near| near > 0.0)
            };
            for x in (0..360).filter(covered) {
                prop_assert!((from..=to).contains(&x), "{x} of {from}..={to} in {points:?}");
            }
        }
    }

    /// The quick way to put a triangle into a pixel finds what its corners' weights say of each sample.
    #[test]
    fn a_triangle_covers_the_samples_inside_of_it(
        a in corner(),
        b in corner(),
        c in corner(),
        nears in [0.1f32..2.0, 0.1f32..2.0, 0.1f32..2.0],
        x in 0u32..360,
        y in 0u32..360,
    ) {
        let [a, b, c] = [[a[0], a[1], nears[0]], [b[0], b[1], nears[1]], [c[0], c[1], nears[2]]];
        let places: [[f32; 2]; 16] = std::array::from_fn(place::<16>);
        let Some(form) = Form::triangle([a, b, c]) else { return Ok(()) };
        let found = form.cover([x as f32, y as f32], &places);
        for ([px, py], near) in places.into_iter().zip(found) {
            let at = [f64::from(x) + f64::from(px), f64::from(y) + f64::from(py)];
            let side = |p: V3, q: V3| {
                let [p, q] = [p, q].map(|v| v.map(f64::from));
                (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0])
            };
            let area = side(a, b) + side(b, c) + side(c, a);
            let weights = [side(b, c) / area, side(c, a) / area, side(a, b) / area];
            // What is on an edge may fall to either side.
            let least = weights.into_iter().fold(f64::MAX, f64::min);
            if least.abs() < 1e-3 {
                continue;
            }
            prop_assert_eq!(near > 0.0, least > 0.0);
            if near > 0.0 {
                let expected: f64 = weights.iter().zip(nears).map(|(w, n)| w * f64::from(n)).sum();
                prop_assert!((f64::from(near) - expected).abs() < 1e-2 * expected);
            }
        }
    }
}

#[test]
fn what_is_at_a_pixel_is_counted_by_its_samples() {
    let mut samples = Samples::<8>::EMPTY;
    assert_eq!(samples.single(), Some(NOBODY));
    samples.number = [7, 7, NOBODY, 3, 7, NOBODY, 3, 7];
    assert_eq!(samples.single(), None);
    let mut found = Vec::new();
    samples.each(|number, bits| found.push((number, bits)));
    assert_eq!(
        found,
        [(7, 0b1001_0011), (NOBODY, 0b10_0100), (3, 0b100_1000)]
    );
    samples.number = [5; 8];
    assert_eq!(samples.single(), Some(5));
}
