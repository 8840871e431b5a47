//! Converts parts of a file to a scene.

use super::lost::{self, Loss};
use super::model::{Content, Model, State, Texture};
use super::parts::Part;
use super::pixels;
use crate::limits::Limits;
use crate::read::lost::Losses;
use crate::read::maps;
use crate::read::{Format, SideFiles, colour, origin, picture};
use crate::scene::{
    AlphaMode, CLAMP, Image, MIRROR, Material, Primitive, Problem, REPEAT, Sampler, Scene,
    Severity, TextureRef, Transform,
};
use std::collections::HashMap;

/// Parameters of the conversion.
pub struct Making<'a> {
    pub model: &'a Model<'a>,
    pub side: &'a dyn SideFiles,
    pub limits: &'a Limits,
    /// From the file's coordinates (Z up) to the scene's (Y up, metres).
    pub place: &'a dyn Fn([f64; 3]) -> [f64; 3],
    /// The same for directions.
    pub turn: &'a dyn Fn([f32; 3]) -> [f32; 3],
    /// An origin is taken off what lies far out, and becomes the place of the node.
    pub lifts: bool,
}

/// Key of a material in the scene; equal states share one: texture, material, blending, bits of the alpha cutoff, one
/// side, normals.
type Key = (Option<usize>, Option<usize>, bool, Option<u32>, bool, bool);

struct Maker<'a> {
    from: &'a Making<'a>,
    scene: Scene,
    materials: HashMap<Key, u32>,
    /// Scene textures by file texture; `None` if the image is not available.
    textures: HashMap<usize, Option<u32>>,
    primitives: Vec<Primitive>,
    /// What positions count from, by the first of them.
    base: Option<[f64; 3]>,
    /// Textures that would be blended with the base.
    layers: usize,
    losses: Losses<Loss>,
}

impl Making<'_> {
    /// Builds one mesh from the given parts. Non-finite vertices are left out with their triangles.
    pub fn scene(&self, parts: &[&Part]) -> Scene {
        let mut maker = Maker {
            from: self,
            scene: Scene::default(),
            materials: HashMap::new(),
            textures: HashMap::new(),
            primitives: Vec::new(),
            base: None,
            layers: 0,
            losses: Losses::default(),
        };
        for draw in parts.iter().flat_map(|p| &p.draws) {
            maker.draw(draw);
        }
        let Maker {
            mut scene,
            primitives,
            layers,
            base,
            losses,
            ..
        } = maker;
        losses.tell(&mut scene, lost::finding);
        if layers > 0 || self.model.far_units {
            scene.note(Problem::new(
                "texture-layers-skipped",
                Severity::Warning,
                "",
                "部分表面叠加了多层贴图，只保留了第一层",
                "如需叠加效果，请在建模软件中把多层贴图烘焙为一张后重新导出",
            ));
        }
        if !primitives.is_empty() {
            let mesh = scene.add_mesh("", primitives);
            scene.add_node(
                crate::scene::Node {
                    mesh: Some(mesh),
                    transform: Transform::translation(base.unwrap_or_default()),
                    ..crate::scene::Node::default()
                },
                None,
            );
        }
        scene
    }
}

impl Maker<'_> {
    fn draw(&mut self, draw: &super::parts::Placed) {
        let geometry = &self.from.model.geometries[draw.geometry];
        let place = |p: &[f32; 3]| (self.from.place)(draw.position(geometry, *p));
        if let (true, None, Some(first)) = (self.from.lifts, self.base, geometry.positions.first())
        {
            self.base = Some(origin::base_of(place(first)));
        }
        let base = self.base.unwrap_or_default();
        let near = |p: &[f32; 3]| origin::split(place(p), base).0;
        let positions: Vec<[f32; 3]> = geometry.positions.iter().map(near).collect();
        let finite = |i: &u32| positions[*i as usize].iter().all(|v| v.is_finite());
        let flipped =
            (crate::scene::math::determinant(&draw.matrix) < 0.0) != draw.state.reversed();
        let mut indices = Vec::with_capacity(geometry.indices.len());
        for &[a, b, c] in geometry.indices.as_chunks::<3>().0 {
            if [a, b, c].iter().all(finite) {
                indices.extend(if flipped { [a, c, b] } else { [a, b, c] });
            }
        }
        let lost = geometry.indices.len().saturating_sub(indices.len()) / 3;
        self.losses
            .add_all(Loss::NotFinite, ("几何", "", draw.geometry), lost);
        if indices.is_empty() {
            return;
        }
        let finite = |row: &[f32; 2]| row.iter().all(|v| v.is_finite());
        let mut primitive = Primitive {
            indices,
            colors: geometry
                .colors
                .iter()
                .map(|c| colour::linear_rgba(Format::Osgb, *c))
                .collect(),
            ..Primitive::default()
        };
        // The lowest unit is the base; the others would be blended with it.
        let mut shown = draw
            .state
            .shown()
            .filter(|(unit, _)| !geometry.uvs[*unit].is_empty());
        let texture = shown.next();
        self.layers += shown.count();
        if let Some((unit, _)) = texture {
            let top_left = |uv: &[f32; 2]| match finite(uv) {
                true => [uv[0], 1.0 - uv[1]],
                false => [0.0; 2],
            };
            primitive
                .uvs
                .push(geometry.uvs[unit].iter().map(top_left).collect());
        }
        let normals = crate::scene::math::normal_matrix(&draw.matrix);
        let turned = |n: &[f32; 3]| {
            let n = crate::scene::math::direction(&normals, *n);
            let unit = crate::scene::math::normalize(n).unwrap_or([0.0, 0.0, 1.0]);
            (self.from.turn)(unit.map(|v| v as f32))
        };
        primitive.normals = geometry.normals.iter().map(turned).collect();
        primitive.positions = positions;
        let lit = !primitive.normals.is_empty();
        crate::lighten::drop_unused_vertices(&mut primitive);
        let material = self.material(&draw.state, texture.map(|(_, at)| at), lit);
        primitive.material = Some(material);
        self.primitives.push(primitive);
    }

    fn material(&mut self, state: &State, texture: Option<usize>, lit: bool) -> u32 {
        let own = state.material.map(|m| m.value);
        let blend = state.blend.is_some_and(|b| b.value);
        let cutoff = state.alpha_cutoff();
        let bits = cutoff.map(f32::to_bits);
        let key = (texture, own, blend, bits, state.one_sided(), lit);
        if let Some(&known) = self.materials.get(&key) {
            return known;
        }
        let texture = texture.and_then(|t| self.texture(t));
        let own = own.and_then(|m| self.from.model.materials.get(m));
        let color = own.map_or([1.0; 4], |own| linear(own.diffuse, 1.0));
        let name = format!("material-{}", self.scene.materials.len() + 1);
        // Photographs already contain the lighting; their material is what the exporter left at its default.
        let photograph = texture.is_some() && !lit;
        let mut material = Material::plain(
            name,
            match texture {
                Some(_) if photograph || is_grey(color) => [1.0, 1.0, 1.0, color[3]],
                _ => color,
            },
        );
        let [r, g, b, _] = own.map_or([0.0; 4], |own| linear(own.emission, 0.0));
        if texture.is_none() {
            material.emissive = [r, g, b];
        } else if lit && is_partial([r, g, b]) {
            self.losses
                .add(Loss::Emission, ("材质", &material.name, 0), "");
        }
        material.base_color_texture = texture.map(|texture| TextureRef {
            texture,
            ..TextureRef::default()
        });
        material.double_sided = !state.one_sided();
        match cutoff {
            Some(cutoff) if cutoff.is_finite() => {
                material.alpha_mode = AlphaMode::Mask;
                material.alpha_cutoff = cutoff.clamp(0.0, 1.0);
            }
            _ if blend => material.alpha_mode = AlphaMode::Blend,
            _ => material.base_color[3] = 1.0,
        }
        if photograph {
            material
                .extensions
                .insert("KHR_materials_unlit".into(), serde_json::json!({}));
        }
        self.scene.materials.push(material);
        let index = self.scene.materials.len() as u32 - 1;
        self.materials.insert(key, index);
        index
    }

    fn texture(&mut self, at: usize) -> Option<u32> {
        if let Some(known) = self.textures.get(&at) {
            return *known;
        }
        let model = self.from.model;
        let texture = model.textures.get(at)?;
        let image = texture.picture.and_then(|p| self.image(p));
        let index = image.map(|image| self.scene.add_texture(image, sampler(texture)));
        self.textures.insert(at, index);
        index
    }

    fn image(&mut self, at: usize) -> Option<Image> {
        let found = &self.from.model.pictures[at];
        let name = found.name.rsplit(['/', '\\']).next().unwrap_or("");
        let limits = self.from.limits;
        let place = || format!("贴图 {name}");
        let outside;
        let bytes: &[u8] = match &found.content {
            Content::File(bytes) => bytes,
            Content::Pixels(raw) => {
                let made = pixels::picture(raw, limits);
                let made = made.and_then(|p| picture::encode(name, &p).ok());
                if made.is_none() {
                    self.scene.note(Problem::new(
                        "bad-texture",
                        Severity::Warning,
                        place(),
                        format!("贴图 {name} 已损坏或格式不支持"),
                        "请以 JPEG 贴图重新导出",
                    ));
                }
                return made;
            }
            Content::Outside => {
                let side = self.from.side;
                let Some(bytes) = side.find(&found.name) else {
                    let problem = maps::missing(side, &found.name, place(), name);
                    self.scene.note(problem);
                    return None;
                };
                outside = bytes;
                &outside
            }
        };
        match Image::from_encoded(name, bytes, limits) {
            Ok(image) => Some(image),
            Err(error) => {
                let problem = maps::unreadable(place(), name, bytes, &error);
                self.scene.note(problem);
                None
            }
        }
    }
}

/// A colour of a material, with this in place of what is no number.
fn linear(color: [f32; 4], other: f32) -> [f32; 4] {
    let sound = color.map(|v| match v.is_finite() {
        true => v.clamp(0.0, 1.0),
        false => other,
    });
    colour::linear_rgba(Format::Osgb, sound)
}

fn is_grey([r, g, b, _]: [f32; 4]) -> bool {
    r.max(g).max(b) - r.min(g).min(b) < 0.02
}

/// Exporters that show textures without lighting set a white emission.
fn is_partial(emission: [f32; 3]) -> bool {
    let most = emission.into_iter().fold(0.0, f32::max);
    let least = emission.into_iter().fold(1.0, f32::min);
    most > 0.01 && least < 0.98
}

fn sampler(texture: &Texture) -> Sampler {
    // Clamping to a border becomes clamping to the edge.
    let wrap = |gl: u32| match gl {
        0x2901 => REPEAT,
        0x8370 => MIRROR,
        _ => CLAMP,
    };
    let filter = |gl: u32, known: &[u32]| known.contains(&gl).then_some(gl);
    Sampler {
        mag_filter: filter(texture.mag_filter, &[0x2600, 0x2601]),
        min_filter: filter(
            texture.min_filter,
            &[0x2600, 0x2601, 0x2700, 0x2701, 0x2702, 0x2703],
        ),
        wrap_s: wrap(texture.wrap[0]),
        wrap_t: wrap(texture.wrap[1]),
    }
}
