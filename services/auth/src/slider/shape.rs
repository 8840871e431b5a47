//! Silhouettes of pieces and of the marks that are not the gap.

/// A silhouette in the square from -1 to 1, x to the right and y downward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    Jigsaw,
    Hexagon,
    Star,
    Cross,
    Triangle,
    Heart,
    Crescent,
    Diamond,
}

pub const ALL: [Shape; 8] = [
    Shape::Jigsaw,
    Shape::Hexagon,
    Shape::Star,
    Shape::Cross,
    Shape::Triangle,
    Shape::Heart,
    Shape::Crescent,
    Shape::Diamond,
];

impl Shape {
    pub fn contains(self, x: f32, y: f32) -> bool {
        if x.abs() > 1.0 || y.abs() > 1.0 {
            return false;
        }
        match self {
            Self::Jigsaw => jigsaw(x, y),
            Self::Hexagon => x.abs() <= 0.84 && 0.5 * x.abs() + 0.866 * y.abs() <= 0.84,
            Self::Star => star(x, y),
            Self::Cross => within(x, y, 0.95) && (x.abs() <= 0.34 || y.abs() <= 0.34),
            Self::Triangle => y <= 0.78 && x.abs() <= (y + 0.95) * 0.56,
            Self::Heart => heart(x, y),
            Self::Crescent => circle(x, y, 0.0, 0.0, 0.95) && !circle(x, y, 0.48, -0.12, 0.78),
            Self::Diamond => x.abs() / 0.66 + y.abs() <= 0.98,
        }
    }
}

fn within(x: f32, y: f32, half: f32) -> bool {
    x.abs() <= half && y.abs() <= half
}

fn circle(x: f32, y: f32, center_x: f32, center_y: f32, radius: f32) -> bool {
    (x - center_x).powi(2) + (y - center_y).powi(2) <= radius * radius
}

fn jigsaw(x: f32, y: f32) -> bool {
    let body = (-0.92..=0.6).contains(&x) && (-0.6..=0.92).contains(&y);
    let knobs = circle(x, y, -0.16, -0.68, 0.31) || circle(x, y, 0.68, 0.16, 0.31);
    let holes = circle(x, y, -0.84, 0.16, 0.3) || circle(x, y, -0.16, 0.84, 0.3);
    (body || knobs) && !holes
}

fn star(x: f32, y: f32) -> bool {
    let radius = x.hypot(y);
    let fifth = std::f32::consts::TAU / 5.0;
    // Angle from the nearest point of the star, the first one upward.
    let turn = x.atan2(-y).rem_euclid(fifth);
    let angle = turn.min(fifth - turn);
    let (outer, inner) = (0.98_f32, 0.45_f32);
    // The edge runs straight from the point at angle 0 to the corner at half a fifth.
    let (corner_x, corner_y) = (inner * (fifth / 2.0).cos(), inner * (fifth / 2.0).sin());
    let (px, py) = (radius * angle.cos(), radius * angle.sin());
    (corner_x - outer) * py - corner_y * (px - outer) >= 0.0
}

fn heart(x: f32, y: f32) -> bool {
    let (x, y) = (x * 1.22, 0.16 - y * 1.2);
    let round = x * x + y * y - 1.0;
    round.powi(3) - x * x * y.powi(3) <= 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silhouettes_fill_their_square_and_differ() {
        for shape in ALL {
            let area = area_where(|x, y| shape.contains(x, y));
            assert!((0.2..0.75).contains(&area), "{shape:?} {area}");
            for other in ALL {
                let differs = area_where(|x, y| shape.contains(x, y) != other.contains(x, y));
                assert!(
                    shape == other || differs > 0.1,
                    "{shape:?} {other:?} {differs}"
                );
            }
        }
    }

    fn area_where(holds: impl Fn(f32, f32) -> bool) -> f32 {
        let mut count = 0;
        for row in 0..100 {
            for column in 0..100 {
                let at = |i: i32| (i as f32 + 0.5) / 50.0 - 1.0;
                count += i32::from(holds(at(column), at(row)));
            }
        }
        count as f32 / 10_000.0
    }
}
