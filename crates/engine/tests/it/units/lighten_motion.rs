//! Unit tests of `lighten::motion`.

use modelkit::internals::{Keys, TOLERANCE, thin_sampler};
use modelkit::scene::{AnimationSampler, Interpolation};

#[test]
fn packed_tracks_keep_even_times_unless_few_keys_remain() {
    let times: Vec<f32> = (0..60).map(|i| i as f32 / 30.0).collect();
    let track = |value: &dyn Fn(usize) -> f32| AnimationSampler {
        interpolation: Interpolation::Linear,
        times: times.clone(),
        values: (0..60).flat_map(|i| [value(i), 0.0, 0.0]).collect(),
    };
    // Straight, but for every other key in the first part.
    let zigzag = |corners: usize| move |i: usize| (i < corners && i % 2 == 1) as u8 as f32;
    for (corners, kept) in [(58, 60), (40, 60), (10, 60), (2, 4), (0, 1)] {
        let mut sampler = track(&zigzag(corners));
        thin_sampler(&mut sampler, TOLERANCE, Keys::Packed);
        assert_eq!(sampler.times.len(), kept, "{corners}");
        assert_eq!(sampler.values.len(), kept * 3);
    }
    let mut sampler = track(&zigzag(40));
    thin_sampler(&mut sampler, TOLERANCE, Keys::Plain);
    assert!((40..45).contains(&sampler.times.len()));
}
