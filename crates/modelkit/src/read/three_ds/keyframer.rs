//! The keyframer: the hierarchy of objects and the transforms of instances.

use super::chunk::Body;
use super::lost::Loss;
use crate::limits::Limits;
use crate::scene::math::{self, IDENTITY, Mat4};
use crate::{Ctx, Result};

/// Nodes of ambient light, objects, cameras, lights and their targets.
const NODES: std::ops::RangeInclusive<u16> = 0xb001..=0xb007;
const OBJECT_NODE: u16 = 0xb002;
const NAME: u16 = 0xb010;
const INSTANCE_NAME: u16 = 0xb011;
const PIVOT: u16 = 0xb013;
const POSITIONS: u16 = 0xb020;
const ROTATIONS: u16 = 0xb021;
const SCALES: u16 = 0xb022;
/// Fields of view, rolls, colours, morphs, spots and falloffs.
const OTHERS: std::ops::RangeInclusive<u16> = 0xb023..=0xb028;
/// Times at which an object appears and vanishes.
const HIDING: u16 = 0xb029;
const NUMBER: u16 = 0xb030;
const NO_PARENT: u16 = 0xffff;

/// A keyframer node; without an object of that name it is a group.
pub struct Node {
    pub object: String,
    pub instance: String,
    pub number: u16,
    pub parent: Option<u16>,
    pub pivot: [f32; 3],
    /// Local transform at the first key.
    pub local: Mat4,
}

/// Reads all object nodes, and tells what moves.
pub fn read(mut body: Body, nodes: &mut Vec<Node>, ctx: &Ctx) -> Result<()> {
    while let Some(chunk) = body.next_chunk() {
        if chunk.id == OBJECT_NODE {
            Limits::check("节点", nodes.len(), ctx.limits.nodes)?;
            let number = nodes.len() as u16;
            nodes.push(node(chunk.body, number));
        } else if NODES.contains(&chunk.id) {
            // Lights and cameras stand where their objects say; only what moves is lost.
            node(chunk.body, 0);
        } else {
            body.pass(chunk.id);
        }
    }
    Ok(())
}

fn node(mut body: Body, place: u16) -> Node {
    let mut node = Node {
        object: String::new(),
        instance: String::new(),
        number: place,
        parent: None,
        pivot: [0.0; 3],
        local: IDENTITY,
    };
    let (mut at, mut turn, mut size) = ([0.0; 3], [0.0, 0.0, 0.0, 1.0], [1.0f32; 3]);
    while let Some(mut chunk) = body.next_chunk() {
        let body = &mut chunk.body;
        match chunk.id {
            NAME => {
                node.object = body.name();
                body.skip(4);
                let parent = body.u16().filter(|parent| *parent != NO_PARENT);
                node.parent = parent;
                body.inside("物体", &node.object, usize::from(place));
            }
            INSTANCE_NAME => node.instance = body.name(),
            NUMBER => node.number = body.u16().unwrap_or(node.number),
            PIVOT => node.pivot = body.floats().unwrap_or_default(),
            POSITIONS => at = first_key(body).unwrap_or(at),
            SCALES => size = first_key(body).unwrap_or(size),
            ROTATIONS => {
                if let Some([angle, x, y, z]) = first_key::<4>(body) {
                    turn = rotation(angle, [x, y, z]);
                }
            }
            HIDING => {
                if keys(body).is_some_and(|keys| keys > 0) {
                    body.lose(Loss::Motion, "");
                }
            }
            id if OTHERS.contains(&id) => {
                if keys(body).is_some_and(|keys| keys > 1) {
                    body.lose(Loss::Motion, "");
                }
            }
            id => body.pass(id),
        }
    }
    node.local = math::compose(at.map(f64::from), turn, size.map(f64::from));
    node
}

/// The number of keys of a track.
fn keys(body: &mut Body) -> Option<u32> {
    body.skip(10)?;
    body.u32()
}

/// The first key's values; tells if there are more keys.
fn first_key<const N: usize>(body: &mut Body) -> Option<[f32; N]> {
    if keys(body)? > 1 {
        body.lose(Loss::Motion, "");
    }
    body.skip(4)?;
    // Each bit announces a spline parameter before the values.
    let flags = body.u16()?;
    body.skip(4 * (flags & 0x1f).count_ones() as usize)?;
    let values = body.floats::<N>()?;
    values.iter().all(|v| v.is_finite()).then_some(values)
}

/// 3D Studio rotates clockwise about the axis.
fn rotation(angle: f32, axis: [f32; 3]) -> [f64; 4] {
    let Some(axis) = math::normalize(axis.map(f64::from)) else {
        return [0.0, 0.0, 0.0, 1.0];
    };
    let (sin, cos) = (-f64::from(angle) / 2.0).sin_cos();
    [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
}
