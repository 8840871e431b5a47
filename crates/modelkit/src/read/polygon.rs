//! Triangulates polygons: convex ones as a fan, concave ones by ear clipping, large ones by a constrained Delaunay
//! triangulation.

use crate::scene::{Problem, Severity};
use spade::handles::FixedVertexHandle;
use spade::{
    ConstrainedDelaunayTriangulation, HasPosition, LineIntersectionIterator, Point2, Triangulation,
};
use std::collections::HashMap;
use std::ops::Range;

/// Corners up to which ears are clipped, which is quadratic.
const EAR_LIMIT: usize = 128;
/// Edges of the triangulation that the outline of a polygon may cross, per corner: more than any real one does, and
/// what a hostile one may cost.
const CROSSINGS: usize = 64;
/// Corners up to which a polygon is cut: a hostile one of more takes minutes.
const MOST_CORNERS: usize = 1 << 18;
/// Share of the area by which a triangulation may differ from its polygon.
const AREA_ERROR: f64 = 1e-6;

/// Cuts polygons, with reusable buffers, so that a file of a million polygons allocates once.
#[derive(Default)]
pub struct Cutter {
    flat: Vec<[f64; 2]>,
    ring: Vec<usize>,
    /// Polygons that cross themselves or have too many corners; they become fans, which do not keep their shape.
    pub given_up: usize,
}

impl Cutter {
    /// Calls `out` with the corner numbers (0..n) of each of the triangles. Winding is preserved. Fewer than three
    /// points give nothing.
    pub fn cut(&mut self, points: &[[f32; 3]], mut out: impl FnMut([usize; 3])) {
        let n = points.len();
        if n < 3 {
            return;
        }
        if n == 3 {
            return out([0, 1, 2]);
        }
        if self.flatten(points, n) && !self.is_convex() {
            if n <= EAR_LIMIT {
                return self.clip(out);
            }
            if let Some(triangles) = delaunay(&self.flat, &[n]) {
                return triangles.into_iter().for_each(out);
            }
            self.given_up += 1;
        }
        for i in 1..n - 1 {
            out([0, i, i + 1]);
        }
    }

    /// The same for a polygon with holes: `points` has its corners and then those of each hole, and `ends` says where
    /// each of these rings ends. False if it cannot be cut, then `out` was not called.
    pub fn cut_around(
        &mut self,
        points: &[[f32; 3]],
        ends: &[usize],
        out: impl FnMut([usize; 3]),
    ) -> bool {
        let outer = ends.first().copied().unwrap_or(0);
        if outer < 3 || outer > points.len() || !self.flatten(points, outer) {
            return false;
        }
        let triangles = delaunay(&self.flat, ends);
        let known = triangles.is_some();
        triangles.into_iter().flatten().for_each(out);
        known
    }

    /// Projects along the Newell normal of the first `outer` points so that they are counter-clockwise; false if they
    /// have no area.
    fn flatten(&mut self, points: &[[f32; 3]], outer: usize) -> bool {
        let mut normal = [0.0f64; 3];
        // Relative to the first point, or the products of far coordinates hide the area.
        let origin = points.first().map_or([0.0; 3], |p| p.map(f64::from));
        let near = |p: [f32; 3]| [0, 1, 2].map(|k| f64::from(p[k]) - origin[k]);
        for (i, a) in points.iter().take(outer).enumerate() {
            let b = points[(i + 1) % outer];
            let (a, b) = (near(*a), near(b));
            normal[0] += (a[1] - b[1]) * (a[2] + b[2]);
            normal[1] += (a[2] - b[2]) * (a[0] + b[0]);
            normal[2] += (a[0] - b[0]) * (a[1] + b[1]);
        }
        let size = normal.map(f64::abs);
        // The axis to drop, and the other two in an order that keeps the polygon counter-clockwise if the normal points
        // along the axis.
        let (axis, u, v) = if size[0] >= size[1] && size[0] >= size[2] {
            (0, 1, 2)
        } else if size[1] >= size[2] {
            (1, 2, 0)
        } else {
            (2, 0, 1)
        };
        if size[axis] == 0.0 || !size[axis].is_finite() {
            return false;
        }
        let sign = normal[axis].signum();
        self.flat.clear();
        self.flat.extend(points.iter().map(|p| {
            let p = near(*p);
            [p[u] * sign, p[v]]
        }));
        true
    }

    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        cross(self.flat[a], self.flat[b], self.flat[c])
    }

    fn is_convex(&self) -> bool {
        let n = self.flat.len();
        (0..n).all(|i| self.turn((i + n - 1) % n, i, (i + 1) % n) >= 0.0)
    }

    fn clip(&mut self, mut out: impl FnMut([usize; 3])) {
        let mut ring = std::mem::take(&mut self.ring);
        ring.clear();
        ring.extend(0..self.flat.len());
        let mut at = 0;
        let mut misses = 0;
        while ring.len() > 3 {
            let n = ring.len();
            at %= n;
            let (a, b, c) = (ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]);
            // A self-intersecting ring may have no ear left: then any corner is cut, so that the number of triangles is
            // still right.
            if misses < n && !self.is_ear(&ring, a, b, c) {
                at += 1;
                misses += 1;
                continue;
            }
            out([a, b, c]);
            ring.remove(at);
            // Stepping back by one gives better-shaped triangles than going on.
            at = if at == 0 { ring.len() - 1 } else { at - 1 };
            misses = 0;
        }
        out([ring[0], ring[1], ring[2]]);
        self.ring = ring;
    }

    fn is_ear(&self, ring: &[usize], a: usize, b: usize, c: usize) -> bool {
        if self.turn(a, b, c) <= 0.0 {
            return false;
        }
        !ring.iter().any(|&p| {
            p != a
                && p != b
                && p != c
                && self.flat[p] != self.flat[a]
                && self.flat[p] != self.flat[b]
                && self.flat[p] != self.flat[c]
                && self.turn(a, b, p) >= 0.0
                && self.turn(b, c, p) >= 0.0
                && self.turn(c, a, p) >= 0.0
        })
    }
}

/// Twice the area of the triangle; positive if it is counter-clockwise.
fn cross(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// A corner by its place; corners at one place are one vertex.
struct Corner {
    place: Point2<f64>,
    number: usize,
}

impl HasPosition for Corner {
    type Scalar = f64;

    fn position(&self) -> Point2<f64> {
        self.place
    }
}

type Cdt = ConstrainedDelaunayTriangulation<Corner>;

/// The triangles inside a counter-clockwise outline and outside the holes in it, whose corners follow; `ends` says where
/// each ring ends. `None` if rings cross themselves or each other.
fn delaunay(outline: &[[f64; 2]], ends: &[usize]) -> Option<Vec<[usize; 3]>> {
    if outline.len() > MOST_CORNERS {
        return None;
    }
    let corners = outline.iter().enumerate().map(|(number, p)| Corner {
        place: Point2::new(p[0], p[1]),
        number,
    });
    let mut cdt = Cdt::bulk_load(corners.collect()).ok()?;
    let places: HashMap<[u64; 2], _> = cdt
        .vertices()
        .map(|v| (key([v.position().x, v.position().y]), v.fix()))
        .collect();
    // How often the outline goes along each edge: twice to a hole and back.
    let mut passes: HashMap<_, usize> = HashMap::new();
    let mut crossings = outline.len().saturating_mul(CROSSINGS);
    let edges = rings(ends).flat_map(|ring| {
        let next = ring.clone().skip(1).chain(ring.clone().take(1));
        ring.zip(next)
    });
    for (from, to) in edges {
        let (from, to) = (outline.get(from)?, outline.get(to)?);
        let (from, to) = (*places.get(&key(*from))?, *places.get(&key(*to))?);
        if from == to {
            continue;
        }
        let crossed = LineIntersectionIterator::new_from_handles(&cdt, from, to).count();
        crossings = crossings.checked_sub(crossed)?;
        if !cdt.can_add_constraint(from, to) {
            return None;
        }
        cdt.add_constraint(from, to);
        *passes.entry((from.min(to), from.max(to))).or_default() += 1;
    }
    let triangles = inside(&cdt, |a, b| passes.get(&(a.min(b), a.max(b))).copied());
    let area = |t: &[usize; 3]| cross(outline[t[0]], outline[t[1]], outline[t[2]]);
    let of_ring = |ring: Range<usize>| -> f64 {
        let first = ring.start;
        let fan = (first + 1..ring.end.saturating_sub(1)).map(|i| area(&[first, i, i + 1]));
        fan.sum()
    };
    let mut areas = rings(ends).map(of_ring);
    let wanted = areas.next()? - areas.map(f64::abs).sum::<f64>();
    let found: f64 = triangles.iter().map(area).sum();
    ((found - wanted).abs() <= wanted.abs() * AREA_ERROR).then_some(triangles)
}

/// The corners of each ring.
fn rings(ends: &[usize]) -> impl Iterator<Item = Range<usize>> {
    let starts = std::iter::once(0).chain(ends.iter().copied());
    starts.zip(ends).map(|(start, end)| start..*end)
}

fn key(p: [f64; 2]) -> [u64; 2] {
    // Zero has two signs.
    p.map(|v| (v + 0.0).to_bits())
}

/// The faces that an odd number of passes of the outline separate from the outside.
fn inside(
    cdt: &Cdt,
    passes: impl Fn(FixedVertexHandle, FixedVertexHandle) -> Option<usize>,
) -> Vec<[usize; 3]> {
    let mut odd: Vec<Option<bool>> = vec![None; cdt.num_all_faces()];
    odd[cdt.outer_face().index()] = Some(false);
    // The outer face has the hull's edges.
    let hull = cdt.convex_hull().flat_map(|edge| [edge, edge.rev()]);
    let mut edges: Vec<_> = hull.map(|edge| edge.fix()).collect();
    while let Some(edge) = edges.pop() {
        let edge = cdt.directed_edge(edge);
        let (face, beyond) = (edge.face(), edge.rev().face());
        let Some(here) = odd[face.index()] else {
            continue;
        };
        if odd[beyond.index()].is_some() {
            continue;
        }
        let times = match edge.as_undirected().is_constraint_edge() {
            // Part of a longer edge of the outline, if it is not known itself.
            true => passes(edge.from().fix(), edge.to().fix()).unwrap_or(1),
            false => 0,
        };
        odd[beyond.index()] = Some(here ^ (times % 2 == 1));
        if let Some(face) = beyond.as_inner() {
            edges.extend(face.adjacent_edges().map(|edge| edge.fix()));
        }
    }
    let kept = cdt
        .inner_faces()
        .filter(|face| odd[face.index()] == Some(true));
    kept.map(|face| face.vertices().map(|v| v.data().number))
        .collect()
}

/// What is told about polygons that were given up.
pub fn problem(given_up: usize) -> Option<Problem> {
    (given_up > 0).then(|| {
        Problem::new(
            "tangled-polygons",
            Severity::Warning,
            "",
            format!("有 {given_up} 个多边形的边界自相交或角过多，切成的三角形可能与原形状不一致"),
            "请在建模软件中先转为三角面或四边面，再重新导出",
        )
    })
}
