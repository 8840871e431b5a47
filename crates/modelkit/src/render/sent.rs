//! What a place sends towards the eye.

use super::manner;
use super::vector::{self as v, V3};

/// Radiance towards the eye, tone-mapped (linear, 0…1), and the transmission of what is behind.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sent {
    pub color: V3,
    pub through: V3,
}

impl Sent {
    /// Under a line that covers this share of it.
    pub fn inked(self, share: f32) -> Sent {
        match share > 0.0 {
            true => Sent {
                color: v::mix(self.color, manner::INK, share),
                through: v::scale(self.through, 1.0 - share),
            },
            false => self,
        }
    }
}
