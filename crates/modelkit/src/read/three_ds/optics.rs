//! Cameras of 3DS files, as glTF has them.

use super::chunk::Body;
use crate::scene::math::{self, Mat4};
use crate::scene::{Node, Scene, Transform};
use serde_json::json;

const RANGES: u16 = 0x4720;

/// A camera as in the file: world space, Z up.
pub struct Camera {
    pub name: String,
    at: [f32; 3],
    target: [f32; 3],
    /// Degrees.
    bank: f32,
    /// Millimetres.
    lens: f32,
    /// Nearest and farthest.
    ranges: [f32; 2],
}

impl Camera {
    pub fn read(mut body: Body) -> Camera {
        let at = body.floats().unwrap_or_default();
        let target = body.floats().unwrap_or_default();
        let [bank, lens] = body.floats().unwrap_or([0.0, 48.0]);
        let mut camera = Camera {
            name: String::new(),
            at,
            target,
            bank,
            lens,
            ranges: [0.0; 2],
        };
        while let Some(mut chunk) = body.next_chunk() {
            match chunk.id {
                RANGES => camera.ranges = chunk.body.floats().unwrap_or_default(),
                id => body.pass(id),
            }
        }
        camera
    }
}

/// Z up to Y up.
fn upright([x, y, z]: [f32; 3]) -> [f64; 3] {
    [f64::from(x), f64::from(z), -f64::from(y)]
}

/// At a place, looking at another with a turn about the line of sight in radians; the place in metres.
fn aimed(at: [f32; 3], target: [f32; 3], roll: f64, metres: f64) -> Transform {
    let at = upright(at);
    let back = math::normalize(math::sub(at, upright(target))).unwrap_or([0.0, 0.0, 1.0]);
    let side = math::cross([0.0, 1.0, 0.0], back);
    // Straight up or down any side will do.
    let side = math::normalize(side).unwrap_or([1.0, 0.0, 0.0]);
    let up = math::cross(back, side);
    let (sin, cos) = roll.sin_cos();
    let turned =
        |a: [f64; 3], b: [f64; 3], cos: f64, sin: f64| [0, 1, 2].map(|k| a[k] * cos + b[k] * sin);
    let (x, y) = (turned(side, up, cos, sin), turned(up, side, cos, -sin));
    let place = at.map(|v| v * metres);
    let matrix: Mat4 = [
        x[0], x[1], x[2], 0.0, y[0], y[1], y[2], 0.0, back[0], back[1], back[2], 0.0, place[0],
        place[1], place[2], 1.0,
    ];
    Transform::parts(&matrix)
}

fn finite(numbers: &[f32]) -> bool {
    numbers.iter().all(|v| v.is_finite())
}

pub fn add(scene: &mut Scene, cameras: &[Camera], metres: f64) {
    for camera in cameras {
        add_camera(scene, camera, metres);
    }
}

fn add_camera(scene: &mut Scene, camera: &Camera, metres: f64) {
    let numbers = [camera.bank, camera.lens, camera.ranges[0], camera.ranges[1]];
    let known = finite(&camera.at) && finite(&camera.target) && finite(&numbers);
    if !known || camera.lens <= 0.0 {
        return;
    }
    // The lens stands for the width of a picture of 4 by 3.
    let wide = (2400.0 / camera.lens).clamp(1.0, 170.0).to_radians();
    let high = 2.0 * ((wide / 2.0).tan() * 0.75).atan();
    let scaled = camera.ranges.map(|v| v * metres as f32);
    let near = if scaled[0] > 0.0 { scaled[0] } else { 0.01 };
    let mut view = json!({"yfov": high, "znear": near});
    if scaled[1] > near {
        view["zfar"] = scaled[1].into();
    }
    let made = json!({"name": camera.name, "type": "perspective", "perspective": view});
    scene.cameras.push(made);
    let roll = f64::from(camera.bank).to_radians();
    let node = Node {
        name: camera.name.clone(),
        camera: Some(scene.cameras.len() as u32 - 1),
        transform: aimed(camera.at, camera.target, roll, metres),
        ..Node::default()
    };
    scene.add_node(node, None);
}
