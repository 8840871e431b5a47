//! Splits a model into cells, and determines which vertices cells share.

use crate::progress::{Ctx, Stage};
use crate::scene::{self, Baked, Custom, Mode, Primitive, Scene, picked as picked_rows};
use crate::{Error, Result};
use std::collections::HashMap;

/// A triangle of the model: primitive and first index.
#[derive(Clone, Copy)]
pub struct Triangle {
    pub primitive: u32,
    pub first: u32,
}

/// The model's triangles in world space, relative to `center`.
pub struct Soup {
    /// Y up; one per drawn primitive.
    pub primitives: Vec<Primitive>,
    pub center: [f64; 3],
    /// Positions are whole multiples of this.
    pub step: f64,
    /// Number of points and lines, which tiles cannot hold.
    pub left_out: usize,
}

/// Cells of a model as a tree; leaves are numbered from left to right.
pub enum Cell {
    Leaf {
        number: u32,
        triangles: Vec<Triangle>,
    },
    Inner {
        /// First leaf, and one past the last.
        leaves: (u32, u32),
        children: Vec<Cell>,
    },
}

impl Soup {
    /// Bakes all nodes. Positions are rounded to a grid of a millionth of the extent, so that they compress well and
    /// neighbours stay bit-identical.
    pub fn of(scene: &Scene, ctx: &Ctx) -> Result<Soup> {
        let bounds = scene.bounds();
        let center = bounds.center();
        let extent = bounds.size().into_iter().fold(0.0, f64::max).max(1e-9);
        let step = 2f64.powi((extent / 1_048_576.0).log2().ceil() as i32);
        let mut soup = Soup {
            primitives: Vec::new(),
            center,
            step,
            left_out: 0,
        };
        let (mut indices, mut vertices) = (0usize, 0usize);
        scene::bake(scene, &mut |part: Baked| {
            if part.primitive.mode != Mode::Triangles {
                soup.left_out += 1;
                return Ok(());
            }
            // Instances of a mesh are expanded: their total is limited too.
            indices += part.primitive.indices.len();
            vertices += part.positions.len();
            if indices > ctx.limits.indices || vertices > ctx.limits.vertices {
                return Err(Error::TooLarge(
                    "模型展开重复部件后的三角形数量超出上限，请拆分模型后重试".into(),
                ));
            }
            ctx.report(Stage::Read, 0.5, "正在展开模型")?;
            soup.primitives.push(baked(part, center, step));
            Ok(())
        })?;
        Ok(soup)
    }

    fn centroid(&self, t: Triangle) -> [f32; 3] {
        let p = &self.primitives[t.primitive as usize];
        let corner = |k: usize| p.positions[p.indices[t.first as usize + k] as usize];
        let (a, b, c) = (corner(0), corner(1), corner(2));
        std::array::from_fn(|k| (a[k] + b[k] + c[k]) / 3.0)
    }

    /// Splits into cells of at most `most` triangles.
    pub fn cells(&self, most: usize) -> Option<Cell> {
        let mut all: Vec<(Triangle, [f32; 3])> = Vec::new();
        for (number, p) in self.primitives.iter().enumerate() {
            for first in (0..p.indices.len() / 3).map(|i| i * 3) {
                let triangle = Triangle {
                    primitive: number as u32,
                    first: first as u32,
                };
                let centroid = self.centroid(triangle);
                let corners = &p.indices[first..first + 3];
                let finite = |i: &u32| p.positions[*i as usize].iter().all(|v| v.is_finite());
                if corners.iter().all(finite) {
                    all.push((triangle, centroid));
                }
            }
        }
        let mut leaves = 0;
        (!all.is_empty()).then(|| split(&mut all, most.max(16), &mut leaves))
    }

    /// The triangles of a leaf as new primitives, by material.
    pub fn take(&self, triangles: &[Triangle]) -> Vec<Primitive> {
        let mut lists: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut order = Vec::new();
        for t in triangles {
            let list = lists.entry(t.primitive).or_insert_with(|| {
                order.push(t.primitive);
                Vec::new()
            });
            let p = &self.primitives[t.primitive as usize];
            list.extend(&p.indices[t.first as usize..t.first as usize + 3]);
        }
        let make = |number: &u32| {
            let source = &self.primitives[*number as usize];
            let indices = lists.remove(number).unwrap_or_default();
            picked(source, indices)
        };
        order.iter().map(make).collect()
    }
}

/// A primitive with only the vertices that `indices` use.
fn picked(source: &Primitive, mut indices: Vec<u32>) -> Primitive {
    let mut new: HashMap<u32, u32> = HashMap::new();
    let mut picks = Vec::new();
    for index in &mut indices {
        *index = *new.entry(*index).or_insert_with(|| {
            picks.push(*index);
            picks.len() as u32 - 1
        });
    }
    let custom = |custom: &Custom| {
        let rows = picks.iter().filter_map(|&i| {
            let from = i as usize * custom.width;
            custom.values.get(from..from + custom.width)
        });
        Custom {
            name: custom.name.clone(),
            width: custom.width,
            values: rows.flatten().copied().collect(),
        }
    };
    let uvs = source.uvs.iter().map(|set| picked_rows(set, &picks));
    Primitive {
        positions: picked_rows(&source.positions, &picks),
        normals: picked_rows(&source.normals, &picks),
        uvs: uvs.collect(),
        colors: picked_rows(&source.colors, &picks),
        custom: source.custom.iter().map(custom).collect(),
        material: source.material,
        indices,
        ..Primitive::default()
    }
}

fn baked(part: Baked, center: [f64; 3], step: f64) -> Primitive {
    let snap = |v: f64, axis: usize| (((v - center[axis]) / step).round() * step) as f32;
    let positions = part.positions.iter().map(|p| {
        let place = part.place(*p);
        std::array::from_fn(|k| snap(place[k], k))
    });
    let mut indices = part.primitive.indices.clone();
    indices.truncate(indices.len() / 3 * 3);
    if part.mirrored {
        indices.chunks_exact_mut(3).for_each(|t| t.swap(1, 2));
    }
    Primitive {
        positions: positions.collect(),
        normals: part.normals,
        uvs: part.primitive.uvs.clone(),
        colors: part.primitive.colors.clone(),
        custom: part.primitive.custom.clone(),
        material: part.primitive.material,
        indices,
        ..Primitive::default()
    }
}

/// Halves the list along its longer side until it fits, two halvings per level.
fn split(list: &mut [(Triangle, [f32; 3])], most: usize, leaves: &mut u32) -> Cell {
    if list.len() <= most {
        let number = *leaves;
        *leaves += 1;
        return Cell::Leaf {
            number,
            triangles: list.iter().map(|t| t.0).collect(),
        };
    }
    let first = *leaves;
    let mut children = Vec::new();
    let (left, right) = halve(list);
    for half in [left, right] {
        if half.len() <= most {
            children.push(split(half, most, leaves));
            continue;
        }
        let (a, b) = halve(half);
        children.push(split(a, most, leaves));
        children.push(split(b, most, leaves));
    }
    Cell::Inner {
        leaves: (first, *leaves),
        children,
    }
}

type Half<'a> = &'a mut [(Triangle, [f32; 3])];

fn halve(list: Half) -> (Half, Half) {
    let (mut min, mut max) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for (_, c) in list.iter() {
        for k in 0..3 {
            min[k] = min[k].min(c[k]);
            max[k] = max[k].max(c[k]);
        }
    }
    let longer = |a: &usize, b: &usize| (max[*a] - min[*a]).total_cmp(&(max[*b] - min[*b]));
    let axis = (0..3).max_by(longer).unwrap_or(0);
    let middle = list.len() / 2;
    list.select_nth_unstable_by(middle, |a, b| a.1[axis].total_cmp(&b.1[axis]));
    list.split_at_mut(middle)
}

/// Positions that more than one leaf uses, with the first and last such leaf.
#[derive(Default)]
pub struct Shared(HashMap<[u32; 3], (u32, u32)>);

impl Shared {
    pub fn of(soup: &Soup, cell: &Cell) -> Shared {
        let mut shared = Shared::default();
        shared.add(soup, cell);
        shared.0.retain(|_, (first, last)| first != last);
        shared.0.shrink_to_fit();
        shared
    }

    fn add(&mut self, soup: &Soup, cell: &Cell) {
        match cell {
            Cell::Inner { children, .. } => children.iter().for_each(|c| self.add(soup, c)),
            Cell::Leaf { number, triangles } => {
                for t in triangles {
                    let p = &soup.primitives[t.primitive as usize];
                    for &i in &p.indices[t.first as usize..t.first as usize + 3] {
                        let range = self.0.entry(key(p.positions[i as usize]));
                        let range = range.or_insert((*number, *number));
                        range.0 = range.0.min(*number);
                        range.1 = range.1.max(*number);
                    }
                }
            }
        }
    }

    /// Whether a leaf outside of `leaves` uses the position.
    pub fn reaches_out(&self, position: [f32; 3], leaves: (u32, u32)) -> bool {
        let range = self.0.get(&key(position));
        range.is_some_and(|&(first, last)| first < leaves.0 || last >= leaves.1)
    }
}

/// Bits of a position; positive and negative zero are equal.
fn key(position: [f32; 3]) -> [u32; 3] {
    position.map(|v| (v + 0.0).to_bits())
}
