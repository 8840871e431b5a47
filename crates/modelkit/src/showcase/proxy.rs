//! The stand-in that visitors turn: few triangles, coarse positions, marked textures, no names, at most two short clips.

use super::{LEAST_TRIANGLES, Options, clips, coarse, mark, strip};
use crate::progress::Ctx;
use crate::scene::{Mode, Primitive, statistics};
use crate::write::glb::Glb;
use crate::write::{self, Compression};
use crate::{Error, Result, Scene, lighten};
use serde_json::{Value, json};

/// Most triangles, absolutely and of the model's.
const MOST_TRIANGLES: usize = 30_000;
const SHARE: f64 = 0.3;
/// Most bytes.
const BYTES: u64 = 1_500_000;
/// Longest sides of colour textures and of the others, tried one after the other.
const SIDES: [[u32; 2]; 4] = [[1024, 256], [768, 192], [512, 128], [256, 64]];
/// Bytes that textures may take; the rest is for the geometry.
const TEXTURE_BYTES: usize = 900_000;
/// Attempts at the number of triangles.
const ROUNDS: usize = 5;

pub struct Made {
    pub glb: Glb,
    triangles: usize,
    /// Longest side of its textures, 0 without any.
    texture_side: u32,
    /// Whether one of its textures has the mark.
    marked: bool,
    /// Share of the model's vertices that lie on one of the stand-in's.
    shared: f64,
}

impl Made {
    /// `scene` is what the GLB holds.
    fn of(scene: &Scene, glb: Glb, shared: f64) -> Made {
        let sides = scene.images.iter().map(|i| i.width.max(i.height));
        Made {
            triangles: scene.triangle_count(),
            texture_side: sides.max().unwrap_or(0),
            marked: mark::roles(scene).iter().any(|role| role.is_shown()),
            shared,
            glb,
        }
    }

    pub fn report(&self) -> Value {
        json!({
            "bytes": self.glb.bytes(),
            "triangles": self.triangles,
            "textureSide": self.texture_side,
            "marked": self.marked,
            "shared": (self.shared * 1e4).round() / 1e4,
        })
    }
}

/// `None` for a model that is too small, or that cannot be reduced enough.
pub fn make(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<Option<Made>> {
    let total = statistics(scene).triangles;
    if total < LEAST_TRIANGLES {
        return Ok(None);
    }
    let most = MOST_TRIANGLES.min((total as f64 * SHARE) as usize);
    let mut bare = strip::bare(scene);
    clips::shorten(&mut bare);
    lighten::drop_unread(&mut bare);
    lighten::weld(&mut bare);
    // Of what the simplifier aims at it may miss a hundredth.
    lighten::simplify_to_count(&mut bare, most * 98 / 100, ctx)?;
    cap(&mut bare, most);
    thin(&mut bare, most);
    textures(&mut bare, options, ctx)?;
    for _ in 0..ROUNDS {
        bare.meshes
            .iter_mut()
            .flat_map(|m| &mut m.primitives)
            .for_each(lighten::drop_unused_vertices);
        // Simplifying moves vertices: those of every round go to the grid.
        let Some(shared) = coarse::coarsen(scene, &mut bare, &options.seed)? else {
            return Ok(None);
        };
        lighten::weld(&mut bare);
        lighten::prune(&mut bare);
        lighten::order(&mut bare);
        let glb = encoded(&bare, ctx)?;
        if glb.bytes() <= BYTES {
            return Ok(Some(Made::of(&bare, glb, shared)));
        }
        let textures: usize = bare.images.iter().map(|i| i.bytes.len()).sum();
        let used = glb.bytes().saturating_sub(textures as u64).max(1);
        let room = BYTES.saturating_sub(textures as u64);
        let fewer = bare.triangle_count() as f64 * 0.9 * (room as f64 / used as f64).min(0.9);
        let fewer = (fewer as usize).max(1);
        lighten::simplify_to_count(&mut bare, fewer, ctx)?;
        cap(&mut bare, fewer);
    }
    Ok(None)
}

fn encoded(scene: &Scene, ctx: &Ctx) -> Result<Glb> {
    let options = write::Options {
        compression: Compression::Meshopt,
        for_screens: true,
        ..write::Options::default()
    };
    Glb::of(scene, &options, ctx)
}

/// Makes the textures as large as their bytes allow.
fn textures(scene: &mut Scene, options: &Options, ctx: &Ctx) -> Result<()> {
    let originals = scene.images.clone();
    let roles = mark::roles(scene);
    for (round, [color, other]) in SIDES.into_iter().enumerate() {
        let made = mark::textures(&originals, &roles, [color, other], options.mark.trim(), ctx)?;
        let bytes: usize = made.iter().flatten().map(|i| i.bytes.len()).sum();
        if bytes <= TEXTURE_BYTES || round + 1 == SIDES.len() {
            let kept: Vec<bool> = made.iter().map(Option::is_some).collect();
            for (slot, image) in scene.images.iter_mut().zip(made) {
                if let Some(image) = image {
                    *slot = image;
                }
            }
            // What cannot be read is not passed on either.
            let textures: Vec<bool> = scene
                .textures
                .iter()
                .map(|t| kept.get(t.image as usize) == Some(&true))
                .collect();
            for material in &mut scene.materials {
                material.retarget_textures(&mut |i| textures.get(*i as usize) == Some(&true));
            }
            return Ok(());
        }
    }
    Err(Error::Internal("no size of textures".into()))
}

/// Keeps the largest triangles where the simplifier could not reach the count.
fn cap(scene: &mut Scene, most: usize) {
    if scene.triangle_count() <= most {
        return;
    }
    let sizes = |p: &Primitive| -> Vec<f32> {
        let area = |corner: &[u32; 3]| {
            let [a, b, c] = corner.map(|i| p.positions[i as usize]);
            let (u, v) = (
                [0, 1, 2].map(|k| b[k] - a[k]),
                [0, 1, 2].map(|k| c[k] - a[k]),
            );
            let cross = [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ];
            cross.iter().map(|v| v * v).sum::<f32>()
        };
        p.indices.as_chunks::<3>().0.iter().map(area).collect()
    };
    let all = || scene.meshes.iter().flat_map(|m| &m.primitives);
    let mut areas: Vec<f32> = all()
        .filter(|p| p.mode == Mode::Triangles)
        .flat_map(sizes)
        .collect();
    areas.sort_unstable_by(|a, b| b.total_cmp(a));
    let least = areas.get(most).copied().unwrap_or(0.0);
    let mut left = most;
    for p in scene.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        if p.mode != Mode::Triangles {
            continue;
        }
        let sizes = sizes(p);
        let mut kept = Vec::new();
        for (corner, size) in p.indices.as_chunks::<3>().0.iter().zip(sizes) {
            if size >= least && left > 0 {
                kept.extend_from_slice(corner);
                left -= 1;
            }
        }
        p.indices = kept;
    }
    strip::drop_empty(scene);
}

/// Keeps a share of the points and lines.
fn thin(scene: &mut Scene, most: usize) {
    for p in scene.meshes.iter_mut().flat_map(|m| &mut m.primitives) {
        let corners = match p.mode {
            Mode::Triangles => continue,
            Mode::Lines => 2,
            Mode::Points => 1,
        };
        let every = (p.indices.len() / corners).div_ceil(most).max(4);
        let kept = p.indices.chunks_exact(corners).step_by(every);
        p.indices = kept.flatten().copied().collect();
    }
    strip::drop_empty(scene);
}
