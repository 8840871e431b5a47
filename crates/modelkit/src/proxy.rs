//! A small stand-in of a model, for pages to show and turn while the model itself is on its way: at rest, in few triangles,
//! with small textures, in as many bytes as its caller allows.
//! Materials are reduced to what shows from afar ([`looks`]), the geometry of each is merged ([`merge`]), and triangles go
//! until the file fits.

mod looks;
mod merge;

use crate::progress::{Ctx, Stage, Unheard};
use crate::write::glb::Glb;
use crate::write::{Compression, Options};
use crate::{Error, Result, Scene, lighten};
use looks::Palette;
use std::path::Path;

/// Size of a stand-in unless the caller says otherwise, in bytes.
pub const BYTES: u64 = 300_000;
/// The smallest size that is accepted.
pub const LEAST_BYTES: u64 = 16_000;
/// Longest side of a texture in pixels, tried one after the other; 0: colours of the vertices instead.
const SIDES: [u32; 6] = [512, 256, 128, 64, 32, 0];
/// Share of the bytes that textures may take.
const TEXTURE_SHARE: f64 = 0.55;
/// Bytes allowed for each triangle that is kept, though they may take half as many: 32,000 within [`BYTES`]. More are not
/// told apart in the seconds for which a stand-in is shown, and without a graphics card each takes 2 µs to draw.
const ALLOWANCE: u64 = 9;
/// Bytes of a triangle to begin with.
const TRIANGLE: f64 = 6.0;
/// Attempts at the number of triangles, and the share of the room from which an attempt is close enough.
const ROUNDS: usize = 6;
const CLOSE: f64 = 0.8;

/// An encoded stand-in.
pub struct Proxy {
    glb: Glb,
    pub triangles: usize,
    /// Longest side of its textures; 0 without textures.
    pub texture_side: u32,
}

impl Proxy {
    pub fn bytes(&self) -> u64 {
        self.glb.bytes()
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        self.glb.write(path)
    }
}

/// A stand-in of `scene` of at most `budget` bytes.
pub fn make(scene: &Scene, budget: u64, ctx: &Ctx) -> Result<Proxy> {
    if budget < LEAST_BYTES {
        return Err(Error::Usage(format!("--bytes 须不小于 {LEAST_BYTES}")));
    }
    ctx.report(Stage::Simplify, 0.0, "正在生成先行显示的替身")?;
    // Its steps are no news to the owner of the file.
    let unheard = Unheard(ctx.progress);
    let quiet = Ctx {
        progress: &unheard,
        ..ctx.part(0.0, 1.0)
    };
    let palette = Palette::of(scene, SIDES[0], &quiet)?;
    for (i, side) in SIDES.into_iter().enumerate() {
        ctx.report(
            Stage::Simplify,
            i as f64 / SIDES.len() as f64,
            "正在生成先行显示的替身",
        )?;
        let room = (budget as f64 * TEXTURE_SHARE) as u64;
        let Some(shades) = palette.shades(side, room)? else {
            continue;
        };
        let merged = merge::merged(scene, &shades, budget)?;
        if let Some(glb) = fitted(merged, budget, &quiet)? {
            ctx.report(Stage::Write, 1.0, "替身已生成")?;
            let (glb, triangles) = glb;
            return Ok(Proxy {
                glb,
                triangles,
                texture_side: if shades.images.is_empty() { 0 } else { side },
            });
        }
        if shades.images.is_empty() {
            break;
        }
    }
    Err(Error::TooLarge(format!(
        "模型由太多互不相连的部分组成，无法在 {budget} 字节内生成替身"
    )))
}

/// Takes triangles away until the file fits; `None` if it does not with any number of them.
fn fitted(mut full: Scene, budget: u64, ctx: &Ctx) -> Result<Option<(Glb, usize)>> {
    lighten::weld(&mut full);
    let textures: usize = full.images.iter().map(|i| i.bytes.len()).sum();
    let goal = Goal {
        budget,
        textures: textures as u64,
        most: full.triangle_count().min((budget / ALLOWANCE) as usize),
    };
    let mut wanted = goal.first();
    let mut best: Option<(Glb, usize)> = None;
    let mut last: Option<Scene> = None;
    for _ in 0..ROUNDS {
        let coarser = last.filter(|scene: &Scene| scene.triangle_count() > wanted);
        let mut trial = coarser.unwrap_or_else(|| full.clone());
        lighten::simplify_to_count(&mut trial, wanted, ctx)?;
        lighten::order(&mut trial);
        let glb = encoded(&trial, ctx)?;
        let (size, left) = (glb.bytes(), trial.triangle_count());
        last = Some(trial);
        if size <= budget && best.as_ref().is_none_or(|(old, _)| old.bytes() < size) {
            best = Some((glb, left));
        }
        match goal.after(wanted, left, size) {
            Some(next) => wanted = next,
            None => break,
        }
    }
    Ok(best)
}

/// What the number of triangles is searched for.
pub struct Goal {
    /// Most bytes of the file.
    pub budget: u64,
    /// Bytes of its textures.
    pub textures: u64,
    /// Most triangles.
    pub most: usize,
}

impl Goal {
    /// Bytes for everything but textures.
    fn room(&self) -> f64 {
        self.budget as f64 - self.textures as f64
    }

    pub fn first(&self) -> usize {
        self.most.min((self.room() / TRIANGLE) as usize).max(1)
    }

    /// The number to try after `wanted`, for which `left` triangles and `size` bytes came out; `None` if that is close enough
    /// or another attempt would be the same.
    pub fn after(&self, wanted: usize, left: usize, size: u64) -> Option<usize> {
        let fits = size <= self.budget;
        let used = (size as f64 - self.textures as f64).max(1.0);
        if fits && (left >= self.most || used >= self.room() * CLOSE) {
            return None;
        }
        let next = (left as f64 * 0.96 * self.room().max(1.0) / used) as usize;
        // Parts that cannot be simplified stay above the wish: half is asked of them.
        let next = match !fits && next >= wanted {
            true => wanted / 2,
            false => next.min(self.most),
        };
        (next != 0 && next != wanted).then_some(next)
    }
}

fn encoded(scene: &Scene, ctx: &Ctx) -> Result<Glb> {
    let options = Options {
        compression: Compression::Meshopt,
        for_screens: true,
        ..Options::default()
    };
    Glb::of(scene, &options, ctx)
}
