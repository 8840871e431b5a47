//! The corners of all triangles or line ends of a group.

use super::Counts;
use super::lost::Loss;
use super::source::{Rows, Sources, Wires};
use super::xml::{Xml, child, indices, named};
use crate::read::polygon::Cutter;
use crate::read::uv_binding::MOST_UV_SETS;

/// Marks a missing index.
pub const NONE: u32 = u32::MAX;

/// Indices of a corner's position, normal, colour and UVs: as many as the polygons have, two at least.
pub type Corner<const N: usize> = [u32; N];
pub const FEW: usize = 3 + 2;
pub const MOST: usize = 3 + MOST_UV_SETS;

/// The groups that a mesh may have.
pub const KINDS: [&str; 7] = [
    "triangles",
    "polylist",
    "polygons",
    "tristrips",
    "trifans",
    "lines",
    "linestrips",
];

/// What has been read of a group so far.
struct Group<'a, const N: usize> {
    positions: Option<&'a Rows>,
    out: Vec<Corner<N>>,
    cutter: Cutter,
    points: Vec<[f32; 3]>,
    /// Polygons and lines with a corner that has no position; they are left out.
    outside: usize,
    holes: usize,
}

/// Corners of a group; what has one without position is left out.
pub fn read<const N: usize>(
    xml: Xml<'_>,
    wires: &Wires,
    sources: &Sources,
    name: &str,
    counts: &mut Counts,
) -> Vec<Corner<N>> {
    let mut group = Group {
        positions: sources.get(wires.position.0),
        out: Vec::new(),
        cutter: Cutter::default(),
        points: Vec::new(),
        outside: 0,
        holes: 0,
    };
    let rows = |list: Xml| -> Vec<Corner<N>> { rows(indices(list), wires) };
    let lists = || named(xml, "p");
    let mut is_ragged = false;
    match xml.tag_name().name() {
        "polylist" => {
            let all = self::rows(lists().flat_map(indices), wires);
            let sizes = child(xml, "vcount").into_iter().flat_map(indices);
            is_ragged = group.polylist(&all, sizes);
        }
        "polygons" => {
            for list in lists() {
                group.polygon(&rows(list));
            }
            for holed in named(xml, "ph") {
                let outer = child(holed, "p").map(rows).unwrap_or_default();
                let holes: Vec<Vec<Corner<N>>> = named(holed, "h").map(rows).collect();
                group.holed(outer, &holes);
            }
        }
        "tristrips" => lists().for_each(|list| group.strip(&rows(list))),
        "trifans" => {
            for list in lists() {
                let rows = rows(list);
                for pair in rows.get(1..).unwrap_or(&[]).windows(2) {
                    group.polygon(&[rows[0], pair[0], pair[1]]);
                }
            }
        }
        "lines" => {
            let all = self::rows(lists().flat_map(indices), wires);
            let (pairs, rest) = all.as_chunks::<2>();
            pairs.iter().for_each(|pair| group.line(*pair));
            is_ragged = !rest.is_empty();
        }
        "linestrips" => {
            for list in lists() {
                let rows = rows(list);
                rows.windows(2)
                    .for_each(|pair| group.line([pair[0], pair[1]]));
            }
        }
        _ => {
            let all = self::rows(lists().flat_map(indices), wires);
            let (triangles, rest) = all.as_chunks::<3>();
            triangles.iter().for_each(|t| group.polygon(t));
            is_ragged = !rest.is_empty();
        }
    }
    let place = ("网格", name, 0);
    counts.losses.add_all(Loss::Outside, place, group.outside);
    if is_ragged {
        let kind = xml.tag_name().name();
        counts.losses.add(Loss::Ragged, place, kind);
    }
    counts.given_up += group.cutter.given_up;
    counts.holes += group.holes;
    group.out
}

fn rows<const N: usize>(indices: impl Iterator<Item = u32>, wires: &Wires) -> Vec<Corner<N>> {
    let flat: Vec<u32> = indices.collect();
    let rows = flat.chunks_exact(wires.stride);
    rows.map(|row| corner(row, wires)).collect()
}

fn corner<const N: usize>(row: &[u32], wires: &Wires) -> Corner<N> {
    let at = |offset: usize| row.get(offset).copied().unwrap_or(NONE);
    let mut corner = [NONE; N];
    corner[0] = at(wires.position.1);
    corner[1] = wires.normal.map_or(NONE, |(_, offset)| at(offset));
    corner[2] = wires.color.map_or(NONE, |(_, offset)| at(offset));
    for (to, (_, offset)) in corner[3..].iter_mut().zip(&wires.uvs) {
        *to = at(*offset);
    }
    corner
}

impl<const N: usize> Group<'_, N> {
    fn point(&self, corner: &Corner<N>) -> Option<[f32; 3]> {
        self.positions?.get::<3>(corner[0] as usize, 0.0)
    }

    /// Fills `points`; false, and counted, if some corner has no position.
    fn locate(&mut self, corners: impl Iterator<Item = Corner<N>>) -> bool {
        self.points.clear();
        for corner in corners {
            let Some(point) = self.point(&corner) else {
                self.outside += 1;
                return false;
            };
            self.points.push(point);
        }
        true
    }

    fn polygon(&mut self, polygon: &[Corner<N>]) {
        if self.locate(polygon.iter().copied()) {
            let out = &mut self.out;
            self.cutter
                .cut(&self.points, |t| out.extend(t.map(|k| polygon[k])));
        }
    }

    /// A polygon with holes, which are filled if it cannot be cut.
    fn holed(&mut self, mut corners: Vec<Corner<N>>, holes: &[Vec<Corner<N>>]) {
        let outer = corners.len();
        let mut ends = vec![outer];
        for hole in holes.iter().filter(|hole| hole.len() > 2) {
            corners.extend(hole);
            ends.push(corners.len());
        }
        if ends.len() == 1 {
            return self.polygon(&corners);
        }
        if !self.locate(corners.iter().copied()) {
            return;
        }
        let out = &mut self.out;
        let cut = self.cutter.cut_around(&self.points, &ends, |t| {
            out.extend(t.map(|k| corners[k]));
        });
        if !cut {
            self.holes += ends.len() - 1;
            self.polygon(&corners[..outer]);
        }
    }

    /// The winding alternates.
    fn strip(&mut self, rows: &[Corner<N>]) {
        for (i, t) in rows.windows(3).enumerate() {
            match i % 2 {
                0 => self.polygon(&[t[0], t[1], t[2]]),
                _ => self.polygon(&[t[1], t[0], t[2]]),
            }
        }
    }

    /// Returns whether numbers of corners and corners disagree.
    fn polylist(&mut self, rows: &[Corner<N>], sizes: impl Iterator<Item = u32>) -> bool {
        let mut rest = rows;
        for size in sizes {
            let Some((polygon, more)) = rest.split_at_checked(size as usize) else {
                return true;
            };
            self.polygon(polygon);
            rest = more;
        }
        !rest.is_empty()
    }

    fn line(&mut self, pair: [Corner<N>; 2]) {
        match pair.iter().all(|c| self.point(c).is_some()) {
            true => self.out.extend(pair),
            false => self.outside += 1,
        }
    }
}
