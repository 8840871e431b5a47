//! Which vertices keep their attribute seams when the simplifier may collapse others.

use meshopt::SimplifyVertex;
use std::collections::HashMap;

/// Vertices of all primitives in one list.
pub struct Shared<'a> {
    pub positions: &'a [[f32; 3]],
    /// First UV set, in any unit; empty without UVs.
    pub uvs: &'a [[f32; 2]],
    /// First vertex of each primitive.
    pub offsets: &'a [usize],
}

/// Flags positions where two primitives meet (their materials must not mix) and, with `uv_seams`, those on UV seams.
pub fn flags(shared: &Shared, uv_seams: bool) -> Vec<SimplifyVertex> {
    let count = shared.positions.len();
    let mut flags = vec![SimplifyVertex::None; count];
    let mut first: HashMap<[u32; 3], u32> = HashMap::with_capacity(count);
    let owner = |vertex: usize| shared.offsets.partition_point(|&o| o <= vertex);
    for vertex in 0..count {
        let key = shared.positions[vertex].map(|v| (v + 0.0).to_bits());
        let other = *first.entry(key).or_insert(vertex as u32) as usize;
        if other == vertex {
            continue;
        }
        let apart = uv_seams && !shared.uvs.is_empty() && shared.uvs[other] != shared.uvs[vertex];
        if apart || owner(other) != owner(vertex) {
            flags[vertex] = SimplifyVertex::Protect;
            flags[other] = SimplifyVertex::Protect;
        }
    }
    flags
}
