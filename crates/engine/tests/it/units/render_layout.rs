//! Unit tests of `render::layout`.

use modelkit::internals::uv_layout;
use modelkit::scene::{Material, Primitive};
use modelkit::{Ctx, Scene, Silent};

/// Triangles of texture coordinates, each with a material of its own.
fn scene(triangles: &[(u32, [[f32; 2]; 3])]) -> Scene {
    let mut scene = Scene::default();
    let most = triangles.iter().map(|one| one.0).max().unwrap_or(0);
    for _ in 0..=most {
        scene.materials.push(Material::plain("", [1.0; 4]));
    }
    let part = |(material, uvs): &(u32, [[f32; 2]; 3])| Primitive {
        positions: vec![[0.0; 3]; 3],
        uvs: vec![uvs.to_vec()],
        indices: vec![0, 1, 2],
        material: Some(*material),
        ..Primitive::default()
    };
    scene.add_mesh("", triangles.iter().map(part).collect());
    scene
}

#[test]
fn small_triangles_are_drawn_upon_large_ones() {
    let large = (0, [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
    let small = (1, [[0.2, 0.2], [0.4, 0.2], [0.2, 0.4]]);
    let draw = |triangles: &[(u32, [[f32; 2]; 3])]| {
        let drawn = uv_layout(&scene(triangles), 200, &Ctx::new(&Silent));
        drawn.unwrap().unwrap()
    };
    let picture = draw(&[small, large]);
    assert_eq!(picture, draw(&[large, small]));
    // Inside of both, and inside of the large one only.
    let at = |u: f32| {
        picture
            .get_pixel((6.0 + 188.0 * u) as u32, (6.0 + 188.0 * u) as u32)
            .0
    };
    let alone = draw(&[(1, small.1)]);
    assert_eq!(at(0.26), alone.get_pixel(54, 54).0);
    assert_ne!(at(0.26), at(0.42));
    // Of triangles that lie exactly upon each other the first is seen, without a trace of the second.
    let below = (1, large.1);
    assert_eq!(draw(&[large, below]), draw(&[large]));
}
