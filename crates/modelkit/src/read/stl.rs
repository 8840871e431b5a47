//! STL reader, binary and ASCII.
//!
//! STL has no units: the header's `UNITS=` is used, else millimetres are assumed, as in 3D printing. Corners at exactly
//! the same position are welded, and normals are computed from the geometry (those in the file are flat, and often
//! zero), with creases kept. Colours in the attribute word are read in the two ways that are in use.

mod ascii;
mod binary;
mod colours;

use super::normals::{self, Faces};
use super::weld::Welder;
use super::{Input, lost, obj, origin, painted, units};
use crate::limits::Limits;
use crate::progress::Stage;
use crate::scene::{AlphaMode, MADE_UP, Material, Node, Problem, Severity};
use crate::{Ctx, Result, Scene};

/// One `solid` of a file: welded triangles.
#[derive(Default)]
struct Solid {
    name: String,
    positions: Vec<[f32; 3]>,
    indices: Vec<u32>,
    /// Linear colours of the triangles; empty without colours.
    colors: Vec<[f32; 4]>,
}

pub fn read(input: &Input, ctx: &Ctx) -> Result<Scene> {
    let bytes = input.bytes;
    let mut scene = Scene {
        name: obj::stem(input.name),
        ..Scene::default()
    };
    let head = &bytes[..bytes.len().min(512)];
    let metres = units::apply(&mut scene, head, units::Assumed::Millimetres);
    let (mut base, (mut solids, not_finite, problems)) = match binary::is_binary(bytes) {
        true => ([0.0; 3], binary::read(bytes, ctx)?),
        false => {
            let base = ascii::base(bytes);
            (base, ascii::read(bytes, base, ctx)?)
        }
    };
    if base == [0.0; 3] {
        base = take_off(&mut solids);
    }
    let lifted = origin::is_worth(base, metres);
    let at = base;
    scene.problems.extend(problems);
    if not_finite > 0 {
        scene.note(nan_problem(not_finite));
    }
    if solids.is_empty() {
        let what = "STL 文件里没有可显示的三角形";
        let advice = "请确认导出时选中了模型";
        return Err(lost::nothing(what, &scene.problems, advice));
    }
    let colors = || solids.iter().flat_map(|solid| &solid.colors);
    let base = match colors().next() {
        Some(_) => [1.0; 4],
        None => colours::DEFAULT,
    };
    scene.materials.push(Material {
        roughness: 0.6,
        alpha_mode: match colors().any(|color| color[3] < 1.0) {
            true => AlphaMode::Blend,
            false => AlphaMode::Opaque,
        },
        ..Material::plain(MADE_UP, base)
    });
    ctx.report(Stage::Read, 0.7, "正在计算法线")?;
    for mut solid in solids {
        if !lifted {
            origin::back(&mut solid.positions, at);
        }
        add_solid(&mut scene, solid, metres);
    }
    if lifted {
        origin::lift(&mut scene, at.map(|v| v * metres));
    }
    Ok(scene)
}

/// Takes an origin off positions of single precision, which are right as they are, so that later steps lose nothing.
fn take_off(solids: &mut [Solid]) -> [f64; 3] {
    let first = solids.first().and_then(|solid| solid.positions.first());
    let base = origin::base_of(first.map_or([0.0; 3], |p| p.map(f64::from)));
    for solid in solids {
        origin::back(&mut solid.positions, base.map(|v| -v));
    }
    base
}

fn add_solid(scene: &mut Scene, solid: Solid, metres: f64) {
    let name = if solid.name.is_empty() {
        scene.name.clone()
    } else {
        solid.name.clone()
    };
    let mut primitive = normals::creased_primitive(&Faces {
        positions: &solid.positions,
        corners: &solid.indices,
        groups: &[],
        bits: false,
    });
    if !solid.colors.is_empty() {
        painted::paint(&mut primitive, &solid.colors);
    }
    drop(solid);
    units::scale(&mut primitive.positions, metres);
    primitive.material = Some(0);
    let mesh = scene.add_mesh(name.clone(), vec![primitive]);
    scene.add_node(
        Node {
            name,
            mesh: Some(mesh),
            ..Node::default()
        },
        None,
    );
}

/// Triangles were left out because of a non-finite position.
pub(super) fn nan_problem(count: usize) -> Problem {
    Problem::new(
        "nan-positions",
        Severity::Error,
        "",
        format!("有 {count} 个面或点的坐标不是有效数字，已去除"),
        "在建模软件中检查并修复后重新导出",
    )
}

/// Collects triangles of one solid.
struct Collector {
    welder: Welder,
    indices: Vec<u32>,
    not_finite: usize,
}

impl Collector {
    fn new(triangles: usize) -> Self {
        Self {
            welder: Welder::new(triangles / 2 + 8),
            indices: Vec::with_capacity(triangles.saturating_mul(3)),
            not_finite: 0,
        }
    }

    /// Returns whether the triangle is kept: its corners are numbers.
    fn add(&mut self, triangle: [[f32; 3]; 3]) -> bool {
        if !triangle.iter().flatten().all(|c| c.is_finite()) {
            self.not_finite += 1;
            return false;
        }
        for position in triangle {
            self.indices.push(self.welder.add(position));
        }
        true
    }

    fn finish(self, name: String) -> Solid {
        Solid {
            name,
            positions: self.welder.finish(),
            indices: self.indices,
            colors: Vec::new(),
        }
    }
}

fn check_count(triangles: usize, ctx: &Ctx) -> Result<()> {
    Limits::check("三角形", triangles, ctx.limits.indices / 3)
}
