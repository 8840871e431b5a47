//! Lights and cameras, as glTF has them: on a node of their own below the one that carries them, since FBX lights shine
//! along -Y and its cameras look along +X, those of glTF along -Z.

use super::Reading;
use super::lost::Loss;
use crate::read::{Format, colour};
use crate::scene::{Node, Transform};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// Lights and cameras already read, by element.
#[derive(Default)]
pub struct Optics(HashMap<u32, Option<u32>>);

/// Half a right angle's sine and cosine.
const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

impl Reading<'_> {
    /// A light of `node`, whose new node is `above`.
    pub fn light(&mut self, light: &ufbx::Light, node: &ufbx::Node, above: u32) {
        let id = light.element.element_id;
        let known = match self.optics.0.get(&id) {
            Some(known) => *known,
            None => {
                let made = self.made_light(light, node);
                let index = self.scene.lights.len() as u32;
                let index = made.map(|made| {
                    self.scene.lights.push(made);
                    index
                });
                self.optics.0.insert(id, index);
                index
            }
        };
        if let Some(light) = known {
            let name = self.name(&node.element);
            let node = Node {
                name,
                light: Some(light),
                transform: turned([-HALF, 0.0, 0.0, HALF]),
                ..Node::default()
            };
            self.scene.add_node(node, Some(above));
        }
    }

    /// `None` for a light that is off.
    fn made_light(&mut self, light: &ufbx::Light, node: &ufbx::Node) -> Option<Value> {
        let color = [light.color.x, light.color.y, light.color.z];
        let even = light.intensity.is_finite() && color.iter().all(|c| c.is_finite());
        if !light.cast_light || light.intensity <= 0.0 || !even {
            return None;
        }
        let color = colour::linear(Format::Fbx, color.map(|c| c.clamp(0.0, 1.0) as f32));
        let own = self.name(&light.element);
        let name = match own.is_empty() {
            true => self.name(&node.element),
            false => own,
        };
        let (kind, lost) = match light.type_ {
            ufbx::LightType::Point => ("point", None),
            ufbx::LightType::Directional => ("directional", None),
            ufbx::LightType::Spot => ("spot", None),
            ufbx::LightType::Area => ("point", Some("面光源")),
            ufbx::LightType::Volume => ("point", Some("体积光")),
        };
        let object = ("灯光", &name[..], light.element.typed_id as usize);
        if let Some(lost) = lost {
            self.losses.add(Loss::Light, object, lost);
        }
        let mut out = json!({
            "name": name,
            "type": kind,
            "color": color,
            "intensity": light.intensity as f32,
        });
        if kind == "spot" {
            let half = |angle: f64, most: f64| (angle.to_radians() / 2.0).clamp(0.0, most) as f32;
            let outer = match light.outer_angle > 0.0 {
                true => half(light.outer_angle, std::f64::consts::FRAC_PI_2),
                false => std::f32::consts::FRAC_PI_4,
            };
            // glTF wants the inner one below the outer.
            let inner = half(light.inner_angle, std::f64::consts::FRAC_PI_2).min(outer * 0.999);
            out["spot"] = json!({"innerConeAngle": inner, "outerConeAngle": outer});
        }
        Some(out)
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
            let node = Node {
                name,
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
