//! The glTF document as a whole.

use super::builder::Builder;
use super::geometry::{self, Packing};
use super::materials::{self, Materials};
use super::nodes::{self, Nodes};
use super::quantize::{self, Fit, Grid};
use super::texcoords::Texels;
use super::{draco, motion, rounding};
use crate::progress::{Ctx, Stage};
use crate::write::{Compression, Options};
use crate::{Result, Scene};
use serde_json::{Map, Value, json};

// Rows are copied to the file in their memory layout.
#[cfg(not(target_endian = "little"))]
compile_error!("modelkit writes little-endian files and supports little-endian machines only");

/// Everything but the container.
pub struct Document {
    pub builder: Builder,
    /// Largest distance in metres that a position is moved by rounding, in the rest pose.
    pub rounding: f64,
    /// The quantisation grid of each mesh's positions; `None` without quantisation.
    pub grids: Vec<Option<Grid>>,
    root: Map<String, Value>,
}

impl Document {
    /// The JSON; `uri` for a buffer outside a GLB.
    pub fn json(&self, uri: Option<String>) -> Value {
        let b = &self.builder;
        let mut root = self.root.clone();
        let mut buffers = Vec::new();
        if !b.bin.is_empty() {
            let length = if uri.is_some() {
                b.bin.len()
            } else {
                b.bin.len().next_multiple_of(4)
            };
            let mut buffer = json!({"byteLength": length});
            if let Some(uri) = uri {
                buffer["uri"] = uri.into();
            }
            buffers.push(buffer);
        }
        if b.unpacked_length > 0 {
            buffers.push(json!({
                "byteLength": b.unpacked_length,
                "extensions": {"EXT_meshopt_compression": {"fallback": true}},
            }));
        }
        put_list(&mut root, "buffers", buffers);
        Value::Object(root)
    }
}

fn put_list(root: &mut Map<String, Value>, name: &str, list: Vec<Value>) {
    if !list.is_empty() {
        root.insert(name.into(), Value::Array(list));
    }
}

pub fn build(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<Document> {
    let packed = options.compression == Compression::Meshopt;
    build_in(Builder::new(packed), scene, options, ctx)
}

/// Like [`build`], without the images: the caller gives each image its URI.
pub fn build_apart(scene: &Scene, options: &Options, ctx: &Ctx) -> Result<Document> {
    let mut builder = Builder::new(options.compression == Compression::Meshopt);
    builder.images_apart = true;
    build_in(builder, scene, options, ctx)
}

fn build_in(mut b: Builder, scene: &Scene, options: &Options, ctx: &Ctx) -> Result<Document> {
    let packed = b.packed;
    let fits = match options.step {
        None if packed => quantize::fits(scene, options.for_screens),
        _ => Vec::new(),
    };
    let grids = match options.step {
        Some(step) if packed => quantize::stepped(scene, step),
        _ => fits.iter().map(Fit::grid).collect(),
    };
    b.texels = Texels::of(scene);
    if options.for_screens {
        b.screen = Some(quantize::screen(scene));
        // Off by some hundredths of a degree at most.
        b.rotation_bits = 12;
    }
    let streams = match options.compression {
        Compression::Draco => draco::encode(scene, &b.texels, options.step)?,
        _ => Vec::new(),
    };
    let halves = match (options.compression, options.step) {
        (Compression::None, _) => Vec::new(),
        (_, Some(step)) => vec![f64::from(step) / 2.0; scene.meshes.len()],
        (Compression::Draco, _) => streams.iter().map(|m| draco::most_moved(m)).collect(),
        (Compression::Meshopt, _) => fits.iter().map(Fit::half_step).collect(),
    };
    let mut root = Map::new();
    let (textures, samplers, images) = materials::textures(&mut b, scene);
    let mut written = Materials::new(&mut b, scene);
    let mut meshes = Vec::with_capacity(scene.meshes.len());
    for (i, mesh) in scene.meshes.iter().enumerate() {
        if i % 64 == 0 {
            ctx.report(
                Stage::Write,
                0.8 * i as f64 / scene.meshes.len() as f64,
                "正在写出几何",
            )?;
        }
        let packing = Packing {
            grid: grids.get(i).and_then(Option::as_ref),
            step: options.step.or_else(|| fits.get(i)?.step()),
            draco: streams.get(i).map_or(&[], Vec::as_slice),
        };
        meshes.push(geometry::mesh(&mut b, &mut written, mesh, packing)?);
    }
    // Viewers pick and list nodes, which instances are not; other programs may not know them.
    let folds = options.compression != Compression::None
        && options.step.is_none()
        && !options.for_screens
        && !b.images_apart;
    let nodes = nodes::nodes(&mut b, scene, &grids, folds)?;
    let skins = skins(&mut b, scene, &grids, &nodes)?;
    let mut animations = Vec::with_capacity(scene.animations.len());
    for clip in &scene.animations {
        animations.push(motion::animation(&mut b, clip, &nodes)?);
    }
    b.finish()?;
    let mut asset =
        json!({"version": "2.0", "generator": concat!("modelkit ", env!("CARGO_PKG_VERSION"))});
    if !scene.copyright.is_empty() {
        asset["copyright"] = scene.copyright.clone().into();
    }
    root.insert("asset".into(), asset);
    extensions(&mut b, &mut root, scene);
    let roots: Vec<u32> = scene.roots.iter().map(|r| nodes.number(*r)).collect();
    if !roots.is_empty() {
        root.insert("scene".into(), 0.into());
        root.insert("scenes".into(), json!([scene_json(scene, &roots)]));
    }
    let nodes_moved = nodes.moved;
    put_list(&mut root, "nodes", nodes.json);
    put_list(&mut root, "meshes", meshes);
    put_list(&mut root, "materials", written.json);
    put_list(&mut root, "textures", textures);
    put_list(&mut root, "samplers", samplers);
    put_list(&mut root, "images", images);
    put_list(&mut root, "skins", skins);
    put_list(&mut root, "animations", animations);
    put_list(&mut root, "cameras", scene.cameras.clone());
    put_list(&mut root, "accessors", std::mem::take(&mut b.accessors));
    put_list(&mut root, "bufferViews", std::mem::take(&mut b.views));
    Ok(Document {
        builder: b,
        rounding: rounding::moved(scene, &halves) + nodes_moved,
        grids,
        root,
    })
}

fn scene_json(scene: &Scene, roots: &[u32]) -> Value {
    let mut json = json!({"nodes": roots});
    if !scene.name.is_empty() {
        json["name"] = scene.name.clone().into();
    }
    if let Some(extras) = &scene.extras {
        json["extras"] = extras.clone();
    }
    json
}

fn extensions(b: &mut Builder, root: &mut Map<String, Value>, scene: &Scene) {
    let mut extensions = Map::new();
    if !scene.lights.is_empty() {
        b.extension("KHR_lights_punctual", false);
        extensions.insert(
            "KHR_lights_punctual".into(),
            json!({"lights": scene.lights}),
        );
    }
    if !scene.variants.is_empty() {
        b.extension("KHR_materials_variants", false);
        extensions.insert(
            "KHR_materials_variants".into(),
            json!({"variants": scene.variants}),
        );
    }
    if !b.used.is_empty() {
        root.insert("extensionsUsed".into(), json!(b.used));
    }
    if !b.required.is_empty() {
        root.insert("extensionsRequired".into(), json!(b.required));
    }
    if !extensions.is_empty() {
        root.insert("extensions".into(), Value::Object(extensions));
    }
}

fn skins(
    b: &mut Builder,
    scene: &Scene,
    grids: &[Option<Grid>],
    nodes: &Nodes,
) -> Result<Vec<Value>> {
    let mut out = Vec::with_capacity(scene.skins.len());
    for (i, skin) in scene.skins.iter().enumerate() {
        let user = scene.nodes.iter().find(|n| n.skin == Some(i as u32));
        let grid = user
            .and_then(|n| n.mesh)
            .and_then(|m| grids.get(m as usize)?.as_ref());
        out.push(motion::skin(b, skin, grid, nodes)?);
    }
    Ok(out)
}
