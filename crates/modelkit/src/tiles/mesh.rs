//! One large model as levels of detail.
//! The model is split into cells of whole triangles. A tile above cells is their union, simplified; vertices shared
//! with triangles outside stay exactly where they are, on every level. Whatever levels a viewer shows side by side,
//! both sides of a cut have the same edges between the same points, so there are no cracks. Cuts inside a tile are
//! free.

use super::atlas::{self, Decoded};
use super::geo::{Georeference, moved};
use super::split::{Cell, Shared, Soup};
use super::tileset::{self, Tile};
use super::{Options, Place, Report, Written};
use crate::progress::{Ctx, Stage, Unheard};
use crate::scene::{Node, Primitive, Problem, Scene, Severity};
use crate::{Error, Result, lighten};
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A viewer refines when a tile's error is this many pixels.
const VISIBLE: f64 = 2.0;
/// Minimum side of textures of coarse tiles.
const LEAST_SIDE: u32 = 256;

struct Work<'w> {
    scene: &'w Scene,
    soup: &'w Soup,
    shared: Shared,
    out: &'w Path,
    options: &'w Options,
    ctx: &'w Ctx<'w>,
    quiet: Ctx<'w>,
    written: Written,
    names: AtomicUsize,
    triangles: AtomicU64,
    done: AtomicUsize,
    cells: usize,
    /// Longest side of any texture.
    side: u32,
    decoded: Decoded,
}

/// A finished cell.
struct Done {
    tile: Tile,
    primitives: Vec<Primitive>,
    /// Largest error of the mesh in metres.
    error: f64,
    /// Levels below.
    level: u32,
}

pub fn build(scene: Scene, out: &Path, options: &Options, ctx: &Ctx) -> Result<Report> {
    let mut problems = scene.problems.clone();
    problems.extend(dropped(&scene));
    ctx.report(Stage::Read, 0.0, "正在展开模型")?;
    let soup = Soup::of(&scene, &ctx.part(0.0, 0.1))?;
    if soup.left_out > 0 {
        problems.push(Problem::new(
            "lines-dropped",
            Severity::Warning,
            "",
            format!("{} 组线段或点未写入分块模型", soup.left_out),
            "如需要线段，请使用格式转换",
        ));
    }
    let Some(cell) = soup.cells(options.tile_triangles) else {
        return Err(Error::EmptyModel(
            "模型里没有三角形，无法生成三维瓦片".into(),
        ));
    };
    ctx.report(Stage::Simplify, 0.15, "正在划分空间")?;
    let folder = out.join("tiles");
    std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, &e))?;
    let unheard = Unheard(ctx.progress);
    let work = Work {
        shared: Shared::of(&soup, &cell),
        scene: &scene,
        soup: &soup,
        out,
        options,
        ctx,
        quiet: Ctx {
            limits: ctx.limits.clone(),
            progress: &unheard,
            span: ctx.span,
        },
        written: Written::default(),
        names: AtomicUsize::new(0),
        triangles: AtomicU64::new(0),
        done: AtomicUsize::new(0),
        cells: count(&cell),
        side: scene
            .images
            .iter()
            .map(|i| i.width.max(i.height))
            .max()
            .unwrap_or(0),
        decoded: Decoded::default(),
    };
    ctx.info(&format!("共 {} 个瓦片", work.cells));
    let mut root = work.cell(&cell)?.tile;
    let place = work.place(&mut root)?;
    let bytes = tileset::write(&root, &out.join("tileset.json"))?;
    work.written.add(bytes, false);
    let counts = work.written.counts();
    ctx.report(Stage::Write, 1.0, "完成")?;
    Ok(Report {
        kind: "mesh",
        input_files: 1,
        input_bytes: 0,
        tiles: counts.contents,
        depth: root.count().1,
        output_files: counts.files,
        output_bytes: counts.bytes,
        triangles: work.triangles.load(Ordering::Relaxed),
        georeference: place,
        problems,
    })
}

/// What tiles of one mesh do not have.
fn dropped(scene: &Scene) -> Vec<Problem> {
    let mut problems = Vec::new();
    if !scene.animations.is_empty() {
        problems.push(Problem::new(
            "animations-dropped",
            Severity::Warning,
            "",
            "分块模型不含动画，动画未保留",
            "如需要动画，请使用轻量化或格式转换",
        ));
    }
    let primitives = || scene.meshes.iter().flat_map(|m| &m.primitives);
    let named = scene.nodes.iter().any(|n| !n.name.is_empty());
    let nodes = scene.nodes.iter().map(|n| &n.extras);
    let extras = nodes.chain(scene.meshes.iter().map(|m| &m.extras));
    let extras = extras.chain(primitives().map(|p| &p.extras));
    let lost = [
        (named && scene.nodes.len() > 1, "节点名称和层级"),
        (
            extras.chain([&scene.extras]).any(Option::is_some),
            "附加数据（extras）",
        ),
        (!scene.cameras.is_empty(), "相机"),
        (!scene.lights.is_empty(), "灯光"),
        (primitives().any(|p| !p.variants.is_empty()), "材质变体"),
    ];
    let lost = lost.iter().filter_map(|(has, what)| has.then_some(*what));
    let lost: Vec<&str> = lost.collect();
    if !lost.is_empty() {
        problems.push(Problem::new(
            "not-kept",
            Severity::Info,
            "",
            format!("分块模型不能保存：{}", lost.join("、")),
            "需要这些内容时，请使用轻量化或格式转换",
        ));
    }
    problems
}

fn count(cell: &Cell) -> usize {
    match cell {
        Cell::Leaf { .. } => 1,
        Cell::Inner { children, .. } => 1 + children.iter().map(count).sum::<usize>(),
    }
}

impl Work<'_> {
    fn cell(&self, cell: &Cell) -> Result<Done> {
        let done = match cell {
            Cell::Leaf { triangles, .. } => {
                self.triangles
                    .fetch_add(triangles.len() as u64, Ordering::Relaxed);
                // Positions are rounded to the grid of all tiles.
                let error = self.soup.step * 3f64.sqrt() / 2.0;
                Done {
                    tile: Tile {
                        error,
                        ..Tile::default()
                    },
                    primitives: self.soup.take(triangles),
                    error,
                    level: 0,
                }
            }
            Cell::Inner { leaves, children } => {
                let done: Result<Vec<Done>> = children.par_iter().map(|c| self.cell(c)).collect();
                self.union(done?, *leaves)?
            }
        };
        let done = self.write(done)?;
        let finished = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        let fraction = finished as f64 / self.cells as f64;
        self.ctx
            .report(Stage::Simplify, 0.2 + 0.78 * fraction, "正在生成三维瓦片")?;
        Ok(done)
    }

    /// Merges cells, simplified to the size of one of them.
    fn union(&self, parts: Vec<Done>, leaves: (u32, u32)) -> Result<Done> {
        let level = parts.iter().map(|p| p.level).max().unwrap_or(0) + 1;
        let below = parts.iter().map(|p| p.error).fold(0.0, f64::max);
        let mut tile = Tile::default();
        let mut primitives: Vec<Primitive> = Vec::new();
        for part in parts {
            tile.adopt(vec![part.tile]);
            for p in part.primitives {
                join(&mut primitives, p);
            }
        }
        let mut scene = self.dressed(primitives);
        lighten::weld(&mut scene);
        let wanted = (scene.triangle_count() / 4).max(self.options.tile_triangles / 2);
        let diagonal = scene.bounds().diagonal();
        let locked = |p: [f32; 3]| self.shared.reaches_out(p, leaves);
        let reached = lighten::simplify_keeping(&mut scene, wanted, &locked, &self.quiet)?;
        let error = below + reached.error * diagonal;
        tile.error = tile
            .error
            .max(error * tileset::PIXELS / VISIBLE)
            .max(diagonal * 1e-4 * f64::from(level));
        let mesh = scene.meshes.pop();
        Ok(Done {
            tile,
            primitives: mesh.map_or(Vec::new(), |m| m.primitives),
            error,
            level,
        })
    }

    /// A scene with the model's materials and one mesh.
    fn dressed(&self, primitives: Vec<Primitive>) -> Scene {
        let from = self.scene;
        let mut scene = Scene {
            materials: from.materials.clone(),
            textures: from.textures.clone(),
            images: from.images.clone(),
            ..Scene::default()
        };
        let mesh = scene.add_mesh("", primitives);
        let node = Node {
            mesh: Some(mesh),
            ..Node::default()
        };
        scene.add_node(node, None);
        scene
    }

    fn write(&self, mut done: Done) -> Result<Done> {
        for p in &done.primitives {
            for &[x, y, z] in &p.positions {
                done.tile.bounds.add([x, -z, y].map(f64::from));
            }
        }
        if done.primitives.is_empty() {
            return Ok(done);
        }
        let number = self.names.fetch_add(1, Ordering::Relaxed);
        let uri = format!("tiles/{}-{number}.glb", done.level);
        let mut scene = self.dressed(done.primitives.clone());
        lighten::prune(&mut scene);
        let own = (self.side >> done.level).max(LEAST_SIDE);
        let most = own.min(self.options.texture_max.unwrap_or(u32::MAX));
        atlas::cut(&mut scene, most, &self.decoded, self.options, &self.quiet)?;
        lighten::limit_textures(&mut scene, most, &self.quiet)?;
        lighten::order(&mut scene);
        let path = self.out.join(&uri);
        let step = Some(self.soup.step as f32);
        self.written
            .glb(&mut scene, &path, self.options, step, &self.quiet)?;
        done.tile.uri = Some(uri);
        Ok(done)
    }

    /// Places the root on Earth, or in the model's own coordinates.
    fn place(&self, root: &mut Tile) -> Result<Option<Place>> {
        let [x, y, z] = self.soup.center;
        let center = [x, -z, y];
        let Some(geo) = self.options.georeference.as_ref().filter(|g| g.is_placed()) else {
            root.transform = Some(moved(center));
            return Ok(None);
        };
        let (matrix, place) = on_earth(geo, center)?;
        root.transform = Some(matrix);
        Ok(Some(place))
    }
}

fn on_earth(geo: &Georeference, center: [f64; 3]) -> Result<(crate::scene::math::Mat4, Place)> {
    let at = geo.ecef(center)?;
    let [longitude, latitude, height] = super::geo::geodetic(at);
    let place = Place {
        srs: geo.name.clone(),
        longitude: longitude.to_degrees(),
        latitude: latitude.to_degrees(),
        height,
    };
    Ok((super::geo::east_north_up(at), place))
}

/// Appends to the primitive with the same material and attributes, or as a new one.
fn join(list: &mut Vec<Primitive>, p: Primitive) {
    let alike = |o: &&mut Primitive| {
        o.material == p.material
            && o.normals.is_empty() == p.normals.is_empty()
            && o.uvs.len() == p.uvs.len()
            && o.colors.is_empty() == p.colors.is_empty()
            && o.custom.len() == p.custom.len()
            && o.custom
                .iter()
                .zip(&p.custom)
                .all(|(o, p)| o.name == p.name && o.width == p.width)
    };
    let Some(to) = list.iter_mut().find(alike) else {
        list.push(p);
        return;
    };
    let base = to.positions.len() as u32;
    to.positions.extend(p.positions);
    to.normals.extend(p.normals);
    to.colors.extend(p.colors);
    for (to, from) in to.uvs.iter_mut().zip(p.uvs) {
        to.extend(from);
    }
    for (to, from) in to.custom.iter_mut().zip(p.custom) {
        to.values.extend(from.values);
    }
    to.indices.extend(p.indices.iter().map(|i| i + base));
}
