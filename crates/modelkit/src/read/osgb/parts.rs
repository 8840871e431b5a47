//! Groups the graph into parts: one part per paged level of detail.

use super::model::{Geometry, Kind, Lod, Model, State};
use crate::limits::Limits;
use crate::scene::Bounds;
use crate::scene::math::{self, IDENTITY, Mat4};
use crate::{Error, Result};

/// A drawable with its world transform.
pub struct Placed {
    pub geometry: usize,
    pub matrix: Mat4,
    pub state: State,
}

/// Condition for replacing a part by finer files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Switch {
    /// At this diameter on screen and above, in pixels.
    Pixels(f64),
    /// Closer than this, in the file's units.
    Distance(f64),
}

/// Drawables that finer files replace together.
#[derive(Default)]
pub struct Part {
    pub draws: Vec<Placed>,
    /// Names of the finer files; empty for the finest level.
    pub files: Vec<String>,
    pub switch: Option<Switch>,
    /// Radius the switch refers to, if the file has one.
    pub radius: Option<f64>,
}

struct Walk<'m, 'a> {
    model: &'m Model<'a>,
    parts: Vec<Part>,
    visits: usize,
    most: usize,
}

/// Parts of a file; the first holds everything outside of paged levels.
pub fn parts(model: &Model, limits: &Limits) -> Result<Vec<Part>> {
    let mut walk = Walk {
        model,
        parts: vec![Part::default()],
        visits: 0,
        most: limits.nodes,
    };
    if let Some(root) = model.root {
        walk.node(root, &IDENTITY, &State::default(), 0, 0)?;
    }
    walk.parts
        .retain(|p| !p.draws.is_empty() || !p.files.is_empty());
    Ok(walk.parts)
}

impl Walk<'_, '_> {
    fn node(
        &mut self,
        at: usize,
        parent: &Mat4,
        outer: &State,
        part: usize,
        depth: usize,
    ) -> Result<()> {
        self.visits += 1;
        if self.visits > self.most || depth > 512 {
            return Err(Error::corrupt(
                "OSGB 文件的节点循环引用或过多，请重新导出后上传",
            ));
        }
        let model = self.model;
        let Some(node) = model.nodes.get(at) else {
            return Ok(());
        };
        let state = inherited(model, outer, node.state);
        match &node.kind {
            Kind::Geode(geometries) => {
                for &geometry in geometries {
                    let own = model.geometries.get(geometry).and_then(|g| g.state);
                    self.parts[part].draws.push(Placed {
                        geometry,
                        matrix: *parent,
                        state: inherited(model, &state, own),
                    });
                }
            }
            Kind::Lod(lod) => self.lod(lod, &node.children, parent, &state, part, depth)?,
            Kind::Group => {
                for &child in &node.children {
                    self.node(child, parent, &state, part, depth + 1)?;
                }
            }
            Kind::Transform(own) => {
                let matrix = math::mul(parent, own);
                for &child in &node.children {
                    self.node(child, &matrix, &state, part, depth + 1)?;
                }
            }
        }
        Ok(())
    }

    /// Of the levels in the file the finest is used; levels in other files become the part's finer files.
    fn lod(
        &mut self,
        lod: &Lod,
        children: &[usize],
        matrix: &Mat4,
        state: &State,
        part: usize,
        depth: usize,
    ) -> Result<()> {
        let outside = |i: usize| lod.files.get(i).is_some_and(|f| !f.is_empty());
        let fineness = |i: usize| -> f64 {
            let [low, _] = lod.ranges.get(i).copied().unwrap_or([0.0, f32::MAX]);
            f64::from(if lod.pixels { low } else { -low })
        };
        let levels = lod.files.len().max(lod.ranges.len()).max(children.len());
        let inside: Vec<usize> = (0..levels).filter(|&i| !outside(i)).collect();
        let finest = children
            .iter()
            .enumerate()
            .max_by(|(a, _), (b, _)| {
                let of = |i: usize| inside.get(i).map_or(f64::MIN, |&level| fineness(level));
                of(*a).total_cmp(&of(*b))
            })
            .map(|(_, child)| *child);
        let best = (0..levels)
            .filter(|&i| outside(i))
            .map(fineness)
            .max_by(f64::total_cmp);
        // Paged levels inside a paged level are replaced with the outer one.
        let nested = !self.parts[part].files.is_empty();
        let mut into = part;
        if let (Some(best), false) = (best, nested) {
            let chosen: Vec<usize> = (0..levels)
                .filter(|&i| outside(i) && fineness(i) == best)
                .collect();
            let range = lod.ranges.get(chosen[0]).copied();
            let switch = range.map(|[low, high]| match lod.pixels {
                true => Switch::Pixels(f64::from(low)),
                false => Switch::Distance(f64::from(high)),
            });
            self.parts.push(Part {
                draws: Vec::new(),
                files: chosen.iter().map(|&i| lod.files[i].clone()).collect(),
                switch,
                radius: lod.radius,
            });
            into = self.parts.len() - 1;
        }
        // A proxy or a list of levels without ranges shows all its children.
        if lod.ranges.is_empty() {
            for &child in children {
                self.node(child, matrix, state, into, depth + 1)?;
            }
        } else if let Some(child) = finest {
            self.node(child, matrix, state, into, depth + 1)?;
        }
        Ok(())
    }
}

fn inherited(model: &Model, outer: &State, own: Option<usize>) -> State {
    let Some(own) = own.and_then(|s| model.states.get(s)) else {
        return outer.clone();
    };
    own.below(outer)
}

impl Placed {
    /// Position of a vertex in the file's coordinates.
    pub fn position(&self, geometry: &Geometry, p: [f32; 3]) -> [f64; 3] {
        let o = geometry.origin;
        let [x, y, z] = std::array::from_fn(|k| f64::from(p[k]) + o[k]);
        let m = &self.matrix;
        std::array::from_fn(|row| m[row] * x + m[4 + row] * y + m[8 + row] * z + m[12 + row])
    }
}

impl Part {
    /// Bounds of the drawn vertices in the file's coordinates; empty if there are none.
    pub fn bounds(&self, model: &Model) -> Bounds {
        let mut bounds = Bounds::default();
        for draw in &self.draws {
            let geometry = &model.geometries[draw.geometry];
            for &i in &geometry.indices {
                let p = draw.position(geometry, geometry.positions[i as usize]);
                if p.iter().all(|v| v.is_finite()) {
                    bounds.add(p);
                }
            }
        }
        bounds
    }
}
