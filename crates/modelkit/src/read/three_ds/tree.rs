//! Converts objects and keyframer nodes to a scene in metres, Y up.

use super::Parts;
use super::keyframer;
use super::object::Object;
use crate::Scene;
use crate::read::normals::{self, Faces};
use crate::scene::math::{self, IDENTITY, Mat4};
use crate::scene::{Node, Primitive, Transform};
use std::collections::{HashMap, HashSet};

/// Z up in the file's unit to Y up in metres.
fn upright(metres: f64) -> Mat4 {
    let m = metres;
    [
        m, 0.0, 0.0, 0.0, 0.0, 0.0, -m, 0.0, 0.0, m, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ]
}

/// A mesh for nodes to use.
struct Shape {
    mesh: u32,
    /// Frame that its vertices were transformed into.
    frame: Mat4,
    /// From that frame to the one the keyframer places.
    instanced: Mat4,
}

/// The object's local frame as in the file.
fn whole_frame(object: &Object) -> Option<Mat4> {
    let v = object.frame?.map(f64::from);
    v.iter().all(|v| v.is_finite()).then_some([
        v[0], v[1], v[2], 0.0, v[3], v[4], v[5], 0.0, v[6], v[7], v[8], 0.0, v[9], v[10], v[11],
        1.0,
    ])
}

/// The object's local frame without scale and mirroring, in the file's coordinates.
fn frame(object: &Object) -> Mat4 {
    let Some(v) = whole_frame(object) else {
        return IDENTITY;
    };
    let axis = |k: usize| [v[k], v[k + 1], v[k + 2]];
    let (Some(x), y) = (math::normalize(axis(0)), axis(4)) else {
        return IDENTITY;
    };
    let along = math::dot(x, y);
    let y = [0, 1, 2].map(|k| y[k] - along * x[k]);
    let Some(y) = math::normalize(y) else {
        return IDENTITY;
    };
    // A mirrored frame becomes right-handed: this does not affect the vertices.
    let z = math::cross(x, y);
    [
        x[0], x[1], x[2], 0.0, y[0], y[1], y[2], 0.0, z[0], z[1], z[2], 0.0, v[12], v[13], v[14],
        1.0,
    ]
}

/// `upright · m`, with its scale moved into the vertices.
fn placed(m: &Mat4, metres: f64) -> Mat4 {
    let scaled = math::mul(&upright(metres), m);
    let back = 1.0 / metres;
    math::mul(
        &scaled,
        &math::compose([0.0; 3], [0.0, 0.0, 0.0, 1.0], [back; 3]),
    )
}

pub fn build(scene: &mut Scene, parts: Parts, materials: &HashMap<String, u32>, metres: f64) {
    let mut meshes: HashMap<String, Shape> = HashMap::new();
    let mut order = Vec::new();
    for object in parts.objects {
        let frame = frame(&object);
        let instanced = whole_frame(&object)
            .and_then(|whole| math::inverse_affine(&whole))
            .map_or(IDENTITY, |inverse| math::mul(&inverse, &frame));
        let name = object.name.clone();
        let mesh = scene.add_mesh(&name, primitives(object, &frame, materials, metres));
        order.push((name.clone(), mesh, frame));
        meshes.entry(name).or_insert(Shape {
            mesh,
            frame,
            instanced,
        });
    }
    let mut hung = HashSet::new();
    hang(scene, &parts.nodes, &meshes, metres, &mut hung);
    for (name, mesh, frame) in order {
        if !hung.contains(&mesh) {
            let node = Node {
                name,
                mesh: Some(mesh),
                transform: Transform::parts(&placed(&frame, metres)),
                ..Node::default()
            };
            scene.add_node(node, None);
        }
    }
}

/// Adds the keyframer's nodes, parents before children; nodes with a cyclic or dangling link become roots.
fn hang(
    scene: &mut Scene,
    nodes: &[keyframer::Node],
    meshes: &HashMap<String, Shape>,
    metres: f64,
    hung: &mut HashSet<u32>,
) {
    let place: HashMap<u16, usize> = nodes
        .iter()
        .enumerate()
        .map(|(i, n)| (n.number, i))
        .collect();
    let parent = |i: usize| nodes[i].parent.and_then(|p| place.get(&p).copied());
    // World matrix by the keys and as placed, and the scene's node.
    let mut done: Vec<Option<(Mat4, Mat4, u32)>> = vec![None; nodes.len()];
    for start in 0..nodes.len() {
        let mut chain = vec![start];
        let mut seen = HashSet::from([start]);
        while let Some(up) = chain.last().and_then(|&i| parent(i)) {
            if done[up].is_some() || !seen.insert(up) {
                break;
            }
            chain.push(up);
        }
        for at in chain.into_iter().rev() {
            if done[at].is_some() {
                continue;
            }
            let above = parent(at).and_then(|up| done[up]);
            let keys = above.map_or(IDENTITY, |(keys, ..)| keys);
            let keys = math::mul(&keys, &nodes[at].local);
            let object = meshes.get(&nodes[at].object);
            let first = object.is_some_and(|shape| hung.insert(shape.mesh));
            let world = match object {
                // The vertices are in world space: the object's local frame is exact.
                Some(shape) if first => shape.frame,
                Some(shape) => math::mul(&with_pivot(&keys, nodes[at].pivot), &shape.instanced),
                None => keys,
            };
            let world = placed(&world, metres);
            let local = above.and_then(|(_, up, _)| math::inverse_affine(&up));
            let local = local.map_or(world, |inverse| math::mul(&inverse, &world));
            let node = Node {
                name: name(&nodes[at]),
                mesh: object.map(|shape| shape.mesh),
                transform: Transform::parts(&local),
                ..Node::default()
            };
            let index = scene.add_node(node, above.map(|(.., node)| node));
            done[at] = Some((keys, world, index));
        }
    }
}

fn with_pivot(keys: &Mat4, pivot: [f32; 3]) -> Mat4 {
    let back = pivot.map(|v| -f64::from(v));
    math::mul(keys, &math::compose(back, [0.0, 0.0, 0.0, 1.0], [1.0; 3]))
}

fn name(node: &keyframer::Node) -> String {
    match (node.instance.is_empty(), node.object.as_str()) {
        (false, _) => node.instance.clone(),
        (true, "$$$DUMMY") => String::new(),
        (true, object) => object.to_owned(),
    }
}

/// One primitive per material, vertices in the object's frame in metres.
fn primitives(
    object: Object,
    frame: &Mat4,
    materials: &HashMap<String, u32>,
    metres: f64,
) -> Vec<Primitive> {
    let inverse = math::inverse_affine(frame).unwrap_or(IDENTITY);
    let local = |p: &[f32; 3]| math::point(&inverse, *p).map(|v| (v * metres) as f32);
    let positions: Vec<[f32; 3]> = object.positions.iter().map(local).collect();
    let within = |t: &[u16; 3]| t.iter().all(|&c| usize::from(c) < positions.len());
    let mut of: Vec<Option<u32>> = vec![None; object.triangles.len()];
    for (name, faces) in &object.materials {
        for &face in faces {
            if let Some(slot) = of.get_mut(usize::from(face)) {
                *slot = materials.get(name).copied();
            }
        }
    }
    let mut kept = Vec::new();
    let mut groups = Vec::new();
    let mut corners = Vec::new();
    for (i, triangle) in object
        .triangles
        .iter()
        .enumerate()
        .filter(|(_, t)| within(t))
    {
        kept.push(of[i]);
        groups.extend(object.smoothing.get(i));
        corners.extend(triangle.map(u32::from));
    }
    let made = normals::creased(&Faces {
        positions: &positions,
        corners: &corners,
        groups: &groups,
        bits: true,
    });
    let mut used: Vec<Option<u32>> = kept.clone();
    used.sort_unstable();
    used.dedup();
    used.into_iter()
        .map(|material| {
            let mut primitive = Primitive {
                material,
                ..Primitive::default()
            };
            let mut seen: HashMap<u32, u32> = HashMap::new();
            let mut uvs = Vec::new();
            let chosen = made.corners.as_chunks::<3>().0.iter().zip(&kept);
            for (triangle, _) in chosen.filter(|(_, of)| **of == material) {
                for &slot in triangle {
                    let next = primitive.positions.len() as u32;
                    primitive.indices.push(*seen.entry(slot).or_insert(next));
                    if seen.len() as u32 > next {
                        let at = made.source[slot as usize] as usize;
                        primitive.positions.push(positions[at]);
                        primitive.normals.push(made.normals[slot as usize]);
                        uvs.extend(object.uvs.get(at).map(|[u, v]| [*u, 1.0 - *v]));
                    }
                }
            }
            if !uvs.is_empty() {
                primitive.uvs.push(uvs);
            }
            primitive
        })
        .collect()
}
