//! Welds corners at exactly the same position.

/// An open-addressing table from position to index. A `HashMap` would hold a second copy of every position; this table
/// takes four bytes per entry.
pub struct Welder {
    positions: Vec<[f32; 3]>,
    slots: Vec<u32>,
    mask: usize,
}

const EMPTY: u32 = u32::MAX;

impl Welder {
    /// `expected` estimates the number of distinct positions; the table grows when it is too small.
    pub fn new(expected: usize) -> Self {
        let size = expected
            .saturating_mul(2)
            .clamp(16, 1 << 26)
            .next_power_of_two();
        Self {
            positions: Vec::new(),
            slots: vec![EMPTY; size],
            mask: size - 1,
        }
    }

    /// Index of `position`, which is added if new. −0 and +0 are equal.
    pub fn add(&mut self, position: [f32; 3]) -> u32 {
        // Adding +0 turns −0 into +0 and changes nothing else.
        let position = position.map(|c| c + 0.0);
        let mut slot = hash(position) & self.mask;
        loop {
            let entry = self.slots[slot];
            if entry == EMPTY {
                break;
            }
            if self.positions[entry as usize] == position {
                return entry;
            }
            slot = (slot + 1) & self.mask;
        }
        let index = self.positions.len() as u32;
        self.positions.push(position);
        self.slots[slot] = index;
        if self.positions.len() * 3 > self.slots.len() * 2 {
            self.grow();
        }
        index
    }

    /// The distinct positions in order of first appearance.
    pub fn finish(self) -> Vec<[f32; 3]> {
        self.positions
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.mask = size - 1;
        self.slots.clear();
        self.slots.resize(size, EMPTY);
        for (index, &position) in self.positions.iter().enumerate() {
            let mut slot = hash(position) & self.mask;
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = index as u32;
        }
    }
}

fn hash(position: [f32; 3]) -> usize {
    let [x, y, z] = position.map(|c| u64::from(c.to_bits()));
    let mut h = (x | y << 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h ^= h >> 29;
    h = (h ^ z).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (h ^ h >> 32) as usize
}
