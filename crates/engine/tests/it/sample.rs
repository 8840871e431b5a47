//! The generated models: valid, of the requested size, deterministic.

use modelkit::sample::{KINDS, generate};
use modelkit::scene::{Mode, statistics};

#[test]
fn every_kind_is_sound() {
    let (mut animated, mut textured, mut repeated) = (0, 0, 0);
    for (kind, title) in KINDS {
        assert!(!title.is_empty());
        let scene = generate(kind, Some(6000), 7).unwrap();
        for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
            let n = p.positions.len();
            assert!(
                p.mode == Mode::Triangles && n > 0 && p.normals.len() == n && p.uvs[0].len() == n,
                "{kind}"
            );
            assert!(p.indices.iter().all(|i| (*i as usize) < n), "{kind}");
            assert!(
                p.positions.iter().flatten().all(|c| c.is_finite()),
                "{kind}"
            );
            let unit = |v: &[f32; 3]| (v.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-3;
            assert!(p.normals.iter().all(unit), "{kind}");
            assert!((p.material.unwrap() as usize) < scene.materials.len());
        }
        let s = statistics(&scene);
        assert!(s.materials >= 3, "{kind} has {} materials", s.materials);
        animated += usize::from(s.animations > 0);
        textured += usize::from(s.textures > 0);
        repeated += usize::from(s.nodes > s.meshes * 3);
    }
    assert!(KINDS.len() >= 8 && animated >= 2 && textured >= 3 && repeated >= 3);
}

#[test]
fn the_size_asked_for_is_met() {
    for (kind, _) in KINDS {
        for wanted in [20_000usize, 120_000] {
            let count = generate(kind, Some(wanted), 1).unwrap().triangle_count();
            let off = count.abs_diff(wanted) as f64 / wanted as f64;
            assert!(off < 0.25, "{kind}: {count} for {wanted}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_model() {
    let key = |seed| {
        let scene = generate("city", Some(3000), seed).unwrap();
        let places: Vec<_> = scene.nodes.iter().map(|n| n.transform).collect();
        (places, scene.images[0].bytes.clone())
    };
    assert!(key(5) == key(5));
    assert!(key(5) != key(6));
    let error = generate("teapot", None, 0).unwrap_err().to_string();
    assert!(error.contains("teapot") && error.contains("lens-cube"));
}
