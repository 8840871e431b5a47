//! Unit tests of `lighten::fit`.

use modelkit::internals::{Surface, Vec3, blend, fit, vec3};

/// A sphere of `rings` × `2 rings` quads.
fn sphere(rings: u32) -> (Vec<Vec3>, Vec<u32>) {
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    let columns = rings * 2;
    for ring in 0..=rings {
        for column in 0..columns {
            let polar = std::f32::consts::PI * ring as f32 / rings as f32;
            let around = std::f32::consts::TAU * column as f32 / columns as f32;
            let (x, z) = (polar.sin() * around.cos(), polar.sin() * around.sin());
            positions.push([x, polar.cos(), z]);
        }
    }
    let at = |ring: u32, column: u32| ring * columns + column % columns;
    for ring in 0..rings {
        for column in 0..columns {
            let [a, b] = [at(ring, column), at(ring, column + 1)];
            let [c, d] = [at(ring + 1, column + 1), at(ring + 1, column)];
            indices.extend([a, b, c, a, c, d]);
        }
    }
    (positions, indices)
}

/// Mean distance of the triangles' centres from the unit sphere.
fn off(positions: &[Vec3], indices: &[u32]) -> f32 {
    let triangles = indices.as_chunks::<3>().0;
    let centre = |t: &[u32; 3]| blend(t.map(|v| positions[v as usize]), [1.0 / 3.0; 3]);
    let away = |t: &[u32; 3]| (vec3::dot(centre(t), centre(t)).sqrt() - 1.0).abs();
    triangles.iter().map(away).sum::<f32>() / triangles.len() as f32
}

fn simplified() -> (Vec<Vec3>, Vec<u32>, Vec<u32>) {
    let (positions, indices) = sphere(48);
    let bytes = positions.clone();
    let adapter = meshopt::utilities::typed_to_bytes(&bytes);
    let adapter = meshopt::VertexDataAdapter::new(adapter, 12, 0).unwrap();
    let few = meshopt::simplify(
        &indices,
        &adapter,
        600 * 3,
        1.0,
        meshopt::SimplifyOptions::None,
        None,
    );
    (positions, indices, few)
}

#[test]
fn the_chords_of_a_sphere_come_closer_to_it() {
    let (positions, indices, few) = simplified();
    let mut moved = positions.clone();
    let original = Surface {
        positions: &positions,
        indices: &indices,
    };
    fit(&original, &few, &mut moved, &|_| false);
    let (before, after) = (off(&positions, &few), off(&moved, &few));
    assert!(after < before * 0.6, "{before} {after}");
}

#[test]
fn fixed_vertices_and_flat_surfaces_stay() {
    let (positions, indices, few) = simplified();
    let original = Surface {
        positions: &positions,
        indices: &indices,
    };
    let mut moved = positions.clone();
    fit(&original, &few, &mut moved, &|_| true);
    assert_eq!(moved, positions);
    let flat = [[0.0; 3], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    let mut same = flat;
    let square = [0, 1, 2, 0, 2, 3];
    let original = Surface {
        positions: &flat,
        indices: &square,
    };
    fit(&original, &square, &mut same, &|_| false);
    assert_eq!(same, flat);
}

#[test]
fn nothing_comes_of_points_without_area_or_place() {
    for bad in [0.0, f32::NAN, f32::INFINITY, 1e38] {
        let positions = [[bad; 3]; 3];
        let original = Surface {
            positions: &positions,
            indices: &[0, 1, 2],
        };
        let mut moved = positions;
        fit(&original, &[0, 1, 2], &mut moved, &|_| false);
        assert_eq!(
            moved.map(|p| p.map(f32::to_bits)),
            positions.map(|p| p.map(f32::to_bits))
        );
    }
}
