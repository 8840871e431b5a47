//! Corners of faces, without memory for components a file does not use.

/// No texture coordinate, no normal.
pub const NONE: u32 = u32::MAX;

/// Indices of position, texture coordinate and normal of one face corner, from zero.
pub type Corner = [u32; 3];

/// Corners with a separate list for each component. An unused component takes no memory: a scan of positions only needs
/// a third of the memory.
#[derive(Debug, Default)]
pub struct Corners {
    positions: Vec<u32>,
    /// Empty, or as long as `positions`; the same holds for `normals`.
    uvs: Vec<u32>,
    normals: Vec<u32>,
}

impl Corners {
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    pub fn push(&mut self, [position, uv, normal]: Corner) {
        let at = self.positions.len();
        self.positions.push(position);
        for (list, value) in [(&mut self.uvs, uv), (&mut self.normals, normal)] {
            if value != NONE || !list.is_empty() {
                list.resize(at, NONE);
                list.push(value);
            }
        }
    }

    /// Panics if the corner does not exist.
    pub fn get(&self, index: usize) -> Corner {
        let other = |list: &[u32]| list.get(index).copied().unwrap_or(NONE);
        [
            self.positions[index],
            other(&self.uvs),
            other(&self.normals),
        ]
    }

    /// Changes a component the corner has; ignored if it has none.
    pub fn set(&mut self, index: usize, component: usize, value: u32) {
        let list = [&mut self.positions, &mut self.uvs, &mut self.normals].into_iter();
        if let Some(slot) = list.skip(component).find_map(|list| list.get_mut(index)) {
            *slot = value;
        }
    }

    /// Sets the corner's normal, also if no other corner has one.
    pub fn set_normal(&mut self, index: usize, normal: u32) {
        self.normals.resize(self.positions.len(), NONE);
        self.normals[index] = normal;
    }

    pub fn truncate(&mut self, length: usize) {
        self.positions.truncate(length);
        self.uvs.truncate(length);
        self.normals.truncate(length);
    }

    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// Whether no corner has a texture coordinate or a normal.
    pub fn only_positions(&self) -> bool {
        self.uvs.is_empty() && self.normals.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = Corner> + '_ {
        (0..self.len()).map(|index| self.get(index))
    }
}
