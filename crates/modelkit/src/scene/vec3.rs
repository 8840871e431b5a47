//! Single-precision vectors of three, for loops over millions of vertices.

pub type Vec3 = [f32; 3];

pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub fn scale(a: Vec3, factor: f32) -> Vec3 {
    a.map(|v| v * factor)
}

pub fn dot(a: Vec3, b: Vec3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Normal of a triangle, with a length of twice the area.
pub fn area_normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    cross(sub(b, a), sub(c, a))
}

/// `a` normalised, or zero if it has no length.
pub fn unit_or_zero(a: Vec3) -> Vec3 {
    let length = dot(a, a).sqrt();
    if length > 0.0 && length.is_finite() {
        scale(a, 1.0 / length)
    } else {
        [0.0; 3]
    }
}
