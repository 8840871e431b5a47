//! Fewer points: those of clouds have no triangles to merge.

use crate::Scene;
use crate::check::grouped;
use crate::scene::{Bounds, Mode, Primitive, Problem, Severity, pick_vertices};

/// Points of all meshes.
pub fn count(scene: &Scene) -> usize {
    let primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let points = primitives.filter(|p| p.mode == Mode::Points);
    points.map(|p| p.indices.len()).sum()
}

/// Keeps this share of the points of every primitive, spread evenly over space.
pub fn thin(scene: &mut Scene, ratio: f64) {
    let primitives = scene
        .meshes
        .iter_mut()
        .flat_map(|mesh| &mut mesh.primitives);
    for primitive in primitives.filter(|p| p.mode == Mode::Points) {
        let all = primitive.indices.len();
        let kept = ((all as f64 * ratio).round() as usize).clamp(1.min(all), all);
        if kept < all {
            keep(primitive, kept);
        }
    }
}

/// Every so many of them along a curve through all cells of space (Morton 1966), in the order of the file.
fn keep(primitive: &mut Primitive, kept: usize) {
    let mut bounds = Bounds::default();
    for position in &primitive.positions {
        bounds.add(position.map(f64::from));
    }
    let all = primitive.indices.len();
    let mut order: Vec<(u64, u32)> = Vec::with_capacity(all);
    for &index in &primitive.indices {
        let position = primitive.positions.get(index as usize);
        let key = position.map_or(0, |p| cell(&bounds, *p));
        order.push((key, index));
    }
    order.sort_unstable();
    // Exactly `kept` times the share of the next whole number is passed.
    let passed = |i: usize| (i as u128 * kept as u128 / all as u128) as usize;
    let picked = order
        .iter()
        .enumerate()
        .filter(|(i, _)| passed(i + 1) > passed(*i));
    let mut picks: Vec<u32> = picked.map(|(_, (_, index))| *index).collect();
    picks.sort_unstable();
    pick_vertices(primitive, &picks);
    primitive.indices = (0..picks.len() as u32).collect();
}

/// The cell of a position along the curve: 21 bits for each axis, one after the other.
fn cell(bounds: &Bounds, position: [f32; 3]) -> u64 {
    let longest = bounds.size().into_iter().fold(f64::MIN_POSITIVE, f64::max);
    let mut key = 0;
    for (axis, value) in position.into_iter().enumerate() {
        let part = (f64::from(value) - bounds.min[axis]) / longest;
        key |= apart((part * f64::from((1 << 21) - 1)) as u64) << axis;
    }
    key
}

/// Puts two zeros between the lowest 21 bits.
fn apart(bits: u64) -> u64 {
    let mut x = bits & 0x1f_ffff;
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

/// What became of the points, of which there were so many.
pub fn tell(before: usize, scene: &Scene) -> Option<Problem> {
    let after = count(scene);
    let message = format!(
        "点云从 {} 个点均匀减到 {} 个",
        grouped(before),
        grouped(after)
    );
    (after < before).then(|| Problem::new("points-thinned", Severity::Info, "", message, ""))
}

/// Of a target in triangles for a model without any.
pub fn nothing() -> Problem {
    Problem::new(
        "nothing-to-simplify",
        Severity::Info,
        "",
        "模型只有点或线，没有三角形可减，点和线没有减少",
        "点云可以按比例、按数量或按文件大小减少",
    )
}
