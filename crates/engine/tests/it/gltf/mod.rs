//! What glTF allows beyond the usual file: each part is read, kept, or its loss is told.

mod beyond;
mod extensions;
mod lenient;
mod nothing;
mod shared;
mod specular;

use crate::models::{glb, json_of, read_bytes, write_bytes};
use modelkit::scene::Problem;
use modelkit::{Error, Scene};
use serde_json::{Value, json};

/// A document under construction: a triangle of the material `木头` under the node `屋`.
struct Doc {
    json: Value,
    bin: Vec<u8>,
}

impl Doc {
    fn new() -> Doc {
        let mut doc = Doc {
            json: json!({
                "asset": {"version": "2.0"},
                "scene": 0,
                "scenes": [{"nodes": [0]}],
                "nodes": [{"name": "屋", "mesh": 0}],
                "materials": [{"name": "木头"}],
                "accessors": [], "bufferViews": [], "buffers": [], "images": [], "textures": [],
            }),
            bin: Vec::new(),
        };
        let corners = doc.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0], "VEC3");
        let uvs = doc.floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], "VEC2");
        doc.json["meshes"] = json!([{"name": "墙", "primitives": [
            {"attributes": {"POSITION": corners, "TEXCOORD_0": uvs}, "material": 0},
        ]}]);
        doc
    }

    fn push(&mut self, list: &str, item: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let items = self.json[list].as_array_mut().unwrap();
        items.push(item);
        items.len() - 1
    }

    fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let view = json!({"buffer": 0, "byteOffset": self.bin.len(), "byteLength": bytes.len()});
        self.bin.extend(bytes);
        self.push("bufferViews", view)
    }

    fn accessor(&mut self, bytes: &[u8], component: u32, count: usize, kind: &str) -> usize {
        let view = self.view(bytes);
        let accessor = json!({
            "bufferView": view, "componentType": component, "count": count, "type": kind,
        });
        self.push("accessors", accessor)
    }

    fn floats(&mut self, values: &[f32], kind: &str) -> usize {
        let width = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(&bytes, 5126, values.len() / width, kind)
    }

    /// A texture of an encoded image.
    fn texture(&mut self, bytes: &[u8]) -> usize {
        let source = self.image(bytes);
        self.push("textures", json!({"source": source}))
    }

    fn image(&mut self, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.push(
            "images",
            json!({"bufferView": view, "mimeType": "image/png"}),
        )
    }

    fn uses(&mut self, extension: &str) {
        self.push("extensionsUsed", extension.into());
    }

    fn bytes(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        glb(&json.to_string(), &self.bin)
    }

    fn read(&self) -> Result<Scene, Error> {
        read_bytes(&self.bytes(), "a.glb")
    }

    fn scene(&self) -> Scene {
        self.read().unwrap()
    }

    /// The JSON of the GLB that the model is converted to.
    fn converted(&self) -> Value {
        json_of(&write_bytes(&self.scene(), "a.glb", false))
    }
}

/// The only finding with this code; checks that it has advice.
fn finding(scene: &Scene, code: &str) -> Problem {
    let mut found = scene.problems.iter().filter(|p| p.code == code);
    let problem = found.next();
    let problem = problem.unwrap_or_else(|| panic!("no {code} in {:?}", scene.problems));
    assert!(found.next().is_none(), "{:?}", scene.problems);
    assert!(problem.advice.chars().count() > 5, "{problem:?}");
    problem.clone()
}

fn png(pixels: image::DynamicImage) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    pixels.write_to(&mut out, image::ImageFormat::Png).unwrap();
    out.into_inner()
}
