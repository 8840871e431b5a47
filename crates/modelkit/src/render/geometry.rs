//! The drawn geometry: all primitives in world space, scaled into the unit sphere.

use super::vector::{self as v, V3};
use crate::limits::Limits;
use crate::scene::{Bounds, Mode, Primitive, Scene, bake_posed, first_pose};
use crate::{Error, Result};

/// Most corners of triangles, lines and points; more would only blur.
const MOST_CORNERS: usize = 60_000_000;

/// Corners of one triangle, line or point.
pub fn corners_of(mode: Mode) -> usize {
    match mode {
        Mode::Triangles => 3,
        Mode::Lines => 2,
        Mode::Points => 1,
    }
}

/// One primitive of one node.
pub struct Piece {
    pub mode: Mode,
    pub indices: Vec<u32>,
    /// Inside the unit sphere; non-finite if the file's were.
    pub positions: Vec<V3>,
    pub normals: Vec<V3>,
    /// Texture coordinates by set.
    pub uvs: Vec<Vec<[f32; 2]>>,
    pub colors: Vec<[f32; 4]>,
    /// Filled by [`Piece::make_tangents`]; w is the handedness.
    pub tangents: Vec<[f32; 4]>,
    pub material: Option<usize>,
}

/// All pieces. A triangle, line or point is identified by its number over all pieces.
pub struct Geometry {
    pub pieces: Vec<Piece>,
    /// First number of each piece, and the total at the end.
    pub starts: Vec<u32>,
    /// Bounding box of what is drawn, inside the unit sphere about the origin.
    pub low: V3,
    pub high: V3,
}

impl Geometry {
    /// Collects the visible geometry of `scene`, in the pose of its first clip. Fails if there is nothing to show.
    pub fn collect(scene: &Scene) -> Result<Geometry> {
        let posed = first_pose(scene);
        let nodes = posed.as_deref().unwrap_or(&scene.nodes);
        let mut pieces = Vec::new();
        let mut corners = 0;
        // `nodes` may be a local copy, so the visitor copies what it keeps.
        bake_posed(scene, nodes, &mut |part| {
            let p = part.primitive;
            corners += p.indices.len();
            Limits::check("渲染索引", corners, MOST_CORNERS)?;
            pieces.push(piece(p, part.positions, part.normals));
            Ok(())
        })?;
        let mut bounds = Bounds::default();
        for piece in &pieces {
            piece.each_corner(|p| bounds.add(p.map(f64::from)));
        }
        if bounds.is_empty() {
            return Err(Error::EmptyModel(
                "模型中没有可以显示的几何，无法渲染图片；请确认导出时包含了网格".into(),
            ));
        }
        let mut starts = vec![0];
        let mut count = 0;
        for piece in &pieces {
            count += piece.count() as u32;
            starts.push(count);
        }
        let mut geometry = Geometry {
            pieces,
            starts,
            low: [0.0; 3],
            high: [0.0; 3],
        };
        geometry.normalise(&bounds);
        Ok(geometry)
    }

    /// Moves the centre to the origin and the corners of the bounding box to the unit sphere: models of millimetres and
    /// of kilometres, also far from the origin, are then drawn with the same precision.
    fn normalise(&mut self, bounds: &Bounds) {
        let center = bounds.center();
        let radius = bounds.diagonal() / 2.0;
        let by = match radius > 1e-30 {
            true => 1.0 / radius,
            false => 0.0,
        };
        let to_unit = |p: V3| [0, 1, 2].map(|k| ((f64::from(p[k]) - center[k]) * by) as f32);
        for piece in &mut self.pieces {
            for p in &mut piece.positions {
                *p = to_unit(*p);
            }
        }
        self.low = [0, 1, 2].map(|k| ((bounds.min[k] - center[k]) * by) as f32);
        self.high = [0, 1, 2].map(|k| ((bounds.max[k] - center[k]) * by) as f32);
    }

    /// The piece that contains a number, and the offset of its first corner in the piece's index list.
    pub fn find(&self, number: u32) -> (usize, usize) {
        let piece = self.starts.partition_point(|&s| s <= number) - 1;
        let within = (number - self.starts[piece]) as usize;
        (piece, within * corners_of(self.pieces[piece].mode))
    }

    /// As [`Geometry::find`], for numbers that mostly lie in the same piece as the one before.
    pub fn find_near(&self, piece: usize, number: u32) -> (usize, usize) {
        match self.starts.get(piece..piece + 2) {
            Some(&[start, end]) if (start..end).contains(&number) => {
                let within = (number - start) as usize;
                (piece, within * corners_of(self.pieces[piece].mode))
            }
            _ => self.find(number),
        }
    }

    pub fn count(&self) -> usize {
        self.starts.last().map_or(0, |&n| n as usize)
    }

    /// Mean distance of points that cover the model's bounding box, for point clouds.
    pub fn point_spacing(&self) -> f32 {
        let size = v::sub(self.high, self.low);
        let area = 2.0 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
        (area / self.count().max(1) as f32).sqrt()
    }
}

fn piece(p: &Primitive, positions: Vec<V3>, normals: Vec<V3>) -> Piece {
    Piece {
        mode: p.mode,
        indices: p.indices.clone(),
        uvs: p.uvs.clone(),
        colors: p.colors.clone(),
        tangents: Vec::new(),
        material: p.material.map(|m| m as usize),
        positions,
        normals,
    }
}

impl Piece {
    pub fn count(&self) -> usize {
        self.indices.len() / corners_of(self.mode)
    }

    /// Visits the finite position of every drawn corner.
    pub fn each_corner(&self, mut visit: impl FnMut(V3)) {
        for &i in &self.indices {
            if let Some(p) = self.positions.get(i as usize)
                && p.iter().all(|x| x.is_finite())
            {
                visit(*p);
            }
        }
    }

    /// Computes tangents for the texture coordinates `set`, averaged over the triangles of a vertex.
    pub fn make_tangents(&mut self, set: usize) {
        let Some(uvs) = self.uvs.get(set) else { return };
        let mut along = vec![[0.0f32; 3]; self.positions.len()];
        let mut across = vec![[0.0f32; 3]; self.positions.len()];
        for corner in self.indices.as_chunks::<3>().0 {
            let Some((t, b)) = self.slopes(corner, uvs) else {
                continue;
            };
            for &i in corner {
                along[i as usize] = v::add(along[i as usize], t);
                across[i as usize] = v::add(across[i as usize], b);
            }
        }
        let tangent = |(i, t): (usize, &V3)| {
            let n = self.normals.get(i).copied().unwrap_or([0.0, 1.0, 0.0]);
            let t = v::unit(v::sub(*t, v::scale(n, v::dot(n, *t)))).unwrap_or(v::frame(n).0);
            // A normal map's green points up in the image, opposite to v.
            let hand = v::dot(v::cross(n, t), across[i]);
            [t[0], t[1], t[2], if hand < 0.0 { 1.0 } else { -1.0 }]
        };
        self.tangents = along.iter().enumerate().map(tangent).collect();
    }

    /// Directions of increasing u and v of a triangle, weighted by its area in space.
    fn slopes(&self, corner: &[u32; 3], uvs: &[[f32; 2]]) -> Option<(V3, V3)> {
        let p = |k: usize| self.positions.get(corner[k] as usize).copied();
        let uv = |k: usize| uvs.get(corner[k] as usize).copied();
        let (a, b, c) = (p(0)?, p(1)?, p(2)?);
        let (ua, ub, uc) = (uv(0)?, uv(1)?, uv(2)?);
        let (e1, e2) = (v::sub(b, a), v::sub(c, a));
        let (d1, d2) = (
            [ub[0] - ua[0], ub[1] - ua[1]],
            [uc[0] - ua[0], uc[1] - ua[1]],
        );
        let sign = (d1[0] * d2[1] - d2[0] * d1[1]).signum();
        let area = v::cross(e1, e2);
        let weight = v::dot(area, area).sqrt() * sign;
        let t = v::unit(v::sub(v::scale(e1, d2[1]), v::scale(e2, d1[1])))?;
        let b = v::unit(v::sub(v::scale(e2, d1[0]), v::scale(e1, d2[0])))?;
        weight
            .is_finite()
            .then(|| (v::scale(t, weight), v::scale(b, weight)))
    }
}
