//! What 3DS files hold beyond meshes: every chunk of the format has a case that shows what becomes of it.

use crate::fbx_beyond::finding;
use crate::models::png;
use crate::three_ds::{STRAIGHT, chunk, file, floats, name, node, square, words};
use modelkit::limits::Limits;
use modelkit::read::three_ds::{CHUNKS, Treatment};
use modelkit::read::{Input, SideFiles};
use modelkit::scene::{Severity, math};
use modelkit::{Ctx, Scene, Silent, open};
use std::borrow::Cow;

/// A picture for every name: left black, right white for those with an `h`.
struct Pictures;

impl SideFiles for Pictures {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        if !name.contains('h') {
            return Some(Cow::Owned(png(8)));
        }
        let picture =
            image::RgbImage::from_fn(8, 8, |x, _| image::Rgb([if x < 4 { 0 } else { 255 }; 3]));
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, image::ImageFormat::Png).unwrap();
        Some(Cow::Owned(out.into_inner()))
    }
}

fn read(bytes: &[u8]) -> Scene {
    let input = Input {
        bytes,
        name: "wall.3ds",
        side: &Pictures,
    };
    open::read(&input, &Ctx::new(&Silent)).unwrap()
}

fn metre() -> Vec<u8> {
    chunk(0x0100, &floats(&[100.0 / 2.54]))
}

fn material(inner: &[Vec<u8>]) -> Vec<u8> {
    let title = chunk(0xa000, &name("砖墙".as_bytes()));
    chunk(0xafff, &[title, inner.concat()].concat())
}

fn map(id: u16, file: &str, inner: &[Vec<u8>]) -> Vec<u8> {
    let file = chunk(0xa300, &name(file.as_bytes()));
    chunk(id, &[file, inner.concat()].concat())
}

fn percent(value: u16) -> Vec<u8> {
    chunk(0x0030, &words(&[value]))
}

/// A square with a material of these chunks.
fn scene(inner: &[Vec<u8>]) -> Scene {
    read(&file(
        &[metre(), material(inner), square(b"Wall", &STRAIGHT)],
        &[],
    ))
}

fn quiet(scene: &Scene) -> bool {
    scene.problems.is_empty()
}

fn pixel(scene: &Scene, slot: Option<modelkit::scene::TextureRef>, x: u32) -> [u8; 4] {
    let texture = &scene.textures[slot.expect("a texture").texture as usize];
    let image = &scene.images[texture.image as usize];
    let picture = modelkit::scene::decode(&image.bytes, &Limits::default()).unwrap();
    picture.to_rgba8().get_pixel(x, 4).0
}

#[test]
fn maps_are_turned_about_their_middle() {
    let turned = |degrees: f32, more: &[Vec<u8>]| {
        let mut inner = vec![chunk(0xa35c, &floats(&[degrees]))];
        inner.extend(more.iter().cloned());
        scene(&[map(0xa200, "a.png", &inner)])
    };
    let found = turned(90.0, &[]);
    assert!(quiet(&found), "{:?}", found.problems);
    let slot = found.materials[0].base_color_texture.unwrap();
    let transform = slot.transform.unwrap();
    let (sin, cos) = transform.rotation.sin_cos();
    // With v upwards, as glTF defines the transform with v downwards. The picture is turned to the left about the middle:
    // what is right of it on the surface is below in the picture.
    for ([u, v], wanted) in [
        ([0.5, 0.5], [0.5, 0.5]),
        ([1.0, 0.5], [0.5, 0.0]),
        ([0.0, 0.0], [0.0, 1.0]),
    ] {
        let q = 1.0 - v;
        let p = u * cos + q * sin + transform.offset[0];
        let down = -u * sin + q * cos + transform.offset[1];
        assert!(
            (p - wanted[0]).abs() < 1e-5 && (1.0 - down - wanted[1]).abs() < 1e-5,
            "{u} {v}: {p} {down}"
        );
    }
    // One scale with a rotation holds, two do not.
    let both = [
        chunk(0xa354, &floats(&[2.0])),
        chunk(0xa356, &floats(&[2.0])),
    ];
    let found = turned(30.0, &both);
    assert!(quiet(&found), "{:?}", found.problems);
    let found = turned(30.0, &both[..1]);
    assert_eq!(finding(&found, "旋转平铺").code, "uv-transform-skipped");
    assert_eq!(
        found.materials[0]
            .base_color_texture
            .unwrap()
            .transform
            .unwrap()
            .scale,
        [2.0, 1.0]
    );
}

#[test]
fn a_map_shows_as_far_as_its_percentage_says() {
    let red = chunk(0xa020, &chunk(0x0011, &[255, 0, 0]));
    let found = scene(&[red.clone(), map(0xa200, "h.png", &[percent(25)])]);
    assert!(quiet(&found), "{:?}", found.problems);
    let slot = found.materials[0].base_color_texture;
    assert_eq!(pixel(&found, slot, 1), [191, 0, 0, 255]);
    assert_eq!(pixel(&found, slot, 6), [255, 64, 64, 255]);
    // A second map lies over the first.
    let found = scene(&[
        red,
        map(0xa200, "h.png", &[percent(100)]),
        map(0xa33a, "a.png", &[percent(50)]),
    ]);
    assert!(quiet(&found), "{:?}", found.problems);
    let above = png(8);
    let above = modelkit::scene::decode(&above, &Limits::default())
        .unwrap()
        .to_rgba8();
    let found = pixel(&found, found.materials[0].base_color_texture, 6);
    for k in 0..3 {
        let wanted = (255 + u16::from(above.get_pixel(6, 4).0[k])) / 2;
        assert!(found[k].abs_diff(wanted as u8) <= 1, "{found:?}");
    }
    // Opaque where the map does not show.
    let found = scene(&[map(0xa210, "h.png", &[percent(50)])]);
    let slot = found.materials[0].base_color_texture;
    assert_eq!(
        (pixel(&found, slot, 1)[3], pixel(&found, slot, 6)[3]),
        (128, 255)
    );
    // The other way round.
    let negative = chunk(0xa351, &words(&[0x08]));
    let found = scene(&[map(0xa200, "h.png", &[negative])]);
    assert_eq!(
        pixel(&found, found.materials[0].base_color_texture, 6)[..3],
        [0, 0, 0]
    );
    let found = scene(&[map(0xa33d, "h.png", &[percent(40)])]);
    assert_eq!(found.materials[0].emissive, [0.4; 3]);
}

#[test]
fn looks_that_materials_do_not_have_are_told() {
    for (inner, words) in [
        (chunk(0xa100, &words(&[1])), "平面着色"),
        (chunk(0xa100, &words(&[0])), "线框"),
        (chunk(0xa100, &words(&[4])), "金属着色"),
        (chunk(0xa052, &percent(20)), "透明衰减"),
        (
            map(0xa200, "a.png", &[chunk(0xa351, &words(&[0x80]))]),
            "贴图着色",
        ),
    ] {
        let told = finding(&scene(&[inner]), words);
        assert_eq!(
            (told.severity, told.place.as_str()),
            (Severity::Warning, "材质 砖墙")
        );
    }
    for inner in [chunk(0xa100, &words(&[3])), chunk(0xa052, &percent(0))] {
        assert!(quiet(&scene(&[inner])));
    }
}

fn object(title: &[u8], inner: &[Vec<u8>]) -> Vec<u8> {
    chunk(0x4000, &[name(title), inner.concat()].concat())
}

#[test]
fn cameras_stand_and_look_as_stated_and_lights_are_told() {
    let lamp = chunk(0x4600, &floats(&[1.0, 2.0, 3.0]));
    let eye = floats(&[0.0, -4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 48.0]);
    let eye = chunk(0x4700, &[eye, chunk(0x4720, &floats(&[1.0, 9.0]))].concat());
    let found = read(&file(
        &[
            metre(),
            material(&[]),
            square(b"Wall", &STRAIGHT),
            object(b"Lamp", &[lamp]),
            object(b"Eye", &[eye]),
        ],
        &[],
    ));
    let told = finding(&found, "灯光未保留");
    assert_eq!(
        (told.severity, told.place.as_str()),
        (Severity::Info, "物体 Lamp")
    );
    assert_eq!((found.lights.len(), found.cameras.len()), (0, 1));
    let world = found.world_matrices();
    let eye = found.nodes.iter().position(|n| n.name == "Eye").unwrap();
    let m = &world[eye];
    let (place, looks) = ([m[12], m[13], m[14]], math::direction(m, [0.0, 0.0, -1.0]));
    let close = |a: [f64; 3], b: [f64; 3]| (0..3).all(|k| (a[k] - b[k]).abs() < 1e-3);
    // z of the file is up.
    assert!(
        close(place, [0.0, 0.0, 4.0]) && close(looks, [0.0, 0.0, -1.0]),
        "{place:?} {looks:?}"
    );
    // 48 mm are 50 degrees across, 38.6 up.
    let view = &found.cameras[0]["perspective"];
    assert!((view["yfov"].as_f64().unwrap().to_degrees() - 38.55).abs() < 0.05);
    assert!((view["zfar"].as_f64().unwrap() - 9.0).abs() < 1e-3);
}

#[test]
fn colours_are_read_as_srgb_in_all_four_forms() {
    // A half, as a float and as a byte, with and without the note that it is corrected for screens.
    for (id, value) in [
        (0x0010, floats(&[0.5, 1.0, 0.0])),
        (0x0011, vec![128, 255, 0]),
        (0x0012, vec![128, 255, 0]),
        (0x0013, floats(&[0.5, 1.0, 0.0])),
    ] {
        let found = scene(&[chunk(0xa020, &chunk(id, &value))]);
        let [r, g, b, _] = found.materials[0].base_color;
        assert!(
            (r - 0.2151).abs() < 2e-3 && (g - 1.0).abs() < 1e-6 && b == 0.0,
            "{id:04x}: {r} {g} {b}"
        );
    }
}

#[test]
fn hidden_objects_and_motion_are_told() {
    let visible = square(b"Wall", &STRAIGHT);
    let mut hidden = square(b"Ghost", &STRAIGHT)[6..].to_vec();
    hidden.extend(chunk(0x4010, &[]));
    let found = read(&file(&[visible.clone(), chunk(0x4000, &hidden)], &[]));
    assert_eq!(found.triangle_count(), 2);
    let told = finding(&found, "隐藏");
    assert_eq!(
        (told.code, told.place.as_str()),
        ("hidden-skipped", "物体 Ghost")
    );
    // Tracks with one key place an object, with two they move it; any key of a hide track hides.
    let track = |id: u16, keys: u32| {
        let mut body = vec![0; 10];
        body.extend(keys.to_le_bytes());
        chunk(id, &body)
    };
    let header = chunk(0xb010, &[name(b"Wall"), words(&[0, 0, 0xffff])].concat());
    for (id, keys, moves) in [
        (0xb020, 2, true),
        (0xb023, 1, false),
        (0xb023, 2, true),
        (0xb026, 2, true),
        (0xb029, 0, false),
        (0xb029, 1, true),
    ] {
        let inner = [header.clone(), track(id, keys)].concat();
        let keys = chunk(0xb000, &chunk(0xb002, &inner));
        let found = read(&file(std::slice::from_ref(&visible), &[keys]));
        let told = found.problems.iter().any(|p| p.code == "animation-skipped");
        assert_eq!(told, moves, "{id:04x}");
    }
    let still = [node(0, b"Wall", 0xffff, [0.0; 3])].concat();
    let found = read(&file(&[visible], &[chunk(0xb000, &still)]));
    assert!(!found.problems.iter().any(|p| p.code == "animation-skipped"));
}

/// Where a chunk may stand: in a material, its map, a mesh, a light, an object, the editor, a node of keys or the file.
fn placed(id: u16, body: &[u8]) -> Scene {
    let own = chunk(id, body);
    let wall = square(b"Wall", &STRAIGHT);
    let editor = |more: Vec<u8>| file(&[metre(), material(&[]), wall.clone(), more], &[]);
    let bytes = match id {
        0xa300..=0xa368 if !(0xa310..=0xa350).contains(&id) => editor(material(&[map(
            0xa200,
            "a.png",
            std::slice::from_ref(&own),
        )])),
        0xa000..=0xafff => editor(material(std::slice::from_ref(&own))),
        0x4111..=0x4190 => {
            // Beside the chunks of the mesh.
            let mut mesh = wall.clone();
            let at = mesh.windows(2).position(|w| w == [0x00, 0x41]).unwrap();
            mesh.extend(&own);
            for place in [2, at + 2] {
                let size = u32::from_le_bytes(mesh[place..place + 4].try_into().unwrap());
                mesh[place..place + 4].copy_from_slice(&(size + own.len() as u32).to_le_bytes());
            }
            file(&[metre(), material(&[]), mesh], &[])
        }
        0x4010..=0x4017 => {
            let mut object = wall[6..].to_vec();
            object.extend(&own);
            file(&[metre(), material(&[]), chunk(0x4000, &object)], &[])
        }
        0x4600 => editor(object(b"Lamp", std::slice::from_ref(&own))),
        0x4710..=0x4720 => {
            let eye = [
                floats(&[0.0, -4.0, 0.0, 0.0, 0.0, 0.0, 0.0, 48.0]),
                own.clone(),
            ]
            .concat();
            editor(object(b"Eye", &[chunk(0x4700, &eye)]))
        }
        0xb012 | 0xb014 | 0xb015 => {
            let header = chunk(0xb010, &[name(b"Wall"), words(&[0, 0, 0xffff])].concat());
            let node = chunk(0xb002, &[header, own.clone()].concat());
            file(
                &[metre(), material(&[]), wall.clone()],
                &[chunk(0xb000, &node)],
            )
        }
        0xb008..=0xb00a => file(
            &[metre(), material(&[]), wall.clone()],
            &[chunk(0xb000, &own)],
        ),
        0x0002 | 0xc010 | 0xfff0 => file(
            &[metre(), material(&[]), wall.clone()],
            std::slice::from_ref(&own),
        ),
        _ => editor(own.clone()),
    };
    read(&bytes)
}

#[test]
fn every_chunk_is_read_or_told_or_changes_nothing() {
    let known = |p: &modelkit::scene::Problem| {
        ["unread-data", "animation-skipped", "uv-transform-skipped"].contains(&p.code)
    };
    for (id, treatment) in CHUNKS {
        match treatment {
            Treatment::Lost(_, title) => {
                let found = placed(*id, &[]);
                let told = finding(&found, title);
                assert!(!told.advice.is_empty(), "{id:04x}");
            }
            Treatment::Silent => {
                let found = placed(*id, &[0; 4]);
                assert!(
                    !found.problems.iter().any(known),
                    "{id:04x} {:?}",
                    found.problems
                );
            }
            // Those have their tests here and in three_ds.rs; maps that are only read to be told, here.
            Treatment::Read => {
                let title = match id {
                    0xa204 => "高光贴图",
                    0xa220 => "反射贴图",
                    0xa33c => "光泽贴图",
                    0xa33e | 0xa340 | 0xa342 | 0xa344 | 0xa346 | 0xa348 | 0xa34a | 0xa34c => "遮罩",
                    _ => continue,
                };
                let found = scene(&[map(*id, "a.png", &[])]);
                assert_eq!(finding(&found, title).place, "材质 砖墙", "{id:04x}");
                // Without a file it is none.
                assert!(quiet(&scene(&[chunk(*id, &percent(50))])), "{id:04x}");
            }
        }
    }
    let mut ids: Vec<u16> = CHUNKS.iter().map(|(id, _)| *id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), CHUNKS.len(), "a chunk stands twice");
}

#[test]
fn unknown_chunks_are_told_and_passed_wherever_they_stand() {
    let strange = chunk(0x9abc, &[1, 2, 3]);
    let inside = material(&[
        strange.clone(),
        map(0xa200, "a.png", std::slice::from_ref(&strange)),
    ]);
    let wall = square(b"Wall", &STRAIGHT);
    let mut mesh = wall[6..].to_vec();
    mesh.extend(&strange);
    let keys = chunk(0xb000, &strange);
    let found = read(&file(
        &[strange.clone(), inside, chunk(0x4000, &mesh)],
        &[keys, strange.clone()],
    ));
    assert_eq!(found.triangle_count(), 2);
    let told = finding(&found, "9ABC");
    assert!(told.message.starts_with("6 处"), "{told:?}");
    assert_eq!(told.severity, Severity::Info);
}

#[test]
fn lengths_that_do_not_fit_lose_no_more_than_they_must() {
    // A chunk of the material claims more than the material has.
    let mut long = chunk(0xa020, &chunk(0x0011, &[255, 0, 0]));
    long[2] = 200;
    let found = scene(&[long]);
    assert_eq!(found.triangle_count(), 2);
    assert_eq!(found.materials[0].base_color[..2], [1.0, 0.0]);
    assert!(finding(&found, "长度").message.contains("A020"));
    // One of length zero ends its material.
    let mut zero = chunk(0xa081, &[]);
    zero[2] = 0;
    let found = scene(&[zero]);
    assert_eq!((found.triangle_count(), found.materials.len()), (2, 1));
    assert_eq!(finding(&found, "长度").place, "材质 砖墙");
    // Fewer vertices than stated.
    let mut mesh = square(b"Wall", &STRAIGHT);
    let count = mesh.windows(2).position(|w| w == [0x10, 0x41]).unwrap() + 6;
    mesh[count] = 9;
    let found = read(&file(&[metre(), mesh], &[]));
    assert_eq!(found.triangle_count(), 2);
    finding(&found, "长度");
}

#[test]
fn what_contradicts_itself_is_told() {
    let mut mesh = square(b"", &STRAIGHT);
    let faces = mesh.windows(4).position(|w| w == [1, 0, 2, 0]).unwrap();
    mesh[faces] = 200;
    let found = read(&file(&[metre(), mesh], &[]));
    assert_eq!(found.triangle_count(), 1);
    let told = finding(&found, "序号超出范围");
    assert_eq!(
        (told.place.as_str(), told.severity),
        ("物体 第 1 个", Severity::Warning)
    );
    // The square's material is not there.
    assert!(
        finding(&found, "材质在文件里找不到")
            .message
            .contains("砖墙")
    );
    // Materials may follow the objects.
    let found = read(&file(
        &[metre(), square(b"Wall", &STRAIGHT), material(&[])],
        &[],
    ));
    assert!(quiet(&found), "{:?}", found.problems);
    // Vertices twice.
    let mut mesh = square(b"Wall", &STRAIGHT);
    let again = chunk(0x4110, &[words(&[4]), floats(&[0.; 12])].concat());
    let at = mesh.windows(2).position(|w| w == [0x00, 0x41]).unwrap();
    mesh.extend(&again);
    for place in [2, at + 2] {
        let size = u32::from_le_bytes(mesh[place..place + 4].try_into().unwrap());
        mesh[place..place + 4].copy_from_slice(&(size + again.len() as u32).to_le_bytes());
    }
    let found = read(&file(&[metre(), mesh, material(&[])], &[]));
    assert!(finding(&found, "重复出现").message.contains("4110"));
}
