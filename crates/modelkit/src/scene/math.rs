//! Small matrix helpers: column-major 4×4 in double precision.

/// Column-major 4×4.
pub type Mat4 = [f64; 16];

pub const IDENTITY: Mat4 = [
    1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
];

/// Local transform of a node. Places are in double precision: far from the origin single precision is off by metres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Transform {
    Matrix(Mat4),
    Trs {
        translation: [f64; 3],
        rotation: [f32; 4],
        scale: [f32; 3],
    },
}

impl Default for Transform {
    fn default() -> Self {
        Transform::Trs {
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
        }
    }
}

impl Transform {
    pub fn translation(translation: [f64; 3]) -> Transform {
        Transform::Trs {
            translation,
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
        }
    }

    /// Translation, rotation and scale of a matrix; shear is lost.
    pub fn parts(matrix: &Mat4) -> Transform {
        let (translation, rotation, scale) = decompose(matrix);
        Transform::Trs {
            translation,
            rotation: rotation.map(|v| v as f32),
            scale: scale.map(|v| v as f32),
        }
    }

    pub fn is_identity(&self) -> bool {
        self.matrix() == IDENTITY
    }

    pub fn matrix(&self) -> Mat4 {
        match self {
            Transform::Matrix(m) => *m,
            Transform::Trs {
                translation,
                rotation,
                scale,
            } => compose(*translation, rotation.map(f64::from), scale.map(f64::from)),
        }
    }
}

/// Matrix of translation, rotation (`[x,y,z,w]`) and scale.
pub fn compose(t: [f64; 3], q: [f64; 4], s: [f64; 3]) -> Mat4 {
    let [x, y, z, w] = q;
    [
        (1.0 - 2.0 * (y * y + z * z)) * s[0],
        2.0 * (x * y + z * w) * s[0],
        2.0 * (x * z - y * w) * s[0],
        0.0,
        2.0 * (x * y - z * w) * s[1],
        (1.0 - 2.0 * (x * x + z * z)) * s[1],
        2.0 * (y * z + x * w) * s[1],
        0.0,
        2.0 * (x * z + y * w) * s[2],
        2.0 * (y * z - x * w) * s[2],
        (1.0 - 2.0 * (x * x + y * y)) * s[2],
        0.0,
        t[0],
        t[1],
        t[2],
        1.0,
    ]
}

/// `a · b`.
pub fn mul(a: &Mat4, b: &Mat4) -> Mat4 {
    let mut out = [0.0; 16];
    for column in 0..4 {
        for row in 0..4 {
            let mut sum = 0.0;
            for k in 0..4 {
                sum += a[k * 4 + row] * b[column * 4 + k];
            }
            out[column * 4 + row] = sum;
        }
    }
    out
}

/// Transforms a point (w is 1, no perspective).
pub fn point(m: &Mat4, p: [f32; 3]) -> [f64; 3] {
    let [x, y, z] = p.map(f64::from);
    [
        m[0] * x + m[4] * y + m[8] * z + m[12],
        m[1] * x + m[5] * y + m[9] * z + m[13],
        m[2] * x + m[6] * y + m[10] * z + m[14],
    ]
}

/// Transforms a direction, without normalising.
pub fn direction(m: &Mat4, d: [f32; 3]) -> [f64; 3] {
    let [x, y, z] = d.map(f64::from);
    [
        m[0] * x + m[4] * y + m[8] * z,
        m[1] * x + m[5] * y + m[9] * z,
        m[2] * x + m[6] * y + m[10] * z,
    ]
}

/// Cofactor matrix of the upper 3×3, padded to 4×4: transforms normals, also under non-uniform scale and mirroring (up
/// to length).
pub fn normal_matrix(m: &Mat4) -> Mat4 {
    let (a, b, c) = ([m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]);
    let (x, y, z) = (cross(b, c), cross(c, a), cross(a, b));
    let sign = if determinant(m) < 0.0 { -1.0 } else { 1.0 };
    let mut out = IDENTITY;
    for (column, v) in [x, y, z].into_iter().enumerate() {
        for row in 0..3 {
            out[column * 4 + row] = v[row] * sign;
        }
    }
    out
}

/// Determinant of the upper 3×3; negative means mirrored.
pub fn determinant(m: &Mat4) -> f64 {
    dot(
        [m[0], m[1], m[2]],
        cross([m[4], m[5], m[6]], [m[8], m[9], m[10]]),
    )
}

/// Inverse of an affine matrix; `None` when it is singular.
pub fn inverse_affine(m: &Mat4) -> Option<Mat4> {
    let det = determinant(m);
    if !det.is_finite() || det.abs() < 1e-300 {
        return None;
    }
    let (a, b, c) = ([m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]);
    let rows = [cross(b, c), cross(c, a), cross(a, b)];
    let mut out = IDENTITY;
    for (row, v) in rows.iter().enumerate() {
        for column in 0..3 {
            out[column * 4 + row] = v[column] / det;
        }
    }
    let t = [m[12] as f32, m[13] as f32, m[14] as f32];
    let moved = direction(&out, t);
    for axis in 0..3 {
        out[12 + axis] = -moved[axis];
    }
    Some(out)
}

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Unit vector; `None` for a zero or non-finite one.
pub fn normalize(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = dot(v, v).sqrt();
    if !length.is_finite() || length < 1e-30 {
        return None;
    }
    Some(v.map(|x| x / length))
}

/// Translation, rotation and scale of an affine matrix; shear is lost.
pub fn decompose(m: &Mat4) -> ([f64; 3], [f64; 4], [f64; 3]) {
    let columns = [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]];
    let mut scale = columns.map(|c| dot(c, c).sqrt());
    if determinant(m) < 0.0 {
        scale[0] = -scale[0];
    }
    let mut r = [[0.0; 3]; 3];
    for axis in 0..3 {
        let by = if scale[axis].abs() < 1e-30 {
            1.0
        } else {
            scale[axis]
        };
        r[axis] = columns[axis].map(|v| v / by);
    }
    ([m[12], m[13], m[14]], quaternion(&r), scale)
}

/// Quaternion of a rotation given by its columns.
fn quaternion(c: &[[f64; 3]; 3]) -> [f64; 4] {
    let trace = c[0][0] + c[1][1] + c[2][2];
    let q = if trace > 0.0 {
        let s = (trace + 1.0).sqrt() * 2.0;
        [
            (c[1][2] - c[2][1]) / s,
            (c[2][0] - c[0][2]) / s,
            (c[0][1] - c[1][0]) / s,
            s / 4.0,
        ]
    } else if c[0][0] > c[1][1] && c[0][0] > c[2][2] {
        let s = (1.0 + c[0][0] - c[1][1] - c[2][2]).max(1e-30).sqrt() * 2.0;
        [
            s / 4.0,
            (c[1][0] + c[0][1]) / s,
            (c[2][0] + c[0][2]) / s,
            (c[1][2] - c[2][1]) / s,
        ]
    } else if c[1][1] > c[2][2] {
        let s = (1.0 + c[1][1] - c[0][0] - c[2][2]).max(1e-30).sqrt() * 2.0;
        [
            (c[1][0] + c[0][1]) / s,
            s / 4.0,
            (c[2][1] + c[1][2]) / s,
            (c[2][0] - c[0][2]) / s,
        ]
    } else {
        let s = (1.0 + c[2][2] - c[0][0] - c[1][1]).max(1e-30).sqrt() * 2.0;
        [
            (c[2][0] + c[0][2]) / s,
            (c[2][1] + c[1][2]) / s,
            s / 4.0,
            (c[0][1] - c[1][0]) / s,
        ]
    };
    let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    if length < 1e-30 || !length.is_finite() {
        [0.0, 0.0, 0.0, 1.0]
    } else {
        q.map(|v| v / length)
    }
}
