//! Tessellated geometry of AP242.

use super::step_text::{Product, Step, Unit};
use super::{Kind, RED, measures, near, read};

const CORNERS: &str = "((0.,0.,0.),(10.,0.,0.),(0.,10.,0.),(0.,0.,10.))";

/// A part of one tessellated item, which is returned too.
fn part(step: &mut Step, item: usize) -> Product {
    step.part_of(b"tess", "TESSELLATED_SHAPE_REPRESENTATION", &[item])
}

/// A tetrahedron of 10 units.
fn tetrahedron(step: &mut Step, link: &str) -> usize {
    let points = step.add(format!("COORDINATES_LIST('',4,{CORNERS})"));
    let face = step.add(format!(
        "TRIANGULATED_FACE('',#{points},4,(),$,(),((1,3,2),(1,2,4),(2,3,4),(1,4,3)))"
    ));
    step.add(format!("TESSELLATED_SOLID('tess',(#{face}),{link})"))
}

#[test]
fn a_tessellated_solid_is_read_with_unit_and_colour() {
    for (unit, metres) in [(Unit::Millimetre, 0.01), (Unit::Inch, 0.254)] {
        let mut step = Step::new(unit);
        let solid = tetrahedron(&mut step, "$");
        part(&mut step, solid);
        step.paint(solid, RED);
        let Some(scene) = read(&step.finish(), Kind::Step) else {
            return;
        };
        let scene = scene.unwrap();
        assert_eq!(scene.nodes[0].name, "tess");
        let (size, area) = measures(&scene);
        assert!(size.iter().all(|v| near(*v, metres)), "{size:?}");
        let wanted = metres * metres * (1.5 + 3f64.sqrt() / 2.0);
        assert!(near(area, wanted), "{area}");
        let primitive = &scene.meshes[0].primitives[0];
        let material = &scene.materials[primitive.material.unwrap() as usize];
        assert_eq!(material.base_color, [1.0, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn beside_exact_parts_it_has_its_place_in_the_assembly() {
    let mut step = Step::new(Unit::Millimetre);
    let (exact, _) = step.part(b"exact", [10.0; 3]);
    let solid = tetrahedron(&mut step, "$");
    let tess = part(&mut step, solid);
    step.assembly(
        b"top",
        &[("a", exact, [0.0; 3]), ("b", tess, [20.0, 0.0, 0.0])],
    );
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    assert_eq!((scene.nodes.len(), scene.meshes.len()), (3, 2));
    assert_eq!(scene.nodes[2].name, "b");
    let (size, _) = measures(&scene);
    assert!(near(size[0], 0.03), "{size:?}");
}

#[test]
fn strips_fans_and_normals_are_read() {
    let mut step = Step::new(Unit::Millimetre);
    let points = step.add(
        "COORDINATES_LIST('',6,((9.,9.,9.),(0.,0.,0.),(10.,0.,0.),(0.,10.,0.),(10.,10.,0.),(20.,0.,0.)))",
    );
    // Points 1 to 5 are all coordinates but the first. A strip of two triangles, and a fan of one.
    let set = step.add(format!(
        "COMPLEX_TRIANGULATED_SURFACE_SET('',#{points},5,((0.,0.,1.)),(2,3,4,5,6),((1,2,3,4)),((2,5,4)))"
    ));
    part(&mut step, set);
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    let (size, area) = measures(&scene);
    assert!(near(size[0], 0.02) && near(size[2], 0.01), "{size:?}");
    assert!(near(area, 1.5e-4), "{area}");
    let primitive = &scene.meshes[0].primitives[0];
    assert!(primitive.normals.iter().all(|n| *n == [0.0, 1.0, 0.0]));
    for corner in primitive.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|k| primitive.positions[corner[k] as usize]);
        let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        assert!(up > 0.0, "all face upward");
    }
}

#[test]
fn what_repeats_exact_geometry_is_not_shown_twice() {
    let mut step = Step::new(Unit::Millimetre);
    let (exact, _) = step.part(b"exact", [10.0; 3]);
    let solid = tetrahedron(&mut step, &format!("#{}", exact.solid));
    let (context, of) = (step.context, exact.representation);
    let shape = step.add(format!(
        "TESSELLATED_SHAPE_REPRESENTATION('',(#{solid}),#{context})"
    ));
    step.add(format!(
        "SHAPE_REPRESENTATION_RELATIONSHIP('','',#{of},#{shape})"
    ));
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    let triangles: usize = scene.unwrap().meshes[0]
        .primitives
        .iter()
        .map(|p| p.triangle_count())
        .sum();
    assert_eq!(triangles, 12);
}
