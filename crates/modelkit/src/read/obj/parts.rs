//! Splits the faces of a file by part (object or group) and material; polygons are triangulated on the way.

use super::super::encoding::Encoding;
use super::super::polygon::Cutter;
use super::Pools;
use super::corners::{Corners, NONE};
use super::parse::{Change, Chunk, Loose, Mark};
use crate::limits::Limits;
use crate::{Ctx, Result};
use std::collections::HashMap;

/// The faces of one part that share a material.
#[derive(Default)]
pub struct Draft {
    pub part: String,
    /// Name after `usemtl`; empty for none.
    pub material: String,
    /// Three corners per triangle, all in range.
    pub corners: Corners,
    /// Smoothing group per triangle; empty if the file never uses smoothing.
    pub smoothing: Vec<u32>,
    /// Position indices, two per segment.
    pub segments: Vec<u32>,
    pub points: Vec<u32>,
    /// Faces left out: an index out of range, or a non-finite position.
    pub out_of_range: usize,
    pub not_finite: usize,
    /// Faces with corners that refer to texture coordinates or normals that are not there.
    pub bare: usize,
}

/// The reader's current state.
#[derive(Default)]
struct State {
    object: String,
    group: String,
    material: String,
    smoothing: u32,
}

impl State {
    fn part(&self) -> String {
        match (self.object.as_str(), self.group.as_str()) {
            (object, "" | "default") => object.to_owned(),
            ("", group) => group.to_owned(),
            (object, group) if object == group => object.to_owned(),
            (object, group) => format!("{object}/{group}"),
        }
    }

    fn apply(&mut self, change: Change, encoding: Encoding) {
        match change {
            Change::Object(name) => {
                self.object = encoding.name(&name);
                self.group.clear();
            }
            Change::Group(name) => self.group = encoding.name(&name),
            Change::Material(name) => self.material = encoding.name(&name),
            Change::Smoothing(group) => self.smoothing = group,
            Change::Library(_) => {}
        }
    }
}

struct Splitter<'a> {
    pools: &'a Pools,
    drafts: Vec<Draft>,
    by_key: HashMap<(String, String), usize>,
    cutter: Cutter,
    outline: Vec<[f32; 3]>,
    smooths: bool,
}

/// Splits all chunks, freeing each as soon as it is processed. Without any face, line or point the positions become a
/// point cloud. Parts may be empty: they have counted what was dropped of them. The number is that of polygons that could
/// not be cut exactly.
pub fn split(
    chunks: Vec<Chunk>,
    pools: &Pools,
    encoding: Encoding,
    ctx: &Ctx,
) -> Result<(Vec<Draft>, usize)> {
    let corners: usize = chunks.iter().map(|chunk| chunk.corners.len()).sum();
    Limits::check("面的角", corners, ctx.limits.indices / 3)?;
    let is_on = |change: &Change| matches!(change, Change::Smoothing(group) if *group > 0);
    let smooths = chunks
        .iter()
        .any(|c| c.changes.iter().any(|(_, change)| is_on(change)));
    let mut splitter = Splitter {
        pools,
        drafts: Vec::new(),
        by_key: HashMap::new(),
        cutter: Cutter::default(),
        outline: Vec::new(),
        smooths,
    };
    let mut state = State::default();
    for mut chunk in chunks {
        let mut done = Mark::default();
        for (mark, change) in std::mem::take(&mut chunk.changes) {
            splitter.take(&chunk, done, mark, &state);
            done = mark;
            state.apply(change, encoding);
        }
        splitter.take(&chunk, done, chunk.mark(), &state);
        Limits::check("部件", splitter.drafts.len(), ctx.limits.nodes)?;
    }
    let given_up = splitter.cutter.given_up;
    let mut drafts = splitter.drafts;
    let nothing = drafts
        .iter()
        .all(|d| d.corners.is_empty() && d.segments.is_empty() && d.points.is_empty());
    if nothing
        && drafts
            .iter()
            .all(|d| d.out_of_range == 0 && d.not_finite == 0)
        && !pools.positions.is_empty()
    {
        drafts = vec![cloud(pools)];
    }
    Ok((drafts, given_up))
}

fn cloud(pools: &Pools) -> Draft {
    let finite = |i: &u32| pools.positions[*i as usize].iter().all(|c| c.is_finite());
    let points: Vec<u32> = (0..pools.positions.len() as u32).filter(finite).collect();
    let not_finite = pools.positions.len() - points.len();
    Draft {
        points,
        not_finite,
        ..Draft::default()
    }
}

impl Splitter<'_> {
    fn draft(&mut self, state: &State) -> usize {
        let key = (state.part(), state.material.clone());
        if let Some(&index) = self.by_key.get(&key) {
            return index;
        }
        let index = self.drafts.len();
        self.drafts.push(Draft {
            part: key.0.clone(),
            material: key.1.clone(),
            ..Draft::default()
        });
        self.by_key.insert(key, index);
        index
    }

    /// Takes the faces between two places of a chunk.
    fn take(&mut self, chunk: &Chunk, from: Mark, to: Mark, state: &State) {
        if from == to {
            return;
        }
        let index = self.draft(state);
        let Self {
            pools,
            drafts,
            cutter,
            outline,
            smooths,
            ..
        } = self;
        let draft = &mut drafts[index];
        let mut start = match from.faces {
            0 => 0,
            faces => chunk.ends[faces - 1] as usize,
        };
        for &end in &chunk.ends[from.faces..to.faces] {
            let face = start..end as usize;
            start = end as usize;
            add_face(
                draft,
                (&chunk.corners, face),
                pools,
                cutter,
                outline,
                smooths.then_some(state.smoothing),
            );
        }
        for ends in &chunk.segments[from.segments..to.segments] {
            match (in_range(ends[0], pools), in_range(ends[1], pools)) {
                (Some(a), Some(b)) => draft.segments.extend([a, b]),
                _ => draft.out_of_range += 1,
            }
        }
        for point in &chunk.points[from.points..to.points] {
            match in_range(*point, pools) {
                Some(point) => draft.points.push(point),
                None => draft.out_of_range += 1,
            }
        }
    }
}

fn in_range(loose: Loose, pools: &Pools) -> Option<u32> {
    let index = usize::try_from(loose.index).ok()?;
    let position = pools.positions.get(index)?;
    position
        .iter()
        .all(|c| c.is_finite())
        .then_some(index as u32)
}

fn add_face(
    draft: &mut Draft,
    (corners, face): (&Corners, std::ops::Range<usize>),
    pools: &Pools,
    cutter: &mut Cutter,
    outline: &mut Vec<[f32; 3]>,
    smoothing: Option<u32>,
) {
    outline.clear();
    for &index in &corners.positions()[face.clone()] {
        let Some(&position) = pools.positions.get(index as usize) else {
            draft.out_of_range += 1;
            return;
        };
        if !position.iter().all(|c| c.is_finite()) {
            draft.not_finite += 1;
            return;
        }
        outline.push(position);
    }
    let (uvs, normals) = (pools.uvs.len() as u32, pools.normals.len() as u32);
    let mut bare = false;
    let mut within = |index: u32, count: u32| {
        if index < count {
            return index;
        }
        bare |= index != NONE;
        NONE
    };
    let mut checked = |local: usize| {
        let [position, uv, normal] = corners.get(face.start + local);
        [position, within(uv, uvs), within(normal, normals)]
    };
    let before = draft.corners.len();
    cutter.cut(outline, |triangle| {
        for local in triangle {
            draft.corners.push(checked(local));
        }
    });
    draft.bare += usize::from(bare);
    if let Some(group) = smoothing {
        let triangles = (draft.corners.len() - before) / 3;
        draft
            .smoothing
            .extend(std::iter::repeat_n(group, triangles));
    }
}
