//! Builds meshes from drafts: missing normals are computed, vertices are shared.

use super::super::lost::Losses;
use super::super::normals::{self, Faces};
use super::super::origin;
use super::super::{Format, colour, units};
use super::Pools;
use super::corners::{Corner, NONE};
use super::lost::Loss;
use super::parts::Draft;
use crate::scene::{AlphaMode, Bounds, Mode, Node, Primitive, Problem, Severity, Transform};
use crate::{Result, Scene};
use std::collections::HashMap;

/// Adds one node and mesh per part, one primitive per material. `materials` maps every `usemtl` name to its index.
pub fn build(
    scene: &mut Scene,
    mut drafts: Vec<Draft>,
    mut pools: Pools,
    materials: &HashMap<String, u32>,
    losses: &mut Losses<Loss>,
    metres: f64,
) -> Result<()> {
    for draft in &drafts {
        losses.add_all(Loss::Reference, ("部件", &draft.part, 0), draft.bare);
    }
    let places = Places::of(&drafts, &pools, metres);
    if !places.lifted {
        origin::back(&mut pools.positions, pools.base);
    }
    if places.offsets.is_empty()
        && let [draft] = &mut drafts[..]
        && let Some(mut primitive) = scan(draft, &mut pools)
    {
        primitive.material = materials.get(&draft.material).copied();
        units::scale(&mut primitive.positions, metres);
        let mesh = add_part(scene, &mut HashMap::new(), &draft.part);
        scene.meshes[mesh as usize].primitives.push(primitive);
        places.lift(scene, &pools, metres);
        return Ok(());
    }
    make_normals(&mut drafts, &mut pools);
    let colors = linear_colors(&pools.colors, &pools.alphas);
    let mut sharer = Sharer {
        head: vec![NONE; pools.positions.len()],
        next: Vec::new(),
        keys: Vec::new(),
    };
    let mut meshes: HashMap<String, u32> = HashMap::new();
    for draft in drafts {
        let offset = places.offsets.get(&draft.part).copied();
        let mesh = match meshes.get(&draft.part) {
            Some(&mesh) => mesh,
            None => {
                let mesh = add_part(scene, &mut meshes, &draft.part);
                if let (Some(offset), Some(node)) = (offset, scene.nodes.last_mut()) {
                    node.transform = Transform::translation(offset.map(|v| v * metres));
                }
                mesh
            }
        };
        let material = materials.get(&draft.material).copied();
        for mut primitive in primitives(draft, &pools, &colors, &mut sharer, offset) {
            primitive.material = material;
            units::scale(&mut primitive.positions, metres);
            let is_clear = primitive.colors.iter().any(|color| color[3] < 1.0);
            let look = material.and_then(|m| scene.materials.get_mut(m as usize));
            if let Some(look) = look.filter(|m| is_clear && m.alpha_mode == AlphaMode::Opaque) {
                look.alpha_mode = AlphaMode::Blend;
            }
            scene.meshes[mesh as usize].primitives.push(primitive);
        }
    }
    places.lift(scene, &pools, metres);
    Ok(())
}

/// Where the parts of a file far from the origin are.
struct Places {
    /// The base becomes a node.
    lifted: bool,
    /// What the positions of each part count from, about the base; empty where single precision about it is enough.
    offsets: HashMap<String, [f64; 3]>,
}

impl Places {
    fn of(drafts: &[Draft], pools: &Pools, metres: f64) -> Places {
        let mut offsets = HashMap::new();
        if !pools.rest.is_empty() {
            let mut extents: HashMap<&str, Bounds> = HashMap::new();
            for draft in drafts {
                let extent = extents.entry(&draft.part).or_default();
                let corners = draft.corners.positions().iter();
                for &index in corners.chain(&draft.segments).chain(&draft.points) {
                    extent.add(pools.exact(index));
                }
            }
            let found = extents.into_iter();
            offsets.extend(found.map(|(part, b)| (part.to_owned(), origin::middle(&b, metres))));
        }
        Places {
            lifted: !offsets.is_empty() || origin::is_worth(pools.base, metres),
            offsets,
        }
    }

    fn lift(&self, scene: &mut Scene, pools: &Pools, metres: f64) {
        if self.lifted && pools.base != [0.0; 3] {
            origin::lift(scene, pools.base.map(|v| v * metres));
        }
    }
}

impl Pools {
    /// A position about the base in double precision.
    fn exact(&self, index: u32) -> [f64; 3] {
        let near = self.positions[index as usize];
        let rest = self.rest.get(index as usize).copied().unwrap_or_default();
        std::array::from_fn(|axis| f64::from(near[axis]) + f64::from(rest[axis]))
    }
}

/// A file of positions and faces only, which is what scanners write and the largest files are: its vertices are those
/// of the computed normals, with nothing else to share.
fn scan(draft: &mut Draft, pools: &mut Pools) -> Option<Primitive> {
    let plain = draft.corners.only_positions() && pools.colors.is_empty();
    if !plain || !draft.segments.is_empty() || !draft.points.is_empty() {
        return None;
    }
    let corners = std::mem::take(&mut draft.corners);
    Some(normals::creased_primitive(&Faces {
        positions: &std::mem::take(&mut pools.positions),
        corners: corners.positions(),
        groups: &draft.smoothing,
        bits: false,
    }))
}

fn add_part(scene: &mut Scene, meshes: &mut HashMap<String, u32>, part: &str) -> u32 {
    let name = if part.is_empty() {
        scene.name.clone()
    } else {
        part.to_owned()
    };
    let mesh = scene.add_mesh(name.clone(), Vec::new());
    scene.add_node(
        Node {
            name,
            mesh: Some(mesh),
            ..Node::default()
        },
        None,
    );
    meshes.insert(part.to_owned(), mesh);
    mesh
}

/// What was dropped of the parts, as findings.
pub fn dropped(drafts: &[Draft]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let out_of_range: usize = drafts.iter().map(|d| d.out_of_range).sum();
    if out_of_range > 0 {
        problems.push(Problem::new(
            "index-out-of-range",
            Severity::Error,
            "",
            format!("有 {out_of_range} 个面引用了不存在的顶点，已去除"),
            "文件可能不完整，请重新导出",
        ));
    }
    let not_finite: usize = drafts.iter().map(|d| d.not_finite).sum();
    if not_finite > 0 {
        problems.push(super::super::stl::nan_problem(not_finite));
    }
    problems
}

/// Computes a normal for every corner without one, or with one of zero length.
fn make_normals(drafts: &mut [Draft], pools: &mut Pools) {
    let bad: Vec<bool> = pools
        .normals
        .iter_mut()
        .map(|normal| match normals::normalize(*normal) {
            Some(unit) => {
                *normal = unit;
                false
            }
            None => true,
        })
        .collect();
    let lacks = |[_, _, normal]: Corner| normal == NONE || bad[normal as usize];
    let (mut corners, mut groups) = (Vec::new(), Vec::new());
    for draft in drafts.iter() {
        for triangle in 0..draft.corners.len() / 3 {
            let own = [0, 1, 2].map(|k| draft.corners.get(triangle * 3 + k));
            if own.into_iter().any(lacks) {
                corners.extend(own.map(|corner| corner[0]));
                groups.extend(draft.smoothing.get(triangle));
            }
        }
    }
    if corners.is_empty() {
        return;
    }
    let made = normals::creased(&Faces {
        positions: &pools.positions,
        corners: &corners,
        groups: &groups,
        bits: false,
    });
    drop(corners);
    let base = pools.normals.len() as u32;
    let mut at = 0;
    for draft in drafts.iter_mut() {
        for triangle in 0..draft.corners.len() / 3 {
            let indices = [0, 1, 2].map(|k| triangle * 3 + k);
            if !indices.iter().any(|&i| lacks(draft.corners.get(i))) {
                continue;
            }
            for index in indices {
                if lacks(draft.corners.get(index)) {
                    draft.corners.set_normal(index, base + made.corners[at]);
                }
                at += 1;
            }
        }
    }
    pools.normals.extend_from_slice(&made.normals);
}

/// sRGB to linear; values in the range 0…255 are scaled.
fn linear_colors(colors: &[[f32; 3]], alphas: &[f32]) -> Vec<[f32; 4]> {
    let bytes = colors.iter().flatten().any(|c| *c > 1.0);
    let scale = if bytes { 1.0 / 255.0 } else { 1.0 };
    let own = |c: f32| if c.is_finite() { c * scale } else { 1.0 };
    let full = alphas.iter().copied().fold(1.0, f32::max);
    let full = if full > 1.0 { 255.0 } else { 1.0 };
    let linear = |(i, color): (usize, &[f32; 3])| {
        let [r, g, b] = colour::linear(Format::Obj, color.map(own));
        let alpha = alphas.get(i).filter(|a| a.is_finite());
        [r, g, b, alpha.map_or(1.0, |a| (a / full).clamp(0.0, 1.0))]
    };
    colors.iter().enumerate().map(linear).collect()
}

/// Merges corners that share all three indices. Vertices at one position form a chain from `head[position]`, so no key
/// is ever hashed.
struct Sharer {
    head: Vec<u32>,
    next: Vec<u32>,
    keys: Vec<Corner>,
}

impl Sharer {
    fn index(&mut self, corner: Corner) -> u32 {
        let head = &mut self.head[corner[0] as usize];
        let mut at = *head;
        while at != NONE {
            if self.keys[at as usize] == corner {
                return at;
            }
            at = self.next[at as usize];
        }
        let index = self.keys.len() as u32;
        self.keys.push(corner);
        self.next.push(*head);
        *head = index;
        index
    }

    /// Returns the vertices and resets the state.
    fn finish(&mut self) -> Vec<Corner> {
        for key in &self.keys {
            self.head[key[0] as usize] = NONE;
        }
        self.next.clear();
        std::mem::take(&mut self.keys)
    }
}

fn primitives(
    draft: Draft,
    pools: &Pools,
    colors: &[[f32; 4]],
    sharer: &mut Sharer,
    offset: Option<[f64; 3]>,
) -> Vec<Primitive> {
    let mut out = Vec::new();
    if !draft.corners.is_empty() {
        let indices: Vec<u32> = draft
            .corners
            .iter()
            .map(|corner| sharer.index(corner))
            .collect();
        drop(draft.corners);
        out.push(vertices(
            Mode::Triangles,
            indices,
            &sharer.finish(),
            pools,
            colors,
            offset,
        ));
    }
    for (mode, list) in [
        (Mode::Lines, &draft.segments),
        (Mode::Points, &draft.points),
    ] {
        if !list.is_empty() {
            let indices = list
                .iter()
                .map(|&i| sharer.index([i, NONE, NONE]))
                .collect();
            out.push(vertices(
                mode,
                indices,
                &sharer.finish(),
                pools,
                colors,
                offset,
            ));
        }
    }
    out
}

fn vertices(
    mode: Mode,
    indices: Vec<u32>,
    keys: &[Corner],
    pools: &Pools,
    colors: &[[f32; 4]],
    offset: Option<[f64; 3]>,
) -> Primitive {
    let mut primitive = Primitive {
        mode,
        indices,
        ..Primitive::default()
    };
    let position = |key: &Corner| match offset {
        Some(offset) => origin::split(pools.exact(key[0]), offset).0,
        None => pools.positions[key[0] as usize],
    };
    primitive.positions = keys.iter().map(position).collect();
    if mode == Mode::Triangles {
        primitive.normals = keys
            .iter()
            .map(|key| pools.normals[key[2] as usize])
            .collect();
    }
    if keys.iter().any(|key| key[1] != NONE) {
        let uv = |key: &Corner| match pools.uvs.get(key[1] as usize) {
            Some([u, v]) if u.is_finite() && v.is_finite() => [*u, 1.0 - *v],
            _ => [0.0, 0.0],
        };
        primitive.uvs.push(keys.iter().map(uv).collect());
    }
    if !colors.is_empty() {
        primitive.colors = keys.iter().map(|key| colors[key[0] as usize]).collect();
    }
    primitive
}
