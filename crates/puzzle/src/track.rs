//! Whether a movement looks like a person's. No I/O.

/// x and y in picture pixels, milliseconds since the first touch.
pub type Sample = (f64, f64, f64);

/// Samples a client sends at most; a longer movement is cut off by it.
const CLIENT_LIMIT: usize = 400;
const MIN_SAMPLES: usize = 8;
const MIN_MS: f64 = 250.0;
const MAX_MS: f64 = 30_000.0;
/// Pixels that the ends of the track may be off.
const END_TOLERANCE: f64 = 3.0;
const START_TOLERANCE: f64 = 6.0;
/// Longest step of the arrow keys (with Shift) in pixels.
const KEY_STEP: f64 = 10.0;
/// Least deviation of speed, relative to its mean.
const MIN_SPEED_SPREAD: f64 = 0.12;
/// Least deviation of the times between key presses, relative to their mean.
const MIN_RHYTHM_SPREAD: f64 = 0.04;
/// Farthest a hand strays up or down in pixels.
const MAX_STRAY: f64 = 400.0;

/// Whether the track leads to `x` the way a hand or a person at the keyboard does.
pub fn is_plausible(track: &[Sample], x: f64) -> bool {
    let (Some(first), Some(last)) = (track.first(), track.last()) else {
        return false;
    };
    let finite = track
        .iter()
        .all(|(x, y, t)| x.is_finite() && y.is_finite() && t.is_finite());
    if !finite || track.len() < MIN_SAMPLES {
        return false;
    }
    if track.windows(2).any(|pair| pair[1].2 < pair[0].2) {
        return false;
    }
    let duration = last.2 - first.2;
    if !(MIN_MS..=MAX_MS).contains(&duration) || first.2.abs() > MAX_MS {
        return false;
    }
    if first.0.abs() > START_TOLERANCE {
        return false;
    }
    if track.len() < CLIENT_LIMIT && (last.0 - x).abs() > END_TOLERANCE {
        return false;
    }
    if track
        .iter()
        .any(|sample| (sample.1 - first.1).abs() > MAX_STRAY)
    {
        return false;
    }
    let level = track.iter().all(|sample| sample.1 == first.1);
    if level {
        return is_by_keys(track);
    }
    is_by_hand(track)
}

/// A hand speeds up and slows down.
fn is_by_hand(track: &[Sample]) -> bool {
    let mut speeds = Vec::new();
    for pair in track.windows(2) {
        let time = pair[1].2 - pair[0].2;
        if time > 0.0 {
            speeds.push((pair[1].0 - pair[0].0) / time);
        }
    }
    speeds.len() >= MIN_SAMPLES / 2 && spread(&speeds) >= MIN_SPEED_SPREAD
}

/// Keys make small steps on one level, and fingers (also the repetition of a held key) keep no exact time.
fn is_by_keys(track: &[Sample]) -> bool {
    let mut times = Vec::new();
    for pair in track.windows(2) {
        if (pair[1].0 - pair[0].0).abs() > KEY_STEP {
            return false;
        }
        times.push(pair[1].2 - pair[0].2);
    }
    spread(&times) >= MIN_RHYTHM_SPREAD
}

/// Standard deviation relative to the mean's size; infinite for a mean of zero.
fn spread(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / count;
    if mean == 0.0 {
        return if variance == 0.0 { 0.0 } else { f64::INFINITY };
    }
    variance.sqrt() / mean.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Speeds up, slows down, strays a little.
    fn hand(x: f64) -> Vec<Sample> {
        let mut track = Vec::new();
        for step in 0..=30 {
            let share = f64::from(step) / 30.0;
            let eased = share * share * (3.0 - 2.0 * share);
            let stray = f64::from(step % 3);
            track.push(((x * eased).round(), stray, f64::from(step * 25)));
        }
        track
    }

    #[test]
    fn a_hand_passes() {
        assert!(is_plausible(&hand(200.0), 200.0));
    }

    #[test]
    fn keys_pass() {
        for step in [1.0, 2.0, 8.0, 10.0] {
            let mut track = vec![(0.0, 0.0, 0.0)];
            let mut time = 0.0;
            for press in 1..=60 {
                // A held key: a pause, then repetitions that are a millisecond or two off.
                time += if press == 1 {
                    480.0
                } else {
                    32.0 + f64::from(press % 4)
                };
                track.push((step * f64::from(press), 0.0, time));
            }
            assert!(is_plausible(&track, step * 60.0), "{step}");
        }
    }

    #[test]
    fn scripts_do_not() {
        let even: Vec<Sample> = (0..40)
            .map(|i| (f64::from(i) * 5.0, 0.0, f64::from(i) * 20.0))
            .collect();
        assert!(!is_plausible(&even, 195.0), "even steps in even time");
        let shaking: Vec<Sample> = (0..40)
            .map(|i| (f64::from(i) * 5.0, f64::from(i % 3), f64::from(i) * 20.0))
            .collect();
        assert!(!is_plausible(&shaking, 195.0), "even speed");
        let jump = vec![(0.0, 0.0, 0.0), (200.0, 0.0, 300.0)];
        assert!(!is_plausible(&jump, 200.0), "too few samples");
        let fast: Vec<Sample> = hand(200.0)
            .into_iter()
            .map(|(x, y, t)| (x, y, t / 10.0))
            .collect();
        assert!(!is_plausible(&fast, 200.0), "too fast");
        let slow: Vec<Sample> = hand(200.0)
            .into_iter()
            .map(|(x, y, t)| (x, y, t * 50.0))
            .collect();
        assert!(!is_plausible(&slow, 200.0), "too slow");
        let level: Vec<Sample> = hand(200.0)
            .into_iter()
            .map(|(x, _, t)| (x, 0.0, t))
            .collect();
        assert!(!is_plausible(&level, 200.0), "a hand that never strays");
    }

    #[test]
    fn odd_input_is_no_movement() {
        assert!(!is_plausible(&[], 0.0));
        let mut back = hand(200.0);
        back[5].2 = 1.0;
        assert!(!is_plausible(&back, 200.0), "time runs backward");
        let mut wild = hand(200.0);
        wild[5].0 = f64::NAN;
        assert!(!is_plausible(&wild, 200.0), "not a number");
        assert!(!is_plausible(&hand(200.0), 100.0), "ends elsewhere");
        let late: Vec<Sample> = hand(200.0)
            .into_iter()
            .map(|(x, y, t)| (x + 50.0, y, t))
            .collect();
        assert!(!is_plausible(&late, 250.0), "starts elsewhere");
    }
}
