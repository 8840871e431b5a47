//! Positions as integers of at most 16 bits: the quantisation grid of each mesh. Meshes whose parts are too thin for
//! sixteen bits get floats of a fixed step instead.

use super::{detail, texcoords};
use crate::scene::math::{self, Mat4};
use crate::scene::{Bounds, Material, Mesh, Mode, Primitive, Scene};
use rayon::prelude::*;
use std::collections::HashMap;

/// Steps of a position for screens, over the extent of its mesh: of 14 bits, or of 15 for finer detail.
const STEPS: [f32; 2] = [16_383.0, 32_767.0];
/// A quarter of the edges may be shorter than this many of them; a mesh with still finer detail gets all 16 bits.
const EDGE: f32 = 4.0;
/// Edges that are looked at.
const SAMPLES: usize = 4096;

/// `position = offset + scale · q`, q as 16-bit integers: normalised to 0…1, or whole. One scale for all axes, so that
/// normals stay correct.
#[derive(Debug, Clone, Copy)]
pub struct Grid {
    pub offset: [f32; 3],
    pub scale: f32,
    /// `scale` is one step and q counts steps.
    pub whole: bool,
}

impl Grid {
    pub fn matrix(&self) -> Mat4 {
        let s = f64::from(self.scale);
        math::compose(self.offset.map(f64::from), [0.0, 0.0, 0.0, 1.0], [s, s, s])
    }

    /// The largest coordinate in units of `scale`.
    pub fn extent(&self) -> f64 {
        if self.whole { 65535.0 } else { 1.0 }
    }

    pub fn quantize(&self, p: [f32; 3]) -> [u16; 4] {
        let mut out = [0; 4];
        for axis in 0..3 {
            let unit = f64::from(p[axis] - self.offset[axis]) / f64::from(self.scale);
            let steps = if self.whole {
                unit
            } else {
                unit.clamp(0.0, 1.0) * 65535.0
            };
            // Saturates at the ends of the range.
            out[axis] = steps.round() as u16;
        }
        out
    }

    /// One step in the mesh's units.
    fn step(&self) -> f64 {
        match self.whole {
            true => f64::from(self.scale),
            false => f64::from(self.scale) / 65_535.0,
        }
    }

    /// `finest` is the largest step that keeps the meshes' parts. A coarser one for screens must keep them too.
    fn around(meshes: &[&Mesh], finest: f64, for_screens: bool) -> Grid {
        let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for p in meshes
            .iter()
            .flat_map(|m| &m.primitives)
            .flat_map(|p| &p.positions)
        {
            for axis in 0..3 {
                min[axis] = min[axis].min(p[axis]);
                max[axis] = max[axis].max(p[axis]);
            }
        }
        if min[0] > max[0] {
            return Grid {
                offset: [0.0; 3],
                scale: 1.0,
                whole: false,
            };
        }
        let extent = (0..3).map(|a| max[a] - min[a]).fold(0.0, f32::max);
        // A single point still needs a non-zero scale.
        let scale = if extent > 1e-20 { extent } else { 1.0 };
        let short = match for_screens {
            true => meshes.iter().map(|mesh| short_edge(mesh)).reduce(f32::min),
            false => None,
        };
        let step = short.and_then(|short| {
            let steps = STEPS.iter().map(|steps| scale / steps);
            let keeps = |step: &f32| short >= EDGE * step && f64::from(*step) <= finest;
            steps.into_iter().find(keeps)
        });
        Grid {
            offset: min,
            scale: step.unwrap_or(scale),
            whole: step.is_some(),
        }
    }

    /// Whole multiples of `step`; `None` if sixteen bits do not cover the mesh.
    fn stepped(mesh: &Mesh, step: f32) -> Option<Grid> {
        let mut bounds = Bounds::default();
        for p in mesh.primitives.iter().flat_map(|p| &p.positions) {
            bounds.add(p.map(f64::from));
        }
        if bounds.is_empty() {
            return None;
        }
        let step = f64::from(step);
        let first = bounds.min.map(|v| (v / step).round());
        let fits = |k: usize| (bounds.max[k] / step).round() - first[k] <= 65_535.0;
        (0..3).all(fits).then(|| Grid {
            offset: first.map(|v| (v * step) as f32),
            scale: step as f32,
            whole: true,
        })
    }
}

/// The length that a quarter of a mesh's edges stays below; infinite without triangles.
fn short_edge(mesh: &Mesh) -> f32 {
    let triangles = mesh.primitives.iter().filter(|p| p.mode == Mode::Triangles);
    let count: usize = triangles.clone().map(Primitive::triangle_count).sum();
    let every = count.div_ceil(SAMPLES).max(1);
    let edge = |p: &Primitive, corner: &[u32; 3]| {
        let [a, b] = [corner[0], corner[1]].map(|i| p.positions[i as usize]);
        (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f32>().sqrt()
    };
    let mut edges: Vec<f32> = triangles
        .flat_map(|p| p.indices.as_chunks::<3>().0.iter().map(move |c| (p, c)))
        .step_by(every)
        .map(|(p, corner)| edge(p, corner))
        .filter(|length| *length > 0.0)
        .collect();
    edges.sort_unstable_by(f32::total_cmp);
    edges.get(edges.len() / 4).copied().unwrap_or(f32::INFINITY)
}

/// How exact texture coordinates are on screens.
#[derive(Debug, Clone, Copy)]
pub struct Screen {
    /// Longest side of any texture in pixels.
    side: u32,
    /// A material enlarges or shrinks textures.
    transformed: bool,
}

/// Fewest bits of a texture coordinate with its sign: twelve for 0…1, whatever the texture.
const LEAST_UV_BITS: i32 = 13;

impl Screen {
    /// Bits of these coordinates with their sign: half a texel, where 14 suffice (16 with textures above 2048 pixels).
    pub fn bits(self, rows: &[[f32; 2]]) -> i32 {
        let most = if self.side <= 2048 { 14 } else { 16 };
        if self.transformed {
            return most;
        }
        let range = texcoords::exponent(rows);
        let half_texel = (self.side.max(1) * 2).next_power_of_two().ilog2() as i32;
        (1 + half_texel + range).clamp(LEAST_UV_BITS, most)
    }
}

pub fn screen(scene: &Scene) -> Screen {
    let side = scene.images.iter().map(|i| i.width.max(i.height)).max();
    let transforms = |m: &Material| {
        let mut slots = m.slots().into_iter().filter_map(|(_, slot)| slot);
        slots.any(|slot| slot.transform.is_some())
            || m.extensions
                .values()
                .any(|v| v.to_string().contains("KHR_texture_transform"))
    };
    Screen {
        side: side.unwrap_or(0),
        transformed: scene.materials.iter().any(transforms),
    }
}

/// Grids of whole multiples of `step`, one per mesh; `None` if sixteen bits do not cover it.
pub fn stepped(scene: &Scene, step: f32) -> Vec<Option<Grid>> {
    let grid = |mesh| Grid::stepped(mesh, step);
    scene.meshes.iter().map(grid).collect()
}

/// How the positions of a mesh are stored.
#[derive(Debug, Clone, Copy)]
pub enum Fit {
    Grid(Grid),
    /// Floats that are whole multiples of a power of two.
    Step(f32),
}

impl Fit {
    fn of(meshes: &[&Mesh], finest: f64, for_screens: bool) -> Fit {
        let grid = Grid::around(meshes, finest, for_screens);
        match grid.step() <= finest {
            true => Fit::Grid(grid),
            false => Fit::Step(2f64.powi(finest.log2().floor() as i32) as f32),
        }
    }

    /// Largest error of a coordinate in the mesh's units.
    pub fn half_step(&self) -> f64 {
        match self {
            Fit::Grid(grid) => grid.step() / 2.0,
            Fit::Step(step) => f64::from(*step) / 2.0,
        }
    }

    pub fn grid(&self) -> Option<Grid> {
        match self {
            Fit::Grid(grid) => Some(*grid),
            Fit::Step(_) => None,
        }
    }

    pub fn step(&self) -> Option<f32> {
        match self {
            Fit::Grid(_) => None,
            Fit::Step(step) => Some(*step),
        }
    }
}

/// The form of each mesh. Meshes under one skin share theirs, because a grid is folded into the skin's inverse bind
/// matrices.
pub fn fits(scene: &Scene, for_screens: bool) -> Vec<Fit> {
    let finest = |mesh: &Mesh| {
        let steps = mesh.primitives.par_iter().map(detail::step);
        steps.reduce(|| f64::INFINITY, f64::min)
    };
    let finest: Vec<f64> = scene.meshes.par_iter().map(finest).collect();
    let mut group: HashMap<u32, Vec<usize>> = HashMap::new();
    let mut skin_of: Vec<Option<u32>> = vec![None; scene.meshes.len()];
    let mut alias: HashMap<u32, u32> = HashMap::new();
    for node in &scene.nodes {
        let (Some(mesh), Some(skin)) = (node.mesh, node.skin) else {
            continue;
        };
        match skin_of[mesh as usize] {
            None => skin_of[mesh as usize] = Some(skin),
            // A mesh under two skins makes both share a grid.
            Some(other) if other != skin => {
                alias.insert(find(&alias, skin), find(&alias, other));
            }
            Some(_) => {}
        }
    }
    for (mesh, skin) in skin_of.iter().enumerate() {
        if let Some(skin) = skin {
            group.entry(find(&alias, *skin)).or_default().push(mesh);
        }
    }
    let mut fits: Vec<Option<Fit>> = vec![None; scene.meshes.len()];
    for members in group.values() {
        let meshes: Vec<&Mesh> = members.iter().map(|&m| &scene.meshes[m]).collect();
        let finest = members
            .iter()
            .map(|&m| finest[m])
            .fold(f64::INFINITY, f64::min);
        let fit = Fit::of(&meshes, finest, for_screens);
        for &member in members {
            fits[member] = Some(fit);
        }
    }
    let own = |((fit, mesh), finest): ((Option<Fit>, &Mesh), &f64)| {
        fit.unwrap_or_else(|| Fit::of(&[mesh], *finest, for_screens))
    };
    fits.into_iter()
        .zip(&scene.meshes)
        .zip(&finest)
        .map(own)
        .collect()
}

fn find(alias: &HashMap<u32, u32>, skin: u32) -> u32 {
    let mut at = skin;
    for _ in 0..=alias.len() {
        match alias.get(&at) {
            Some(&next) if next != at => at = next,
            _ => return at,
        }
    }
    at
}
