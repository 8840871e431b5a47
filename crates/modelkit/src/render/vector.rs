//! Vectors of three floats.

pub type V3 = [f32; 3];

#[inline]
pub fn add(a: V3, b: V3) -> V3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
pub fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
pub fn mul(a: V3, b: V3) -> V3 {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2]]
}

#[inline]
pub fn scale(a: V3, by: f32) -> V3 {
    [a[0] * by, a[1] * by, a[2] * by]
}

#[inline]
pub fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub fn cross(a: V3, b: V3) -> V3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[inline]
pub fn mix(a: V3, b: V3, t: f32) -> V3 {
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * t)
}

/// Normalised; `None` for a zero vector.
#[inline]
pub fn unit(a: V3) -> Option<V3> {
    let length = dot(a, a).sqrt();
    (length > 1e-20 && length.is_finite()).then(|| scale(a, 1.0 / length))
}

/// Rotates about the y axis, so that `yaw` (radians from +z towards +x) becomes +z.
#[inline]
pub fn facing(v: V3, yaw: f32) -> V3 {
    turned(v, yaw.sin_cos().into())
}

/// The same by sine and cosine of the angle.
#[inline]
pub fn turned(v: V3, [sin, cos]: [f32; 2]) -> V3 {
    [v[0] * cos - v[2] * sin, v[1], v[0] * sin + v[2] * cos]
}

/// Two unit vectors that form a right-handed frame with the unit vector `n`.
#[inline]
pub fn frame(n: V3) -> (V3, V3) {
    let helper = match n[1].abs() < 0.9 {
        true => [0.0, 1.0, 0.0],
        false => [1.0, 0.0, 0.0],
    };
    let right = unit(cross(helper, n)).unwrap_or([1.0, 0.0, 0.0]);
    (right, cross(n, right))
}

/// 0 below `from`, 1 above `to`, smooth in between.
#[inline]
pub fn smooth(from: f32, to: f32, v: f32) -> f32 {
    let t = ((v - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
