//! Vertices and indices: finite, in range, consistent.

use crate::scene::math::normalize;
use crate::scene::{Mode, Primitive, Scene};

/// What had to be dropped.
#[derive(Default)]
pub struct Found {
    pub not_finite: usize,
    pub bad_indices: usize,
    /// The first mesh affected.
    pub place: String,
    /// Skinned vertices, those whose weights did not sum to 1, and those without any.
    pub skinned: usize,
    pub uneven: usize,
    pub unweighted: usize,
    /// The first mesh with such vertices.
    pub uneven_place: String,
}

/// Tolerance for the sum of weights: covers rounding to bytes.
const UNEVEN: f32 = 0.02;

pub fn clean(scene: &mut Scene) -> Found {
    let mut found = Found::default();
    for mesh in &mut scene.meshes {
        let before = found.not_finite + found.bad_indices;
        let uneven = found.uneven + found.unweighted;
        for primitive in &mut mesh.primitives {
            clean_primitive(primitive, &mut found);
        }
        if found.place.is_empty() && found.not_finite + found.bad_indices > before {
            found.place = format!("网格 {}", mesh.name);
        }
        if found.uneven_place.is_empty() && found.uneven + found.unweighted > uneven {
            found.uneven_place = format!("网格 {}", mesh.name);
        }
        let targets = mesh
            .primitives
            .iter()
            .map(|p| p.targets.len())
            .min()
            .unwrap_or(0);
        for primitive in &mut mesh.primitives {
            primitive.targets.truncate(targets);
        }
        mesh.weights.resize(targets, 0.0);
        if mesh.target_names.len() != targets {
            mesh.target_names.clear();
        }
    }
    for node in &mut scene.nodes {
        let targets = node
            .mesh
            .and_then(|m| scene.meshes.get(m as usize))
            .map_or(0, |m| m.weights.len());
        if node.weights.len() != targets || node.weights.iter().any(|w| !w.is_finite()) {
            node.weights.clear();
        }
    }
    found
}

fn clean_primitive(p: &mut Primitive, found: &mut Found) {
    let count = p.positions.len();
    drop_short_attributes(p, count);
    let bad = mend_positions(p, found);
    drop_bad_corners(p, count, bad.as_deref(), found);
    for normal in &mut p.normals {
        mend_unit(normal);
    }
    if p.normals.is_empty() {
        p.tangents.clear();
    }
    for tangent in &mut p.tangents {
        let [x, y, z, w] = *tangent;
        let mut axis = [x, y, z];
        mend_unit(&mut axis);
        *tangent = [axis[0], axis[1], axis[2], if w < 0.0 { -1.0 } else { 1.0 }];
    }
    for uv in p.uvs.iter_mut().flatten() {
        mend(uv, 0.0);
    }
    for color in &mut p.colors {
        mend(color, 1.0);
        *color = color.map(|c| c.clamp(0.0, 1.0));
    }
    for target in &mut p.targets {
        target.positions.iter_mut().for_each(|d| mend(d, 0.0));
        target.normals.iter_mut().for_each(|d| mend(d, 0.0));
        target.tangents.iter_mut().for_each(|d| mend(d, 0.0));
    }
    for custom in &mut p.custom {
        custom
            .values
            .iter_mut()
            .filter(|v| !v.is_finite())
            .for_each(|v| *v = 0.0);
    }
    normalize_weights(p, found);
}

fn mend<const N: usize>(row: &mut [f32; N], with: f32) {
    for value in row {
        if !value.is_finite() {
            *value = with;
        }
    }
}

fn mend_unit(v: &mut [f32; 3]) {
    let length = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    if (length - 1.0).abs() > 1e-5 || !length.is_finite() {
        *v = normalize(v.map(f64::from))
            .unwrap_or([0.0, 1.0, 0.0])
            .map(|x| x as f32);
    }
}

fn drop_short_attributes(p: &mut Primitive, count: usize) {
    let ok = |length: usize| length == 0 || length == count;
    if !ok(p.normals.len()) {
        p.normals.clear();
    }
    if !ok(p.tangents.len()) {
        p.tangents.clear();
    }
    if !ok(p.colors.len()) {
        p.colors.clear();
    }
    if let Some(short) = p.uvs.iter().position(|set| set.len() != count) {
        p.uvs.truncate(short);
    }
    if let Some(short) = p
        .skin_sets
        .iter()
        .position(|s| s.joints.len() != count || s.weights.len() != count)
    {
        p.skin_sets.truncate(short);
    }
    for t in &mut p.targets {
        for rows in [&mut t.positions, &mut t.normals, &mut t.tangents] {
            if !ok(rows.len()) {
                rows.clear();
            }
        }
    }
    p.custom
        .retain(|c| c.width > 0 && c.values.len() == count * c.width);
}

/// Moves non-finite vertices to the origin and marks them.
fn mend_positions(p: &mut Primitive, found: &mut Found) -> Option<Vec<bool>> {
    // Beyond 1e30 squares overflow single precision in every viewer.
    let fine = |p: &[f32; 3]| p.iter().all(|v| v.is_finite() && v.abs() < 1e30);
    if p.positions.iter().all(fine) {
        return None;
    }
    let bad: Vec<bool> = p.positions.iter().map(|p| !fine(p)).collect();
    let good = p
        .positions
        .iter()
        .find(|p| fine(p))
        .copied()
        .unwrap_or([0.0; 3]);
    for (position, bad) in p.positions.iter_mut().zip(&bad) {
        if *bad {
            found.not_finite += 1;
            *position = good;
        }
    }
    Some(bad)
}

fn drop_bad_corners(p: &mut Primitive, count: usize, bad: Option<&[bool]>, found: &mut Found) {
    let corners = match p.mode {
        Mode::Points => 1,
        Mode::Lines => 2,
        Mode::Triangles => 3,
    };
    let whole = p.indices.len() / corners * corners;
    p.indices.truncate(whole);
    let in_range = p.indices.iter().all(|&i| (i as usize) < count);
    if in_range && bad.is_none() {
        return;
    }
    let mut kept = Vec::with_capacity(p.indices.len());
    for shape in p.indices.chunks_exact(corners) {
        if shape.iter().any(|&i| i as usize >= count) {
            found.bad_indices += 1;
        } else if !shape.iter().any(|&i| bad.is_some_and(|b| b[i as usize])) {
            kept.extend_from_slice(shape);
        }
    }
    p.indices = kept;
}

/// Normalises the weights of a vertex to a sum of 1 over all sets; joints without weight become 0.
fn normalize_weights(p: &mut Primitive, found: &mut Found) {
    let sets = p.skin_sets.len();
    for vertex in 0..if sets == 0 { 0 } else { p.positions.len() } {
        let mut total = 0.0;
        for set in &mut p.skin_sets {
            let weights = &mut set.weights[vertex];
            mend(weights, 0.0);
            *weights = weights.map(|w| w.max(0.0));
            total += weights.iter().sum::<f32>();
        }
        found.skinned += 1;
        found.unweighted += usize::from(total == 0.0);
        found.uneven += usize::from(total > 0.0 && (total - 1.0).abs() > UNEVEN);
        for set in &mut p.skin_sets {
            let (joints, weights) = (&mut set.joints[vertex], &mut set.weights[vertex]);
            for k in 0..4 {
                // Sums within rounding stay bit for bit unchanged.
                if total > 0.0 && (total - 1.0).abs() > 2e-7 {
                    weights[k] /= total;
                }
                if weights[k] == 0.0 {
                    joints[k] = 0;
                }
            }
        }
        if total == 0.0
            && let Some(set) = p.skin_sets.first_mut()
        {
            set.weights[vertex] = [1.0, 0.0, 0.0, 0.0];
        }
    }
}
