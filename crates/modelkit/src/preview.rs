//! The GLB that web pages show of a model: packed for the way to the browser, with every node, name, material and clip;
//! and never heavier than a source that browsers open as it is.

use crate::progress::{Ctx, Stage};
use crate::read::served;
use crate::scene::Severity;
use crate::write::glb::Glb;
use crate::write::{Compression, Options};
use crate::{Error, Result, Scene, lighten};
use std::path::Path;

/// Longest side of a texture in pixels: what graphics cards of phones take.
pub const TEXTURE_SIDE: u32 = 4096;
/// Files up to this size are also tried uncompressed: compressed geometry has its price in the document.
const SMALL: u64 = 256 << 10;

/// A scene made ready for the web, with its file.
pub struct Preview {
    glb: Glb,
    /// The textures are as in the source.
    untouched: bool,
}

impl Preview {
    /// Prepares `scene` in place and encodes it.
    pub fn of(scene: &mut Scene, ctx: &Ctx) -> Result<Preview> {
        ctx.report(Stage::Textures, 0.0, "正在生成网页预览")?;
        let large = |side: u32| side > TEXTURE_SIDE;
        let untouched = !scene.images.iter().any(|i| large(i.width.max(i.height)));
        lighten::limit_textures(scene, TEXTURE_SIDE, &ctx.part(0.0, 0.4))?;
        lighten::share_images(scene);
        lighten::prune(scene);
        lighten::drop_unread(scene);
        lighten::thin_motion(scene, lighten::Keys::Packed);
        lighten::merge_equal(scene);
        lighten::order(scene);
        let glb = smallest(scene, &ctx.part(0.4, 0.9))?;
        Ok(Preview { glb, untouched })
    }

    /// Writes the file to `path`, or copies `source` there when that is smaller and browsers open it. Returns its size.
    pub fn write(&self, scene: &Scene, source: &Path, path: &Path, ctx: &Ctx) -> Result<u64> {
        let meta = std::fs::metadata(source).ok().filter(|meta| meta.is_file());
        let size = meta.map_or(u64::MAX, |meta| meta.len());
        if size < self.glb.bytes() && self.untouched && sound(scene) {
            let bytes = std::fs::read(source).map_err(|e| Error::io(source, &e))?;
            if served::opens_in_browsers(&bytes) {
                ctx.report(Stage::Write, 0.95, "正在写出文件")?;
                std::fs::write(path, &bytes).map_err(|e| Error::io(path, &e))?;
                return Ok(size);
            }
        }
        self.glb.write(path)?;
        Ok(self.glb.bytes())
    }

    /// Size of the packed file in bytes.
    pub fn bytes(&self) -> u64 {
        self.glb.bytes()
    }
}

/// The reader took everything as it is: what it mended or left out, browsers may stumble over.
fn sound(scene: &Scene) -> bool {
    let harmless = |severity| severity == Severity::Info;
    scene.problems.iter().all(|p| harmless(p.severity))
}

/// The scene's file in whichever form is smallest.
fn smallest(scene: &Scene, ctx: &Ctx) -> Result<Glb> {
    let encode = |compression| {
        let options = Options {
            compression,
            for_screens: true,
            ..Options::default()
        };
        Glb::of(scene, &options, ctx)
    };
    let packed = encode(Compression::Meshopt)?;
    if packed.bytes() > SMALL {
        return Ok(packed);
    }
    let plain = encode(Compression::None)?;
    Ok(if plain.bytes() < packed.bytes() {
        plain
    } else {
        packed
    })
}
