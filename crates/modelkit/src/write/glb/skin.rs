//! Joints and weights in their narrow form.

/// Joints as bytes, if all of them fit.
pub fn narrow_joints(joints: &[[u16; 4]]) -> Option<Vec<[u8; 4]>> {
    let fit = joints.iter().flatten().all(|&j| j < 256);
    fit.then(|| joints.iter().map(|row| row.map(|j| j as u8)).collect())
}

/// Weights as bytes that sum to exactly 255.
pub fn eight_bit_weights(weights: [f32; 4]) -> [u8; 4] {
    let mut out = weights.map(|w| (w.clamp(0.0, 1.0) * 255.0).round() as i32);
    let largest = (0..4).max_by_key(|&k| out[k]).unwrap_or(0);
    out[largest] += 255 - out.iter().sum::<i32>();
    out.map(|w| w.clamp(0, 255) as u8)
}
