//! The parametric families: sound over the whole range of their parameters, each with a form of its own.

use modelkit::sample::family::{FAMILIES, find};
use modelkit::scene::{Mode, bake};
use modelkit::{Ctx, Scene, Silent, check};
use rayon::prelude::*;
use std::collections::HashSet;

fn assert_sound(scene: &Scene, what: &str) {
    for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
        let n = p.positions.len();
        assert!(p.mode == Mode::Triangles && n > 0, "{what}");
        assert!(p.normals.len() == n && p.uvs[0].len() == n, "{what}");
        assert!(p.indices.iter().all(|i| (*i as usize) < n), "{what}");
        assert!(
            p.positions.iter().flatten().all(|c| c.is_finite()),
            "{what}"
        );
        assert!(p.uvs[0].iter().flatten().all(|c| c.is_finite()), "{what}");
        let unit = |v: &[f32; 3]| (v.iter().map(|c| c * c).sum::<f32>() - 1.0).abs() < 1e-3;
        assert!(p.normals.iter().all(unit), "{what}");
    }
}

/// What distinguishes two models of one family: nodes, vertices and extent in hundredths of a millimetre.
fn form(scene: &Scene) -> [i64; 5] {
    let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
    bake(scene, &mut |baked| {
        for p in &baked.positions {
            for k in 0..3 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        Ok(())
    })
    .unwrap();
    let side = |k: usize| (f64::from(high[k] - low[k]) * 1e5).round() as i64;
    let counts = [scene.nodes.len(), scene.vertex_count()].map(|n| n as i64);
    [counts[0], counts[1], side(0), side(1), side(2)]
}

/// Colours and materials, which do not count as form.
const LOOKS: &[&str] = &["tone", "wood", "stone", "kind", "glaze"];

#[test]
fn every_family_is_sound_over_its_whole_range() {
    assert!(FAMILIES.len() >= 24);
    let names: HashSet<&str> = FAMILIES.iter().map(|f| f.name).collect();
    assert_eq!(names.len(), FAMILIES.len());
    FAMILIES.par_iter().for_each(|family| {
        let usual = family.draft(&[], 1).unwrap();
        let mut forms = 0;
        for param in family.params {
            assert!(param.least <= param.default && param.default <= param.most);
            assert!(!param.title.is_empty());
            let mut changes = false;
            for value in [param.least, param.most] {
                let what = format!("{} {}={value}", family.name, param.name);
                let scene = family.draft(&[(param.name.to_owned(), value)], 1);
                let scene = scene.unwrap_or_else(|e| panic!("{what}: {e}"));
                assert_sound(&scene, &what);
                changes |= form(&scene) != form(&usual);
            }
            forms += usize::from(changes && !LOOKS.contains(&param.name));
        }
        assert!(forms >= 3, "{} has {forms} parameters of form", family.name);
    });
}

#[test]
fn every_family_passes_the_check() {
    let animated: usize = FAMILIES
        .par_iter()
        .map(|family| {
            let scene = family.generate(&[], 1).unwrap();
            let report = check::check(&scene, 1_000_000, &Ctx::new(&Silent)).unwrap();
            // Among them: faces that look inwards, mixed winding, edges of three faces, degenerate triangles, textures without
            // coordinates.
            let reply = (family.name, report.score, &report.problems);
            assert!(
                report.score == 100 && report.problems.is_empty(),
                "{reply:?}"
            );
            let triangles = scene.triangle_count();
            assert!(
                (1_000..=60_000).contains(&triangles),
                "{}: {triangles}",
                family.name
            );
            usize::from(report.has_animation)
        })
        .sum();
    assert!(animated >= 4);
}

#[test]
fn a_wrong_parameter_is_told() {
    let gear = find("spur-gear").unwrap();
    let ask = |name: &str, value: f32| {
        gear.draft(&[(name.to_owned(), value)], 1)
            .unwrap_err()
            .to_string()
    };
    assert!(ask("teeth", 4.0).contains("12 到 80"));
    assert!(ask("teeth", 20.5).contains("整数"));
    assert!(ask("module", f32::NAN).contains("0.5 到 10"));
    assert!(ask("wings", 2.0).contains("teeth、module"));
    let crowded =
        [("sun", 12.0), ("planet", 30.0), ("planets", 5.0)].map(|(n, v)| (n.to_owned(), v));
    let reply = find("planetary").unwrap().draft(&crowded, 1).unwrap_err();
    assert!(reply.to_string().contains("碰撞"));
}
