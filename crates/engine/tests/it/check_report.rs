//! The check report, from the view of a user who has to repair the model.

use crate::archive::pack;
use crate::models::{animated, png, read_bytes, textured, write_bytes};
use modelkit::check::{Report, check};
use modelkit::limits::Limits;
use modelkit::scene::math::determinant;
use modelkit::scene::{
    Image, Material, Node, Primitive, Problem, Severity, SkinSet, Transform, Units,
};
use modelkit::{Ctx, Scene, Silent};

fn report(scene: &Scene) -> Report {
    check(scene, 1000, &Ctx::new(&Silent)).unwrap()
}

/// The finding with this code; checks that it has place, message and advice.
fn found(scene: &Scene, code: &str) -> Problem {
    let report = report(scene);
    let problem = report.problems.iter().find(|p| p.code == code);
    let problem = problem.unwrap_or_else(|| panic!("no {code} in {:?}", report.problems));
    assert!(problem.message.chars().count() > 5, "{problem:?}");
    assert!(problem.advice.chars().count() > 5, "{problem:?}");
    problem.clone()
}

fn has(scene: &Scene, code: &str) -> bool {
    report(scene).problems.iter().any(|p| p.code == code)
}

/// A scene of one mesh called 屋顶 under a node called 房子.
fn scene_of(positions: &[[f32; 3]], indices: &[u32]) -> Scene {
    let mut scene = Scene::default();
    let primitive = Primitive {
        positions: positions.to_vec(),
        indices: indices.to_vec(),
        ..Primitive::default()
    };
    let mesh = scene.add_mesh("屋顶", vec![primitive]);
    let node = Node {
        name: "房子".into(),
        mesh: Some(mesh),
        ..Node::default()
    };
    scene.add_node(node, None);
    scene
}

const CORNERS: [[f32; 3]; 4] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
];
/// A tetrahedron, its faces outwards.
const OUTWARDS: [u32; 12] = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

#[test]
fn a_sound_model_has_no_findings() {
    let mut scene = textured(6);
    scene.nodes[0].transform = Transform::default();
    let report = report(&scene);
    let codes: Vec<&str> = report.problems.iter().map(|p| p.code).collect();
    assert!(report.score >= 95, "{} {codes:?}", report.score);
    assert!(
        report.problems.iter().all(|p| p.severity == Severity::Info),
        "{codes:?}"
    );
}

#[test]
fn faces_with_wrong_orientation_are_distinguished() {
    let sound = scene_of(&CORNERS, &OUTWARDS);
    for code in [
        "inside-out",
        "mixed-winding",
        "inverted-normals",
        "duplicate-faces",
        "non-manifold",
    ] {
        assert!(!has(&sound, code), "{code}");
    }
    let inwards: Vec<u32> = OUTWARDS.iter().rev().copied().collect();
    let scene = scene_of(&CORNERS, &inwards);
    assert_eq!(found(&scene, "inside-out").place, "网格 屋顶（节点 房子）");
    let mut double = scene;
    double.materials.push(Material {
        double_sided: true,
        ..Material::plain("纸", [1.0; 4])
    });
    double.meshes[0].primitives[0].material = Some(0);
    assert!(!has(&double, "inside-out"));
    let mut mixed = OUTWARDS;
    mixed.swap(0, 1);
    let problem = found(&scene_of(&CORNERS, &mixed), "mixed-winding");
    assert_eq!((problem.count, problem.total), (3, 6));
    assert!(
        problem.message.contains("50.0%") && problem.advice.contains("Shift+N"),
        "{problem:?}"
    );
    let mut scene = textured(6);
    for normal in &mut scene.meshes[0].primitives[0].normals {
        *normal = normal.map(|v| -v);
    }
    let problem = found(&scene, "inverted-normals");
    assert!(
        problem.share() > 0.9 && problem.severity == Severity::Warning,
        "{problem:?}"
    );
}

#[test]
fn faces_too_many_or_without_area_are_counted() {
    let twice = [&OUTWARDS[..], &OUTWARDS[..3]].concat();
    let problem = found(&scene_of(&CORNERS, &twice), "duplicate-faces");
    assert_eq!(
        (problem.count, problem.total, problem.severity),
        (1, 5, Severity::Warning)
    );
    // Three collinear points, and two coincident corners.
    let line = [
        [0.0, 0.0, 0.0],
        [1.0, 1.0, 1.0],
        [3.0, 3.0, 3.0],
        [0.0, 1.0, 0.0],
    ];
    let problem = found(
        &scene_of(&line, &[0, 1, 2, 0, 0, 3, 0, 1, 3]),
        "degenerate-triangles",
    );
    assert_eq!((problem.count, problem.total), (2, 3));
    let fan = [CORNERS.as_slice(), &[[1.0, 1.0, 1.0], [9.0, 9.0, 9.0]]].concat();
    let scene = scene_of(&fan, &[0, 1, 2, 0, 1, 3, 0, 1, 4]);
    assert_eq!(found(&scene, "non-manifold").count, 1);
    assert_eq!(found(&scene, "unreferenced-vertices").count, 1);
    assert!(found(&scene, "no-normals").message.contains("法线"));
}

#[test]
fn the_worst_places_are_named() {
    let mut scene = Scene::default();
    for (name, faces) in [("甲", 1), ("乙", 5), ("丙", 2), ("丁", 9)] {
        let primitive = Primitive {
            positions: CORNERS.to_vec(),
            indices: [0, 0, 1].repeat(faces),
            ..Primitive::default()
        };
        let mesh = scene.add_mesh(name, vec![primitive]);
        scene.add_node(
            Node {
                name: name.into(),
                mesh: Some(mesh),
                ..Node::default()
            },
            None,
        );
    }
    let problem = found(&scene, "degenerate-triangles");
    assert_eq!(problem.place, "网格 丁、网格 乙、网格 丙 等 4 处");
}

#[test]
fn a_place_is_named_once_and_parts_of_a_mesh_by_their_material() {
    let mut scene = Scene::default();
    for name in ["红", "蓝"] {
        scene.materials.push(Material::plain(name, [1.0; 4]));
    }
    let part = |material: u32| Primitive {
        positions: CORNERS.to_vec(),
        indices: vec![0, 0, 1],
        material: Some(material),
        ..Primitive::default()
    };
    for (name, parts) in [
        ("墙", vec![part(0)]),
        ("墙", vec![part(0)]),
        ("", vec![part(0), part(1), part(1)]),
    ] {
        let mesh = Some(scene.add_mesh(name, parts));
        let node = Node {
            mesh,
            ..Node::default()
        };
        scene.add_node(node, None);
    }
    let problem = found(&scene, "degenerate-triangles");
    assert_eq!(problem.count, 5);
    assert_eq!(
        problem.place,
        "网格 墙、第 3 个网格的材质 蓝 部分、第 3 个网格的材质 红 部分"
    );
}

#[test]
fn textures_are_named_with_what_is_wrong() {
    let mut scene = textured(4);
    scene.meshes[0].primitives[0].uvs.clear();
    assert!(
        found(&scene, "no-uv-but-texture")
            .advice
            .contains("智能 UV 投射")
    );
    let mut scene = textured(4);
    (scene.images[0].width, scene.images[0].height) = (8192, 8192);
    let problem = found(&scene, "huge-texture");
    assert_eq!(problem.place, "贴图 wood.png（材质 木头） 8192×8192");
    assert!(problem.message.contains("357 MB"), "{}", problem.message);
    (scene.images[0].width, scene.images[0].height) = (1000, 500);
    assert!(found(&scene, "non-power-of-two").place.contains("1000×500"));
    let noise = image::RgbImage::from_fn(64, 64, |x, y| {
        let mixed = (x * 64 + y).wrapping_mul(2_654_435_761);
        image::Rgb([mixed >> 8, mixed >> 16, mixed >> 24].map(|v| v as u8))
    });
    let mut whole = std::io::Cursor::new(Vec::new());
    noise.write_to(&mut whole, image::ImageFormat::Png).unwrap();
    let whole = whole.into_inner();
    let image = |bytes: &[u8]| Image::from_encoded("木纹.png", bytes, &Limits::default()).unwrap();
    for end in [whole.len() - 20, whole.len() / 2] {
        scene.images[0] = image(&whole[..end]);
        let problem = found(&scene, "broken-texture");
        assert_eq!(
            (problem.severity, problem.place.as_str()),
            (Severity::Error, "贴图 木纹.png（材质 木头）")
        );
    }
    let picture = image::DynamicImage::new_rgb16(8, 8);
    let mut deep = std::io::Cursor::new(Vec::new());
    picture
        .write_to(&mut deep, image::ImageFormat::Png)
        .unwrap();
    scene.images[0] = image(deep.get_ref());
    assert_eq!(found(&scene, "16-bit-texture").count, 1);
    let mut jpeg = std::io::Cursor::new(Vec::new());
    noise.write_to(&mut jpeg, image::ImageFormat::Jpeg).unwrap();
    let jpeg = jpeg.into_inner();
    scene.images[0] = image(&jpeg);
    assert!(!has(&scene, "broken-texture") && !has(&scene, "cmyk-texture"));
    scene.images[0] = image(&jpeg[..jpeg.len() * 3 / 4]);
    found(&scene, "broken-texture");
    // The frame header has four components; the data is missing.
    let frame = b"\xff\xd8\xff\xc0\x00\x14\x08\x00\x08\x00\x08\x04\x01\x11\x00\x02\x11\x00\x03\x11\x00\x04\x11\x00\xff\xd9";
    scene.images[0] = Image {
        mime: "image/jpeg",
        bytes: frame.as_slice().into(),
        ..scene.images[0].clone()
    };
    assert!(found(&scene, "cmyk-texture").advice.contains("RGB"));
}

#[test]
fn pictures_too_large_are_refused_by_their_header() {
    let side = 50_000u32;
    let mut png_head = png(8)[..].to_vec();
    png_head[16..20].copy_from_slice(&side.to_be_bytes());
    png_head[20..24].copy_from_slice(&side.to_be_bytes());
    let sum = crate::archive::crc32(&png_head[12..29]).to_be_bytes();
    png_head[29..33].copy_from_slice(&sum);
    let half = side as u16;
    let mut jpeg = std::io::Cursor::new(Vec::new());
    image::DynamicImage::new_rgb8(32, 32)
        .write_to(&mut jpeg, image::ImageFormat::Jpeg)
        .unwrap();
    let mut jpeg = jpeg.into_inner();
    let frame = jpeg.windows(2).position(|w| w == [0xff, 0xc0]).unwrap();
    jpeg[frame + 5..frame + 7].copy_from_slice(&half.to_be_bytes());
    jpeg[frame + 7..frame + 9].copy_from_slice(&half.to_be_bytes());
    let mut tga = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    tga.extend([half.to_le_bytes(), half.to_le_bytes()].concat());
    tga.extend([24, 0, 1, 2, 3]);
    let mut bmp = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bmp.extend([side.to_le_bytes(), side.to_le_bytes()].concat());
    bmp.extend([1, 0, 24, 0]);
    bmp.extend([0; 40]);
    for (kind, bytes) in [
        ("png", png_head.clone()),
        ("jpg", jpeg),
        ("tga", tga),
        ("bmp", bmp),
    ] {
        let error = Image::from_encoded("a", &bytes, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("50000×50000"), "{kind}: {error}");
    }
    // A PNG of a colour costs next to no bytes, whatever its size.
    let mut wide = png_head.clone();
    wide[16..24].copy_from_slice(&[0, 0, 0x3e, 0x80, 0, 0, 0x3e, 0x80]);
    let sum = crate::archive::crc32(&wide[12..29]).to_be_bytes();
    wide[29..33].copy_from_slice(&sum);
    let error = Image::from_encoded("a", &wide, &Limits::default()).unwrap_err();
    assert!(
        error.to_string().contains("16000×16000") && error.to_string().contains("8192"),
        "{error}"
    );
    // A WebP canvas of 2^24 by 2^24, and a KTX2 without levels.
    let mut webp = b"RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0".to_vec();
    webp.extend([0xff; 6]);
    webp.extend(b"VP8 \0\0\0\0");
    let mut ktx2 = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    for word in [0, 1, side, side, 0, 0, 1, 1, 1] {
        ktx2.extend(word.to_le_bytes());
    }
    ktx2.extend([0; 64]);
    for (kind, bytes) in [("webp", webp), ("ktx2", ktx2)] {
        assert!(
            Image::from_encoded("a", &bytes, &Limits::default()).is_err(),
            "{kind}"
        );
    }
    // In a model the rest is read, and the report names the image and what to do.
    let obj = b"mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl wood\nf 1/1 2/1 3/1\n";
    let bytes = pack(&[
        ("m.obj", obj),
        ("m.mtl", b"newmtl wood\nmap_Kd big.png\n"),
        ("big.png", &png_head),
    ]);
    let scene = read_bytes(&bytes, "a.zip").unwrap();
    let problem = found(&scene, "unreadable-texture");
    assert!(
        problem.message.contains("big.png") && problem.message.contains("50000×50000"),
        "{problem:?}"
    );
    assert_eq!(problem.place, "材质 wood");
}

#[test]
fn a_picture_that_swells_stays_within_its_header() {
    let limits = Limits {
        image_pixels: 10_000,
        ..Limits::default()
    };
    assert!(Image::from_encoded("a", &png(100), &limits).is_ok());
    assert!(Image::from_encoded("a", &png(128), &limits).is_err());
    // The data is longer than the header declares: the excess is not kept.
    let mut short = png(100);
    short[16..24].copy_from_slice(&[0, 0, 0, 8, 0, 0, 0, 8]);
    let sum = crate::archive::crc32(&short[12..29]).to_be_bytes();
    short[29..33].copy_from_slice(&sum);
    let decoded = modelkit::scene::decode(&short, &limits);
    assert!(decoded.is_err() || decoded.is_ok_and(|picture| picture.width() == 8));
}

#[test]
fn too_much_of_everything_is_reported() {
    let mut scene = scene_of(&CORNERS, &OUTWARDS);
    scene.materials = vec![Material::plain("a", [1.0; 4]); 300];
    assert!(found(&scene, "too-many-materials").message.contains("300"));
    for _ in 0..6_000 {
        scene.add_node(
            Node {
                mesh: Some(0),
                ..Node::default()
            },
            None,
        );
    }
    assert!(found(&scene, "too-many-draws").message.contains("6,001"));
    assert!(found(&scene, "too-many-nodes").message.contains("6,001"));
}

#[test]
fn place_size_and_unit_are_looked_at() {
    let far: Vec<[f32; 3]> = CORNERS
        .iter()
        .map(|[x, y, z]| [x + 5.0e5, *y, *z])
        .collect();
    assert!(
        found(&scene_of(&far, &OUTWARDS), "far-from-origin")
            .message
            .contains("500.0 千米")
    );
    let huge = CORNERS.map(|p| p.map(|v| v * 50_000.0));
    assert!(
        found(&scene_of(&huge, &OUTWARDS), "unit-odd")
            .advice
            .contains("单位设置")
    );
    let tiny = CORNERS.map(|p| p.map(|v| v * 1e-5));
    assert!(
        found(&scene_of(&tiny, &OUTWARDS), "unit-odd")
            .message
            .contains("毫米")
    );
    let mut scene = scene_of(&CORNERS, &OUTWARDS);
    assert!(!has(&scene, "unit-unknown"));
    scene.units = Units {
        source: "unknown(mm assumed)".into(),
        meters_per_unit: 0.001,
        ..Units::default()
    };
    assert!(found(&scene, "unit-unknown").message.contains("1 毫米"));
}

#[test]
fn nodes_that_show_nothing_are_named() {
    let mut scene = scene_of(&CORNERS, &OUTWARDS);
    for name in ["空组", ""] {
        scene.add_node(
            Node {
                name: name.into(),
                ..Node::default()
            },
            None,
        );
    }
    assert_eq!(found(&scene, "empty-node").place, "节点 空组、第 3 个节点");
    scene.nodes[0].transform = Transform::Trs {
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [1.0, 0.0, 1.0],
    };
    assert_eq!(found(&scene, "flattened-node").place, "节点 房子");
}

#[test]
fn clips_and_skins_are_looked_at() {
    let sound = animated(6);
    for code in [
        "still-animation",
        "bad-joint",
        "many-influences",
        "uneven-weights",
        "unweighted-vertices",
    ] {
        assert!(!has(&sound, code), "{code}");
    }
    let mut still = sound.clone();
    for sampler in &mut still.animations[0].samplers {
        let row = sampler.values.len() / sampler.times.len();
        let first = sampler.values[..row].to_vec();
        sampler.values = first.repeat(sampler.times.len());
    }
    assert_eq!(found(&still, "still-animation").place, "动画 Run");
    let mut flat = sound.clone();
    flat.skins[0].inverse_bind[1] = [0.0; 16];
    assert_eq!(found(&flat, "bad-joint").place, "骨骼 head");
    let mut many = sound.clone();
    let p = &mut many.meshes[0].primitives[0];
    let vertices = p.positions.len();
    p.skin_sets.push(SkinSet {
        joints: vec![[0; 4]; vertices],
        weights: vec![[0.0; 4]; vertices],
    });
    assert!(found(&many, "many-influences").advice.contains('4'));
    let mut uneven = sound.clone();
    let set = &mut uneven.meshes[0].primitives[0].skin_sets[0];
    for (i, weights) in set.weights.iter_mut().enumerate() {
        *weights = match i {
            0..10 => weights.map(|w| w * 0.5),
            10..15 => [0.0; 4],
            _ => *weights,
        };
    }
    let scene = read_bytes(&write_bytes(&uneven, "a.glb", false), "a.glb").unwrap();
    let problem = found(&scene, "uneven-weights");
    assert_eq!((problem.count, problem.place.as_str()), (10, "网格 body"));
    assert_eq!(found(&scene, "unweighted-vertices").count, 5);
}

#[test]
fn the_score_falls_with_every_fault_and_with_its_share() {
    let sound = report(&textured(20)).score;
    let mut last = sound;
    for part in [1, 10, 100, 400] {
        let mut scene = textured(20);
        let p = &mut scene.meshes[0].primitives[0];
        for triangle in p.indices.as_chunks_mut::<3>().0.iter_mut().take(part) {
            triangle.swap(0, 1);
        }
        let score = report(&scene).score;
        assert!(score <= last, "{part}: {score} after {last}");
        last = score;
    }
    assert!(last < sound);
    let mut worse = textured(20);
    worse.images[0].width = 9000;
    let once = report(&worse).score;
    worse.meshes[0].primitives[0].uvs.clear();
    assert!(once < sound && report(&worse).score < once);
}

#[test]
fn the_report_reads_as_json() {
    let twice = [&OUTWARDS[..], &OUTWARDS[..3]].concat();
    let report = report(&scene_of(&CORNERS, &twice));
    let json = serde_json::to_value(&report).unwrap();
    let problems = json["problems"].as_array().unwrap();
    let doubled = problems
        .iter()
        .find(|p| p["code"] == "duplicate-faces")
        .unwrap();
    assert_eq!(doubled["where"], "网格 屋顶（节点 房子）");
    assert_eq!(
        (doubled["count"].as_u64(), doubled["of"].as_u64()),
        (Some(1), Some(5))
    );
    assert_eq!(doubled["severity"], "warning");
}

#[test]
fn a_mirroring_node_changes_nothing_about_its_faces() {
    let inwards: Vec<u32> = OUTWARDS.iter().rev().copied().collect();
    for (indices, wrong) in [(&inwards[..], true), (&OUTWARDS[..], false)] {
        let mut scene = scene_of(&CORNERS, indices);
        scene.nodes[0].transform = Transform::Trs {
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [-1.0, 1.0, 1.0],
        };
        assert_eq!(has(&scene, "inside-out"), wrong);
        let read = read_bytes(&write_bytes(&scene, "a.glb", false), "a.glb").unwrap();
        assert_eq!(has(&read, "inside-out"), wrong);
    }
}

#[test]
fn mirroring_nodes_of_other_formats_are_judged_alike() {
    let list = |values: &[f32]| {
        let values: Vec<String> = values.iter().map(f32::to_string).collect();
        values.join(" ")
    };
    let corners = list(CORNERS.as_flattened());
    for (turned, wrong) in [(false, false), (true, true)] {
        let mut faces = OUTWARDS.to_vec();
        if turned {
            faces.reverse();
        }
        let indices: Vec<String> = faces.iter().map(u32::to_string).collect();
        let dae = format!(
            r##"<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_geometries><geometry id="g"><mesh><source id="p"><float_array id="pa" count="12">{corners}</float_array>
<technique_common><accessor source="#pa" count="4" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{}</p></triangles></mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="vs"><node><scale>1 -1 1</scale>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"##,
            indices.join(" ")
        );
        let ends = |face: &[u32; 3]| format!("{},{},{}", face[0], face[1], -1 - face[2] as i64);
        let polygons: Vec<String> = faces.as_chunks::<3>().0.iter().map(ends).collect();
        let fbx = format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension:  {{\n\tFBXVersion: 7400\n}}\nObjects:  {{\n\
             \tGeometry: 1, \"Geometry::\", \"Mesh\" {{\n\t\tVertices: *12 {{ a: {} }}\n\
             \t\tPolygonVertexIndex: *12 {{ a: {} }}\n\t}}\n\tModel: 2, \"Model::part\", \"Mesh\" {{\n\
             \t\tProperties70:  {{\n\t\t\tP: \"Lcl Scaling\", \"Lcl Scaling\", \"\", \"A\",-1,1,1\n\t\t}}\n\t}}\n}}\n\
             Connections:  {{\n\tC: \"OO\",2,0\n\tC: \"OO\",1,2\n}}\n",
            corners.replace(' ', ","),
            polygons.join(",")
        );
        for (name, text) in [("a.dae", dae), ("a.fbx", fbx)] {
            let scene = read_bytes(text.as_bytes(), name).unwrap();
            let mirrored = scene.world_matrices().iter().any(|m| determinant(m) < 0.0);
            assert!(mirrored && scene.triangle_count() == 4, "{name}");
            assert_eq!(has(&scene, "inside-out"), wrong, "{name} {turned}");
        }
    }
}

#[test]
fn a_missing_image_is_reported_with_its_material() {
    let json = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":1}]}],
        "materials":[{"name":"铁"},{"name":"木头","normalTexture":{"index":0}}],
        "textures":[{"source":0}],"images":[{"uri":"tex/wood.png"}],
        "buffers":[{"byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}]}"#;
    let bin: Vec<u8> = CORNERS[..3]
        .iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let scene = read_bytes(&crate::models::glb(json, &bin), "a.glb").unwrap();
    let problem = found(&scene, "missing-texture");
    assert_eq!(problem.place, "材质 木头");
    assert!(
        problem.message.contains("wood.png") && problem.advice.contains("zip"),
        "{problem:?}"
    );
}

#[test]
fn what_is_advised_knows_what_was_found() {
    let sound = report(&scene_of(&CORNERS, &OUTWARDS)).recommendation.text;
    assert!(sound.contains("可以直接"), "{sound}");
    let huge = CORNERS.map(|p| p.map(|v| v * 50_000.0));
    let odd = report(&scene_of(&huge, &OUTWARDS)).recommendation.text;
    assert!(odd.contains("1 项") && !odd.contains("可以直接"), "{odd}");
}
