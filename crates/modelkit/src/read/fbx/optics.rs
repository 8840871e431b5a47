//! Cameras as glTF has them: on a node of their own below the one that carries them, since those of FBX look along +X
//! and those of glTF along -Z. Lights are told.

use super::Reading;
use super::lost::Loss;
use crate::scene::{Node, Transform};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Cameras already read, by element.
#[derive(Default)]
pub struct Optics(HashMap<u32, Option<u32>>);

/// Half a right angle's sine and cosine.
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

impl Reading<'_> {
    /// Counts a light of `node` that shines.
    pub fn light(&mut self, light: &ufbx::Light, node: &ufbx::Node) {
        if !light.cast_light || light.intensity <= 0.0 {
            return;
        }
        let kind = match light.type_ {
            ufbx::LightType::Point => "点光",
            ufbx::LightType::Directional => "平行光",
            ufbx::LightType::Spot => "聚光",
            ufbx::LightType::Area => "面光源",
            ufbx::LightType::Volume => "体积光",
        };
        let name = self.name(&node.element);
        let object = ("灯光", &name[..], light.element.typed_id as usize);
        self.losses.add(Loss::Light, object, kind);
    }

    /// A camera of `node`, whose new node is `above`.
    pub fn camera(&mut self, camera: &ufbx::Camera, node: &ufbx::Node, above: u32) {
        let name = self.name(&node.element);
        // Those of the program's own views, which FBX 6 writes into every file.
        if name.starts_with("Producer ") {
            return;
        }
        let id = camera.element.element_id;
        let known = match self.optics.0.get(&id) {
            Some(known) => *known,
            None => {
                let own = self.name(&camera.element);
                let title = if own.is_empty() { &name } else { &own };
                let index = made_camera(camera, title).map(|made| {
                    self.scene.cameras.push(made);
                    self.scene.cameras.len() as u32 - 1
                });
                self.optics.0.insert(id, index);
                index
            }
        };
        if let Some(camera) = known {
            // Importers tell cameras by the names of their nodes.
            let node = Node {
                name: format!("{name} camera"),
                camera: Some(camera),
                transform: turned([0.0, -HALF, 0.0, HALF]),
                ..Node::default()
            };
            self.scene.add_node(node, Some(above));
        }
    }
}

fn turned(rotation: [f32; 4]) -> Transform {
    Transform::Trs {
        translation: [0.0; 3],
        rotation,
        scale: [1.0; 3],
    }
}

/// `None` if its numbers make no view.
fn made_camera(camera: &ufbx::Camera, name: &str) -> Option<Value> {
    let above = |v: f64| (v.is_finite() && v > 0.0).then_some(v as f32);
    let near = above(camera.near_plane);
    let far = above(camera.far_plane);
    let mut out = Map::new();
    out.insert("name".to_owned(), name.into());
    let (kind, data) = match camera.projection_mode {
        ufbx::ProjectionMode::Perspective => {
            let angle = camera.field_of_view_deg.y;
            let angle = above(angle.to_radians()).filter(|_| angle < 180.0)?;
            let near = near.unwrap_or(0.01);
            let mut data = json!({"yfov": angle, "znear": near});
            if let Some(aspect) = above(camera.aspect_ratio) {
                data["aspectRatio"] = aspect.into();
            }
            if let Some(far) = far.filter(|far| *far > near) {
                data["zfar"] = far.into();
            }
            ("perspective", data)
        }
        ufbx::ProjectionMode::Orthographic => {
            let size = camera.orthographic_size;
            let (wide, high) = (above(size.x / 2.0)?, above(size.y / 2.0)?);
            let near = near.unwrap_or(0.0);
            let far = far.filter(|far| *far > near).unwrap_or(near + 1000.0);
            let data = json!({"xmag": wide, "ymag": high, "znear": near, "zfar": far});
            ("orthographic", data)
        }
    };
    out.insert("type".to_owned(), kind.into());
    out.insert(kind.to_owned(), data);
    Some(out.into())
}
