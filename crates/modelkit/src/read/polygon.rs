//! Triangulates polygons: convex ones as a fan, concave ones by ear clipping.

/// Larger polygons are split as a fan even if concave: ear clipping is quadratic, and a hostile file could cause hours
/// of it.
const EAR_LIMIT: usize = 512;

/// Reusable buffers, so that a file of a million polygons allocates once.
#[derive(Default)]
pub struct Cutter {
    flat: Vec<[f64; 2]>,
    ring: Vec<usize>,
}

impl Cutter {
    /// Calls `out` with the corner numbers (0..n) of each of the n − 2 triangles. Winding is preserved. Fewer than
    /// three points give nothing.
    pub fn cut(&mut self, points: &[[f32; 3]], mut out: impl FnMut([usize; 3])) {
        let n = points.len();
        if n < 3 {
            return;
        }
        if n == 3 {
            return out([0, 1, 2]);
        }
        if n > EAR_LIMIT || !self.flatten(points) || self.is_convex() {
            for i in 1..n - 1 {
                out([0, i, i + 1]);
            }
            return;
        }
        self.clip(out);
    }

    /// Projects along the Newell normal so that the polygon is counter-clockwise; false if it has no area.
    fn flatten(&mut self, points: &[[f32; 3]]) -> bool {
        let mut normal = [0.0f64; 3];
        for (i, a) in points.iter().enumerate() {
            let b = points[(i + 1) % points.len()];
            let (a, b) = (a.map(f64::from), b.map(f64::from));
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
        self.flat.extend(
            points
                .iter()
                .map(|p| [f64::from(p[u]) * sign, f64::from(p[v])]),
        );
        true
    }

    fn turn(&self, a: usize, b: usize, c: usize) -> f64 {
        let (a, b, c) = (self.flat[a], self.flat[b], self.flat[c]);
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
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
