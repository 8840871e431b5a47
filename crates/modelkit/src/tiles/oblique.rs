//! Oblique photography: every OSGB file becomes tiles, every folder a tileset of its own, with coarse levels above
//! them.

mod levels;
mod work;

use super::geo::Georeference;
use super::source::{Readers, Source, folder_of, stem_of};
use super::{Options, Report, Written, metadata, tileset};
use crate::Result;
use crate::progress::{Ctx, Stage, Unheard};
use crate::scene::{Problem, Scene, Severity};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// A tile folder's coarsest file.
pub struct Root {
    place: usize,
    /// Grid position, from the name.
    at: [i64; 2],
}

/// The coarsest files: in each folder the one with the folder's name. In folders without one, unless below a folder
/// with one: those whose name has no level, or the lowest level.
pub fn roots(source: &Source) -> Vec<Root> {
    let path = |i: &usize| source.files[*i].0.as_str();
    let mut folders: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for i in osgb_files(source) {
        folders.entry(folder_of(path(&i))).or_default().push(i);
    }
    let named = |i: &usize| folder_of(path(i)).rsplit('/').next() == Some(stem_of(path(i)));
    let mut list: Vec<usize> = folders.values().flatten().copied().filter(named).collect();
    let known: HashSet<&str> = list.iter().map(|i| folder_of(path(i))).collect();
    for (folder, files) in &folders {
        let mut above = Some(*folder);
        let mut under_known = false;
        while let Some(at) = above {
            under_known |= known.contains(at);
            above = at.rsplit_once('/').map(|(outer, _)| outer);
        }
        if !under_known {
            let of = |i: &usize| level(stem_of(path(i)));
            let lowest = files.iter().map(of).min();
            list.extend(files.iter().filter(|i| Some(of(i)) == lowest));
        }
    }
    list.sort_by(|a, b| path(a).cmp(path(b)));
    let side = (list.len() as f64).sqrt().ceil().max(1.0) as i64;
    let mut out: Vec<Root> = list
        .iter()
        .enumerate()
        .map(|(i, &place)| Root {
            place,
            at: grid(stem_of(path(&place))).unwrap_or([i as i64 % side, i as i64 / side]),
        })
        .collect();
    for axis in 0..2 {
        let least = out.iter().map(|r| r.at[axis]).min().unwrap_or(0);
        out.iter_mut().for_each(|r| r.at[axis] -= least);
    }
    out
}

/// `…_L17_…`: the level in a name; 0 if there is none.
fn level(stem: &str) -> u32 {
    let of = |part: &str| part.strip_prefix(['L', 'l'])?.parse::<u32>().ok();
    stem.split('_')
        .find_map(of)
        .map_or(0, |level| level.saturating_add(1))
}

/// The two numbers at the end of a name such as `Tile_+012_-003` or `Tile_p012_m003`.
pub fn grid(stem: &str) -> Option<[i64; 2]> {
    let mut parts = stem.rsplit('_');
    let mut next = || {
        let part = parts
            .next()?
            .replace(['p', 'P'], "+")
            .replace(['m', 'M', 'n', 'N'], "-");
        part.parse::<i64>().ok().filter(|v| v.abs() < 1 << 20)
    };
    let (y, x) = (next()?, next()?);
    Some([x, y])
}

/// State shared by all threads.
struct Work<'s> {
    source: &'s Source,
    readers: &'s Readers<'s>,
    georeference: &'s Georeference,
    /// `None`: write nothing.
    out: Option<&'s Path>,
    options: &'s Options,
    ctx: &'s Ctx<'s>,
    /// Context of single steps: passes on cancellation only.
    quiet: Ctx<'s>,
    written: Written,
    seen: Mutex<HashSet<usize>>,
    noted: Mutex<Noted>,
    triangles: AtomicU64,
    /// Levels of the deepest folder's tileset.
    depth: AtomicUsize,
    done: AtomicU64,
    total: u64,
}

#[derive(Default)]
struct Noted {
    missing: Names,
    damaged: Names,
    repeated: Names,
    unread: Names,
    /// Why the first of them is not read.
    why: Option<String>,
    /// Other findings by code; the first of each represents all.
    others: BTreeMap<&'static str, Problem>,
}

#[derive(Default)]
struct Names {
    count: usize,
    first: Vec<String>,
}

impl Names {
    fn add(&mut self, name: &str) {
        self.count += 1;
        if self.first.len() < 5 {
            self.first.push(name.chars().take(80).collect());
        }
    }

    fn text(&self) -> String {
        let more = if self.count > self.first.len() {
            " 等"
        } else {
            ""
        };
        format!("{}{more}", self.first.join("、"))
    }
}

impl Noted {
    fn problems(self) -> Vec<Problem> {
        let mut list: Vec<Problem> = self.others.into_values().collect();
        let mut add = |code, names: &Names, what: &str, advice: &str| {
            if names.count > 0 {
                let message = format!("{} 个{what}：{}", names.count, names.text());
                list.push(Problem::new(code, Severity::Warning, "", message, advice));
            }
        };
        add(
            "missing-tiles",
            &self.missing,
            "更精细的文件缺失，已用上一级代替",
            "如需要完整的细节，请检查成果目录是否完整后重新打包",
        );
        add(
            "damaged-tiles",
            &self.damaged,
            "文件已损坏，已跳过",
            "请重新导出或重新打包这些文件",
        );
        add(
            "unread-tiles",
            &self.unread,
            "文件无法读取，已跳过",
            &self.why.unwrap_or_default(),
        );
        add(
            "repeated-tiles",
            &self.repeated,
            "文件被重复引用，只用了一次",
            "请重新导出成果",
        );
        list
    }
}

/// A delivery being processed.
pub struct Delivery<'s> {
    source: &'s Source,
    readers: Readers<'s>,
    georeference: Georeference,
    problems: Vec<Problem>,
}

impl<'s> Delivery<'s> {
    fn open(source: &'s Source, roots: &[Root], ctx: &Ctx) -> Delivery<'s> {
        let readers = Readers::default();
        let (georeference, problems) = metadata::georeference(source, &readers);
        let files = osgb_files(source).count();
        ctx.info(&format!("共 {} 个瓦块、{files} 个 OSGB 文件", roots.len()));
        Delivery {
            source,
            readers,
            georeference,
            problems,
        }
    }
}

fn osgb_files(source: &Source) -> impl Iterator<Item = usize> {
    (0..source.files.len()).filter(|&i| source.files[i].0.to_lowercase().ends_with(".osgb"))
}

/// The part common to a whole tileset and an overview.
fn work<'s>(
    delivery: &'s Delivery<'s>,
    georeference: &'s Georeference,
    roots: &[Root],
    options: &'s Options,
    ctx: &'s Ctx<'s>,
    unheard: &'s Unheard<'s>,
) -> Work<'s> {
    let source = delivery.source;
    ctx.info(&match georeference.is_placed() {
        true => format!("坐标系：{}", georeference.name),
        false => "没有可用的坐标系，使用本地坐标".to_owned(),
    });
    Work {
        source,
        readers: &delivery.readers,
        georeference,
        out: None,
        options,
        ctx,
        quiet: Ctx {
            limits: ctx.limits.clone(),
            progress: unheard,
            span: ctx.span,
        },
        written: Written::default(),
        seen: Mutex::new(roots.iter().map(|r| r.place).collect()),
        noted: Mutex::new(Noted::default()),
        triangles: AtomicU64::new(0),
        depth: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        total: osgb_files(source)
            .map(|i| source.files[i].1)
            .sum::<u64>()
            .max(1),
    }
}

pub fn build(
    source: &Source,
    roots: &[Root],
    out: &Path,
    options: &Options,
    ctx: &Ctx,
) -> Result<Report> {
    let mut delivery = Delivery::open(source, roots, ctx);
    let mut problems = match options.georeference {
        Some(_) => Vec::new(),
        None => std::mem::take(&mut delivery.problems),
    };
    let georeference = options
        .georeference
        .as_ref()
        .unwrap_or(&delivery.georeference);
    let unheard = Unheard(ctx.progress);
    let mut work = work(&delivery, georeference, roots, options, ctx, &unheard);
    work.out = Some(out);
    let site = work.site(roots)?;
    let bytes = tileset::write(&site.tile, &out.join("tileset.json"))?;
    work.written.add(bytes, false);
    let counts = work.written.counts();
    problems.extend(work.noted.into_inner().unwrap_or_default().problems());
    ctx.report(Stage::Write, 1.0, "完成")?;
    Ok(Report {
        kind: "oblique",
        input_files: source.files.len(),
        input_bytes: source.files.iter().map(|f| f.1).sum(),
        tiles: counts.contents,
        depth: site.tile.count().1 - 1 + work.depth.load(Ordering::Relaxed),
        output_files: counts.files,
        output_bytes: counts.bytes,
        triangles: work.triangles.load(Ordering::Relaxed),
        georeference: site.place,
        problems,
    })
}

/// The whole delivery at its coarsest as one scene: only the first file of each tile folder is read.
pub fn overview(source: &Source, roots: &[Root], ctx: &Ctx) -> Result<Scene> {
    let mut delivery = Delivery::open(source, roots, ctx);
    let mut problems = std::mem::take(&mut delivery.problems);
    let (options, unheard) = (Options::default(), Unheard(ctx.progress));
    let mut work = work(
        &delivery,
        &delivery.georeference,
        roots,
        &options,
        ctx,
        &unheard,
    );
    work.total = roots
        .iter()
        .map(|r| source.files[r.place].1)
        .sum::<u64>()
        .max(1);
    let site = work.site(roots)?;
    let mut scene = match &site.shown {
        Some(proxy) => proxy.scene()?,
        None => return Err(crate::Error::EmptyModel("倾斜摄影成果里没有三角形".into())),
    };
    problems.extend(work.noted.into_inner().unwrap_or_default().problems());
    problems.push(Problem::new(
        "overview-only",
        Severity::Info,
        "",
        format!("倾斜摄影共 {} 个瓦块，体检和预览使用最粗一级", roots.len()),
        "完整细节请提交三维瓦片服务后查看",
    ));
    scene.problems = problems;
    scene.format = "osgb".into();
    scene.model_num = roots.len() as u32;
    scene.units.up_axis = "Z".into();
    Ok(scene)
}
