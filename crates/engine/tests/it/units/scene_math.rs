//! Unit tests of `scene::math`.

use modelkit::internals::{IDENTITY, compose, decompose, inverse_affine, mul};

#[test]
fn decompose_undoes_compose() {
    let q = [0.1825741858, 0.3651483717, 0.5477225575, 0.7302967433];
    for s in [[2.0, 3.0, 4.0], [-2.0, 3.0, 4.0]] {
        let m = compose([5.0, 6.0, 7.0], q, s);
        let (t, r, scale) = decompose(&m);
        let back = compose(t, r, scale);
        for (a, b) in m.iter().zip(&back) {
            assert!((a - b).abs() < 1e-6, "{m:?} {back:?}");
        }
    }
}

#[test]
fn inverse_times_matrix_is_identity() {
    let m = compose([5.0, 6.0, 7.0], [0.5, 0.5, 0.5, 0.5], [2.0, 3.0, 4.0]);
    let id = mul(&m, &inverse_affine(&m).unwrap());
    for (a, b) in id.iter().zip(&IDENTITY) {
        assert!((a - b).abs() < 1e-9);
    }
    assert!(inverse_affine(&[0.0; 16]).is_none());
}
