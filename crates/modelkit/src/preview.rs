//! The GLB that web pages show of a model: packed for the way to the browser, with every node, name and material, and
//! with the clips of a model that moves; and never heavier than a source that browsers open.

use crate::progress::{Ctx, Stage, Unheard};
use crate::read::served;
use crate::scene::Severity;
use crate::write::glb::Glb;
use crate::write::{Compression, Options};
use crate::{Error, Result, Scene, lighten, open};
use std::path::Path;

/// Longest side of a texture in pixels: what graphics cards of phones take.
pub const TEXTURE_SIDE: u32 = 4096;
/// Files up to this size are also tried uncompressed: compressed geometry has its price in the document.
const SMALL: u64 = 256 << 10;

/// The file that shows a scene.
pub enum Preview {
    Packed(Glb),
    /// The source, in one file.
    Source(Vec<u8>),
}

impl Preview {
    /// Prepares `scene` in place, which was read from `source`, and encodes it.
    pub fn of(scene: &mut Scene, source: &Path, ctx: &Ctx) -> Result<Preview> {
        ctx.report(Stage::Textures, 0.0, "正在生成网页预览")?;
        let large = |side: u32| side > TEXTURE_SIDE;
        let untouched = !scene.images.iter().any(|i| large(i.width.max(i.height)));
        lighten::limit_textures(scene, TEXTURE_SIDE, &ctx.part(0.0, 0.4))?;
        lighten::share_images(scene);
        lighten::prune(scene);
        lighten::drop_unread(scene);
        lighten::drop_still_clips(scene);
        lighten::thin_motion(scene, lighten::Keys::Packed);
        lighten::merge_equal(scene);
        lighten::order(scene);
        let glb = smallest(scene, &ctx.part(0.4, 0.9))?;
        if untouched
            && sound(scene)
            && let Some(own) = lighter(scene, source, glb.bytes(), ctx)?
        {
            return Ok(Preview::Source(own));
        }
        let size = std::fs::metadata(source).ok().filter(|meta| meta.is_file());
        if size.is_some_and(|meta| meta.len() < glb.bytes()) {
            let other = encode(scene, Compression::Draco, &ctx.part(0.9, 1.0))?;
            if other.bytes() < glb.bytes() {
                return Ok(Preview::Packed(other));
            }
        }
        Ok(Preview::Packed(glb))
    }

    pub fn write(&self, path: &Path) -> Result<()> {
        match self {
            Preview::Packed(glb) => glb.write(path),
            Preview::Source(bytes) => std::fs::write(path, bytes).map_err(|e| Error::io(path, &e)),
        }
    }

    /// Size of the file in bytes.
    pub fn bytes(&self) -> u64 {
        match self {
            Preview::Packed(glb) => glb.bytes(),
            Preview::Source(bytes) => bytes.len() as u64,
        }
    }
}

/// The reader took everything as it is: what it mended or left out, browsers may stumble over.
fn sound(scene: &Scene) -> bool {
    let harmless = |severity| severity == Severity::Info;
    scene.problems.iter().all(|p| harmless(p.severity))
}

/// A glTF with its own compression as one GLB, if browsers open it and it is below `bytes`.
fn lighter(scene: &Scene, source: &Path, bytes: u64, ctx: &Ctx) -> Result<Option<Vec<u8>>> {
    if !matches!(scene.format.as_str(), "glb" | "gltf") || !source.is_file() {
        return Ok(None);
    }
    // The file was told about when it was read.
    let unheard = Unheard(ctx.progress);
    let quiet = Ctx {
        progress: &unheard,
        ..ctx.part(0.9, 0.9)
    };
    open::visit(source, &quiet, |input| {
        // Text of the source has a third more bytes than what it embeds, and a file in an archive is rarely half of it.
        if input.bytes.len() as u64 / 2 > bytes {
            return None;
        }
        let own = served::as_glb(input, usize::try_from(bytes).unwrap_or(usize::MAX))?;
        ((own.len() as u64) < bytes).then(|| own.into_owned())
    })
}

fn encode(scene: &Scene, compression: Compression, ctx: &Ctx) -> Result<Glb> {
    let options = Options {
        compression,
        for_screens: true,
        ..Options::default()
    };
    Glb::of(scene, &options, ctx)
}

/// The scene's file in whichever form is smallest, of those that are decoded at once.
fn smallest(scene: &Scene, ctx: &Ctx) -> Result<Glb> {
    let packed = encode(scene, Compression::Meshopt, ctx)?;
    if packed.bytes() > SMALL {
        return Ok(packed);
    }
    let plain = encode(scene, Compression::None, ctx)?;
    Ok(if plain.bytes() < packed.bytes() {
        plain
    } else {
        packed
    })
}
