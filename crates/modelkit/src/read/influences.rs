//! Joints and weights of the points of a mesh, of formats without a limit per point.

use crate::scene::SkinSet;

/// Influences kept per point: readers of glTF know four sets of four.
const MOST_INFLUENCES: usize = 16;

#[derive(Default)]
pub struct Influences {
    list: Vec<(u16, f32)>,
    /// The end of each point's.
    ends: Vec<usize>,
    /// Points with more than are kept.
    pub dropped: usize,
    /// The joint of what no other one moves.
    rest: u16,
    /// Whether anything follows it.
    pub rests: bool,
}

impl Influences {
    /// `rest` is the joint, not yet made, that stays where the mesh is: points without influences follow it.
    pub fn new(rest: u16) -> Influences {
        Influences {
            rest,
            ..Influences::default()
        }
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        self.ends.len()
    }

    fn of(&self, point: u32) -> &[(u16, f32)] {
        let point = point as usize;
        let start = match point {
            0 => 0,
            _ => self.ends.get(point - 1).copied().unwrap_or(0),
        };
        let end = self.ends.get(point).copied().unwrap_or(start);
        self.list.get(start..end).unwrap_or_default()
    }

    /// Adds joints and weights of the next point: the strongest are kept, normalised to a sum of 1.
    pub fn push(&mut self, all: impl IntoIterator<Item = (u16, f32)>) {
        let mut own: Vec<(u16, f32)> = Vec::new();
        for (joint, weight) in all {
            match own.iter_mut().find(|(known, _)| *known == joint) {
                Some(entry) => entry.1 += weight,
                None => own.push((joint, weight)),
            }
        }
        if own.is_empty() {
            own.push((self.rest, 1.0));
        }
        self.rests |= own.iter().any(|(joint, _)| *joint == self.rest);
        own.sort_by(|a, b| b.1.total_cmp(&a.1));
        self.dropped += usize::from(own.len() > MOST_INFLUENCES);
        own.truncate(MOST_INFLUENCES);
        let total: f32 = own.iter().map(|(_, weight)| weight).sum();
        let share = |weight: f32| if total > 0.0 { weight / total } else { 0.0 };
        let own = own.into_iter();
        self.list
            .extend(own.map(|(joint, weight)| (joint, share(weight))));
        self.ends.push(self.list.len());
    }

    /// Sets of four for the vertices made from `points`; a point that is not known follows the first joint.
    pub fn sets(&self, points: &[u32]) -> Vec<SkinSet> {
        let most = points.iter().map(|point| self.of(*point).len()).max();
        let count = most.unwrap_or(0).div_ceil(4).max(1);
        let mut sets = vec![SkinSet::default(); count];
        for point in points {
            let own = self.of(*point);
            for (k, set) in sets.iter_mut().enumerate() {
                let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
                let four = own.iter().skip(k * 4).take(4);
                for (slot, (joint, weight)) in four.enumerate() {
                    joints[slot] = *joint;
                    weights[slot] = *weight;
                }
                if own.is_empty() && k == 0 {
                    weights[0] = 1.0;
                }
                set.joints.push(joints);
                set.weights.push(weights);
            }
        }
        sets
    }
}
