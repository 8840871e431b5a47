//! Which pixels a projected triangle covers.

use modelkit::internals::{Form, V3, place};
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
                let nears = form.cover(*x as f32, y as f32, &places);
                nears.iter().any(|&near| near > 0.0)
            };
            for x in (0..360).filter(covered) {
                prop_assert!((from..=to).contains(&x), "{x} of {from}..={to} in {points:?}");
            }
        }
    }
}
