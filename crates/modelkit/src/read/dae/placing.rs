//! A node's transform: a list of steps, each of which a clip may animate.

use super::xml::{Xml, doubles};
use crate::scene::Transform;
use crate::scene::math::{self, IDENTITY, Mat4};

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Matrix,
    Translate,
    Rotate,
    Scale,
    LookAt,
    Skew,
}

/// One step with its numbers as in the file (row-major matrices, angles in degrees).
#[derive(Clone)]
pub struct Step<'a> {
    pub sid: Option<&'a str>,
    kind: Kind,
    pub values: Vec<f64>,
}

/// The steps of a `<node>`; incomplete ones have no effect and are left out.
pub fn steps<'a>(node: Xml<'a>) -> Vec<Step<'a>> {
    let step = |element: Xml<'a>| {
        let (kind, count) = match element.tag_name().name() {
            "matrix" => (Kind::Matrix, 16),
            "translate" => (Kind::Translate, 3),
            "rotate" => (Kind::Rotate, 4),
            "scale" => (Kind::Scale, 3),
            "lookat" => (Kind::LookAt, 9),
            "skew" => (Kind::Skew, 7),
            _ => return None,
        };
        let values: Vec<f64> = doubles(element).collect();
        let whole = values.len() >= count && values.iter().all(|v| v.is_finite());
        whole.then(|| Step {
            sid: element.attribute("sid"),
            kind,
            values,
        })
    };
    node.children().filter_map(step).collect()
}

impl Step<'_> {
    fn matrix(&self) -> Mat4 {
        let v = &self.values;
        let three = |k: usize| [v[k], v[k + 1], v[k + 2]];
        let still = [0.0, 0.0, 0.0, 1.0];
        match self.kind {
            Kind::Matrix => by_columns(v),
            Kind::Translate => math::compose(three(0), still, [1.0; 3]),
            Kind::Scale => math::compose([0.0; 3], still, three(0)),
            Kind::Rotate => {
                let Some(axis) = math::normalize(three(0)) else {
                    return IDENTITY;
                };
                let (sin, cos) = (v[3].to_radians() / 2.0).sin_cos();
                let turn = [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos];
                math::compose([0.0; 3], turn, [1.0; 3])
            }
            Kind::LookAt => look_at(three(0), three(3), three(6)),
            Kind::Skew => skew(v[0], three(1), three(4)),
        }
    }

    /// Index of the member that a channel addresses: `X`, `ANGLE`, `(3)`, `(1)(2)`.
    pub fn member(&self, name: &str) -> Option<usize> {
        let place = match name {
            "X" => 0,
            "Y" => 1,
            "Z" => 2,
            "ANGLE" => 3,
            _ => {
                let mut numbers = name.split(['(', ')']).filter(|w| !w.is_empty());
                let first: usize = numbers.next()?.parse().ok()?;
                match numbers.next() {
                    // The column comes first, as in the specification.
                    Some(second) => second
                        .parse::<usize>()
                        .ok()?
                        .checked_mul(4)?
                        .checked_add(first)?,
                    None => first,
                }
            }
        };
        (place < self.values.len()).then_some(place)
    }
}

/// Converts a row-major matrix.
pub fn by_columns(v: &[f64]) -> Mat4 {
    let mut m = IDENTITY;
    for (i, value) in v.iter().take(16).enumerate() {
        m[(i % 4) * 4 + i / 4] = *value;
    }
    m
}

fn look_at(eye: [f64; 3], target: [f64; 3], up: [f64; 3]) -> Mat4 {
    let back = math::normalize(math::sub(eye, target));
    let right = back.and_then(|b| math::normalize(math::cross(up, b)));
    let (Some(z), Some(x)) = (back, right) else {
        return math::compose(eye, [0.0, 0.0, 0.0, 1.0], [1.0; 3]);
    };
    let y = math::cross(z, x);
    [
        x[0], x[1], x[2], 0.0, y[0], y[1], y[2], 0.0, z[0], z[1], z[2], 0.0, eye[0], eye[1],
        eye[2], 1.0,
    ]
}

/// RenderMan's skew, as COLLADA has it: moves points along `to` so that `from` turns by `angle` degrees towards `to`.
fn skew(angle: f64, from: [f64; 3], to: [f64; 3]) -> Mat4 {
    let (Some(from), Some(to)) = (math::normalize(from), math::normalize(to)) else {
        return IDENTITY;
    };
    let along: f64 = from.iter().zip(&to).map(|(a, b)| a * b).sum();
    let across: [f64; 3] = std::array::from_fn(|k| from[k] - along * to[k]);
    let height = across.iter().map(|v| v * v).sum::<f64>().sqrt();
    let between = height.atan2(along);
    let left = between - angle.to_radians();
    // Beyond the angle between the axes there is no such skew (RenderMan 3.2, RiSkew).
    if height < 1e-9 || left.sin() < 1e-9 {
        return IDENTITY;
    }
    let by = left.cos() / left.sin() - along / height;
    let mut m = IDENTITY;
    for column in 0..3 {
        for row in 0..3 {
            m[column * 4 + row] += by * to[row] * across[column] / height;
        }
    }
    m
}

pub fn compose(steps: &[Step]) -> Mat4 {
    steps
        .iter()
        .fold(IDENTITY, |m, step| math::mul(&m, &step.matrix()))
}

/// Translation, rotation and scale if they represent the matrix exactly, else the matrix.
pub fn transform(m: &Mat4) -> Transform {
    let (t, r, s) = math::decompose(m);
    let back = math::compose(t, r, s);
    let size = m.iter().fold(1e-12f64, |most, v| most.max(v.abs()));
    if m.iter()
        .zip(&back)
        .any(|(a, b)| (a - b).abs() > size * 1e-4)
    {
        return Transform::Matrix(*m);
    }
    Transform::parts(m)
}
