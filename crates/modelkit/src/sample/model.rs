//! Builds a sample's scene.

use super::noise::rgb;
use super::shape::{Point, Shape};
use crate::read::colour::srgb_to_linear;
use crate::read::picture;
use crate::scene::{
    Animation, AnimationPath, AnimationSampler, Channel, Interpolation, Material, Node, Sampler,
    TextureRef, Transform,
};
use crate::{Result, Scene};
use image::DynamicImage;

/// The brand colours.
pub const BLUE: u32 = 0x1F5EFF;
pub const TEAL: u32 = 0x0FA3A3;
pub const GOLD: u32 = 0xB8862B;
pub const INK: u32 = 0x1B2130;
pub const GREY: u32 = 0x8C94A3;
pub const PALE: u32 = 0xE4E7ED;

/// Parameters of a sample.
#[derive(Debug, Clone, Copy)]
pub struct Ask {
    /// 1 is suitable for a web page; the number of triangles grows with the square.
    pub detail: f32,
    pub seed: u64,
    /// Geometry only: textures are left blank.
    pub draft: bool,
}

pub struct Model {
    pub scene: Scene,
    draft: bool,
}

/// A node's transform.
#[derive(Clone, Copy)]
pub struct Place {
    pub translation: Point,
    pub rotation: [f32; 4],
    pub scale: Point,
}

impl Place {
    pub fn at(translation: Point) -> Place {
        Place {
            translation,
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
        }
    }

    pub fn turned(self, axis: usize, angle: f32) -> Place {
        Place {
            rotation: turn(axis, angle),
            ..self
        }
    }

    pub fn scaled(self, scale: Point) -> Place {
        Place { scale, ..self }
    }
}

/// Quaternion of a rotation about x (0), y (1) or z (2).
pub fn turn(axis: usize, angle: f32) -> [f32; 4] {
    let (sin, cos) = (angle / 2.0).sin_cos();
    let mut q = [0.0, 0.0, 0.0, cos];
    q[axis] = sin;
    q
}

impl Model {
    pub fn new(name: &str, ask: Ask) -> Model {
        let scene = Scene {
            name: name.to_owned(),
            ..Scene::default()
        };
        Model {
            scene,
            draft: ask.draft,
        }
    }

    /// A material with one colour, given as sRGB.
    pub fn paint(&mut self, name: &str, color: u32, metallic: f32, roughness: f32) -> u32 {
        let [r, g, b] = rgb(color).map(srgb_to_linear);
        self.material(Material {
            metallic,
            roughness,
            ..Material::plain(name, [r, g, b, 1.0])
        })
    }

    pub fn material(&mut self, material: Material) -> u32 {
        self.scene.materials.push(material);
        self.scene.materials.len() as u32 - 1
    }

    pub fn texture(
        &mut self,
        name: &str,
        pixels: impl FnOnce() -> DynamicImage,
    ) -> Result<TextureRef> {
        let pixels = if self.draft {
            DynamicImage::new_rgb8(1, 1)
        } else {
            pixels()
        };
        let image = picture::encode(name, &pixels)?;
        let texture = self.scene.add_texture(image, Sampler::default());
        Ok(TextureRef {
            texture,
            ..TextureRef::default()
        })
    }

    pub fn mesh(&mut self, name: &str, parts: Vec<(Shape, u32)>) -> u32 {
        let primitives = parts
            .into_iter()
            .map(|(shape, material)| shape.finish(material))
            .collect();
        self.scene.add_mesh(name, primitives)
    }

    pub fn node(
        &mut self,
        name: &str,
        mesh: Option<u32>,
        parent: Option<u32>,
        place: Place,
    ) -> u32 {
        let transform = Transform::Trs {
            translation: place.translation.map(f64::from),
            rotation: place.rotation,
            scale: place.scale,
        };
        self.scene.add_node(
            Node {
                name: name.to_owned(),
                mesh,
                transform,
                ..Node::default()
            },
            parent,
        )
    }

    /// A new mesh in a new node.
    pub fn part(
        &mut self,
        name: &str,
        parts: Vec<(Shape, u32)>,
        parent: Option<u32>,
        place: Place,
    ) -> u32 {
        let mesh = self.mesh(name, parts);
        self.node(name, Some(mesh), parent, place)
    }

    /// A clip of rotations: for each node an axis and its angles at the given times.
    pub fn turns(&mut self, name: &str, times: &[f32], tracks: &[(u32, usize, Vec<f32>)]) {
        let mut clip = Animation {
            name: name.to_owned(),
            ..Animation::default()
        };
        for (node, axis, angles) in tracks {
            let sampler = clip.samplers.len() as u32;
            clip.channels.push(Channel {
                node: *node,
                path: AnimationPath::Rotation,
                sampler,
            });
            clip.samplers.push(AnimationSampler {
                interpolation: Interpolation::Linear,
                times: times.to_vec(),
                values: angles
                    .iter()
                    .flat_map(|angle| turn(*axis, *angle))
                    .collect(),
            });
        }
        self.scene.animations.push(clip);
    }
}

/// Times and angles of a uniform rotation: `rounds` in `seconds`. A key every sixth of a round, because quaternions
/// interpolate the shorter way.
pub fn steady(seconds: f32, keys: usize, rounds: f32, start: f32) -> (Vec<f32>, Vec<f32>) {
    let at = |i: usize| i as f32 / keys as f32;
    let times = (0..=keys).map(|i| at(i) * seconds).collect();
    let angles = (0..=keys)
        .map(|i| start + at(i) * rounds * std::f32::consts::TAU)
        .collect();
    (times, angles)
}
