//! Axis-aligned bounding boxes.

use serde::Serialize;

/// Box in metres; empty until a point is added.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bounds {
    pub min: [f64; 3],
    pub max: [f64; 3],
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            min: [f64::INFINITY; 3],
            max: [f64::NEG_INFINITY; 3],
        }
    }
}

impl Bounds {
    pub fn add(&mut self, p: [f64; 3]) {
        for (axis, v) in p.into_iter().enumerate() {
            self.min[axis] = self.min[axis].min(v);
            self.max[axis] = self.max[axis].max(v);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.min[0] > self.max[0]
    }

    /// Extent along each axis; zero for an empty box.
    pub fn size(&self) -> [f64; 3] {
        if self.is_empty() {
            return [0.0; 3];
        }
        [
            self.max[0] - self.min[0],
            self.max[1] - self.min[1],
            self.max[2] - self.min[2],
        ]
    }

    pub fn center(&self) -> [f64; 3] {
        if self.is_empty() {
            return [0.0; 3];
        }
        let mid = |axis: usize| (self.min[axis] + self.max[axis]) / 2.0;
        [mid(0), mid(1), mid(2)]
    }

    pub fn diagonal(&self) -> f64 {
        let [x, y, z] = self.size();
        (x * x + y * y + z * z).sqrt()
    }
}
