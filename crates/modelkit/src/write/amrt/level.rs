//! One level of an AMRT: a glTF document, its meshopt streams and its images, each a separate section.

use crate::amrt::{GRIDS, SCHEME};
use crate::lighten;
use crate::progress::{Ctx, Stage};
use crate::scene::{Image, Scene};
use crate::write::glb::document;
use crate::write::{Compression, Options};
use crate::{Error, Result};
use serde_json::{Value, json};

/// Triangles of a coarse copy: a tenth, within these bounds.
const COARSE_TRIANGLES: (usize, usize) = (1_000, 12_000);
/// Longest side of a texture of a coarse copy in pixels.
const COARSE_TEXTURE: u32 = 128;

/// A level before its sections are numbered.
pub struct Part {
    json: Value,
    pub geometry: Vec<u8>,
    pub images: Vec<Image>,
    pub requires: Vec<String>,
    /// Largest distance in metres that a position is moved by rounding.
    pub rounding: f64,
}

impl Part {
    /// Size of geometry and images in bytes.
    pub fn bytes(&self) -> usize {
        let pictures: usize = self.images.iter().map(|image| image.bytes.len()).sum();
        self.geometry.len() + pictures
    }

    /// The document, with the geometry as section `first` and the images after it.
    pub fn document(&self, first: usize) -> Result<Vec<u8>> {
        let mut json = self.json.clone();
        if let Some(buffer) = json.get_mut("buffers").and_then(|b| b.get_mut(0))
            && !self.geometry.is_empty()
        {
            buffer["uri"] = format!("{SCHEME}{first}").into();
        }
        let images = json.get_mut("images").and_then(Value::as_array_mut);
        for (i, image) in images.into_iter().flatten().enumerate() {
            image["uri"] = format!("{SCHEME}{}", first + 1 + i).into();
        }
        serde_json::to_vec(&json).map_err(|e| Error::Internal(e.to_string()))
    }
}

/// Encodes a scene whose textures are ready.
pub fn pack(scene: &Scene, ctx: &Ctx) -> Result<Part> {
    let options = Options {
        compression: Compression::Meshopt,
        ..Options::default()
    };
    let built = document::build_apart(scene, &options, ctx)?;
    let mut json = built.json(Some(String::new()));
    let grids: Vec<Value> = built
        .grids
        .iter()
        .map(|grid| match grid {
            Some(grid) => json!({"offset": grid.offset, "scale": grid.scale}),
            // Positions in metres.
            None => json!({"offset": [0, 0, 0], "scale": 1}),
        })
        .collect();
    if !grids.is_empty() {
        json["extensions"][GRIDS] = json!({"meshes": grids});
        match json["extensionsUsed"].as_array_mut() {
            Some(used) => used.push(GRIDS.into()),
            None => json["extensionsUsed"] = json!([GRIDS]),
        }
    }
    let requires = built.builder.required.iter().cloned().collect();
    Ok(Part {
        json,
        rounding: built.rounding,
        geometry: built.builder.bin,
        images: scene.images.clone(),
        requires,
    })
}

/// A copy with few triangles and small textures, in the rest pose, and its error relative to the diagonal; `None` if
/// there is nothing to leave out.
pub fn coarse(scene: &Scene, ctx: &Ctx) -> Result<Option<(Scene, f64)>> {
    let triangles = scene.triangle_count();
    let (least, most) = COARSE_TRIANGLES;
    let wanted = (triangles / 10).clamp(least, most);
    let large = |image: &Image| image.width.max(image.height) > COARSE_TEXTURE;
    if triangles <= wanted && !scene.images.iter().any(large) {
        return Ok(None);
    }
    ctx.report(Stage::Simplify, 0.0, "正在生成先行显示的粗模")?;
    let mut copy = scene.clone();
    at_rest(&mut copy);
    lighten::limit_textures(&mut copy, COARSE_TEXTURE, &ctx.part(0.0, 0.4))?;
    lighten::weld(&mut copy);
    let done = lighten::simplify_to_count(&mut copy, wanted, &ctx.part(0.4, 1.0))?;
    lighten::order(&mut copy);
    Ok(Some((copy, done.error)))
}

/// Drops animation, and everything that is not visible.
fn at_rest(scene: &mut Scene) {
    scene.animations.clear();
    scene.extras = None;
    for mesh in &mut scene.meshes {
        mesh.extras = None;
        mesh.weights.clear();
        mesh.target_names.clear();
        for primitive in &mut mesh.primitives {
            primitive.targets.clear();
        }
    }
    for node in &mut scene.nodes {
        node.weights.clear();
        node.extras = None;
    }
    for material in &mut scene.materials {
        material.extras = None;
    }
}
