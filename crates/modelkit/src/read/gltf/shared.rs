//! Primitives that share vertices: each keeps the rows that it refers to. Exporters write one buffer for a whole file,
//! whose rows would otherwise be multiplied by the number of parts.

use super::accessor::Accessors;
use super::json::PrimitiveJson;
use std::collections::HashMap;

/// Primitives with their positions in the same place.
#[derive(Default)]
struct Group {
    users: usize,
    /// Rows that they refer to, those of several counted as often.
    rows: usize,
}

pub struct Users(HashMap<(Option<u32>, u64, u64), Group>);

impl Users {
    /// Looks at the indices of primitives that share their positions, at `most` of them: more are refused later.
    pub fn of(accessors: &Accessors, most: usize) -> Users {
        let mut users: HashMap<_, Group> = HashMap::new();
        let primitives = || accessors.root.meshes.iter().flat_map(|m| &m.primitives);
        let place = |p: &PrimitiveJson| {
            let position = p.attributes.get("POSITION");
            position.and_then(|p| accessors.place(p))
        };
        for place in primitives().filter_map(place) {
            users.entry(place).or_default().users += 1;
        }
        let mut left = most;
        for p in primitives() {
            let group = place(p).and_then(|p| Some((p.2, users.get_mut(&p)?)));
            let Some((count, group)) = group.filter(|(_, group)| group.users > 1) else {
                continue;
            };
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            let rows = match p.indices.map(|i| (i, accessors.count(i))) {
                Some((i, Ok(length))) if length <= left => {
                    left -= length;
                    let indices = accessors.integers::<1>(i).unwrap_or_default();
                    referred(indices.as_flattened(), count).len()
                }
                _ => count,
            };
            group.rows = group.rows.saturating_add(rows);
        }
        Users(users)
    }

    /// Whether parts of these positions should have rows of their own. Where they share most rows, they had better go on
    /// sharing them: equal columns are written once.
    pub fn share(&self, accessors: &Accessors, position: u32) -> bool {
        let place = accessors.place(position);
        let group = place.and_then(|place| Some((place.2, self.0.get(&place)?)));
        group.is_some_and(|(count, group)| {
            let count = usize::try_from(count).unwrap_or(usize::MAX);
            let apart = group.rows <= count.saturating_add(count / 2);
            let many = count.saturating_mul(group.users) / 4 > group.rows;
            group.users > 1 && (apart || many)
        })
    }
}

/// Whether all rows are looked at: few indices must not cost as much as that.
fn is_dense(indices: &[u32], count: usize) -> bool {
    indices.len() >= count / 16
}

/// The rows below `count` that `indices` refer to, rising.
fn referred(indices: &[u32], count: usize) -> Vec<u32> {
    if is_dense(indices, count) {
        let mut used = vec![false; count];
        for &i in indices {
            if let Some(slot) = used.get_mut(i as usize) {
                *slot = true;
            }
        }
        let all = (0u32..).zip(&used);
        return all.filter_map(|(i, used)| used.then_some(i)).collect();
    }
    let inside = |i: &u32| (*i as usize) < count;
    let mut rows: Vec<u32> = indices.iter().copied().filter(inside).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

/// The rows that `indices` refer to, rising, if these are clearly fewer than `count`; `indices` then refer to them.
pub fn pick(indices: &mut [u32], count: usize) -> Option<Vec<u32>> {
    let rows = referred(indices, count);
    if rows.len() >= count - count / 4 {
        return None;
    }
    // What is out of range stays so.
    if is_dense(indices, count) {
        let mut moved = vec![u32::MAX; count];
        for (new, &old) in (0u32..).zip(&rows) {
            moved[old as usize] = new;
        }
        for i in indices.iter_mut() {
            *i = moved.get(*i as usize).copied().unwrap_or(u32::MAX);
        }
    } else {
        for i in indices.iter_mut() {
            *i = rows.binary_search(i).map_or(u32::MAX, |row| row as u32);
        }
    }
    Some(rows)
}
