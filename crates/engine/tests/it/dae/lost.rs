//! What is read of the rarer parts of COLLADA, by its numbers, and what is told.

use super::{BONES, GEOMETRY, MOTION, SHOWN, SKIN, file, finding, near, open};
use modelkit::Scene;
use modelkit::scene::{AnimationPath, Mode, Severity};

fn group(body: &str) -> String {
    let start = GEOMETRY.find("<polylist").unwrap();
    let end = GEOMETRY.find("</mesh>").unwrap();
    [&GEOMETRY[..start], body, &GEOMETRY[end..]].concat()
}

fn area(scene: &Scene) -> f32 {
    let p = &scene.meshes[0].primitives[0];
    let triangles = p.indices.as_chunks::<3>().0;
    let areas = triangles.iter().map(|t| {
        let [a, b, c] = t.map(|i| p.positions[i as usize]);
        ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0
    });
    areas.sum()
}

#[test]
fn holes_are_cut_out_of_polygons() {
    let points = "0 0 0  2 0 0  2 2 0  0 2 0  0.5 0.5 0  1.5 0.5 0  1.5 1.5 0  0.5 1.5 0";
    let holed = |ring: &str| {
        let body = format!(
            r##"<polygons><input semantic="VERTEX" source="#v" offset="0"/><ph><p>0 1 2 3</p><h>{ring}</h></ph></polygons>"##
        );
        group(&body)
            .replace("0 0 0  2 0 0  2 2 0  0 2 0", points)
            .replace(r##"source="#pa" count="4""##, r##"source="#pa" count="8""##)
    };
    // Holes may be wound either way.
    for ring in ["4 5 6 7", "7 6 5 4"] {
        let scene = open(&file("", &holed(ring), SHOWN)).unwrap();
        assert!((area(&scene) - 3.0).abs() < 1e-5, "{}", area(&scene));
        assert_eq!(scene.problems, []);
    }
    // One that crosses the outline is filled, and that is told.
    let crossing = holed("4 5 6 7").replace("0.5 0.5 0  1.5 0.5 0", "-3 0.5 0  1.5 0.5 0");
    let scene = open(&file("", &crossing, SHOWN)).unwrap();
    assert_eq!(
        (area(&scene), scene.problems[0].code),
        (4.0, "polygon-holes")
    );
}

#[test]
fn groups_that_are_not_whole_are_told() {
    let wire = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    let good = format!("<triangles>{wire}<p>0 1 2</p></triangles>");
    for (body, words) in [
        (format!("<polylist>{wire}<vcount>4 3</vcount><p>0 1 2 3</p></polylist>"), "角数和索引数"),
        (format!("<polylist>{wire}<p>0 1 2 3</p></polylist>"), "角数和索引数"),
        (format!("<triangles>{wire}<p>0 1 2 3</p></triangles>"), "角数和索引数"),
        (format!("<triangles>{wire}<p>0 1 7</p></triangles>"), "1 个面或线引用了不存在的顶点"),
        (format!("<lines>{wire}<p>0 7</p></lines>"), "1 个面或线引用了不存在的顶点"),
        (r##"<triangles><input semantic="NORMAL" source="#p" offset="0"/><p>0 1 2</p></triangles>"##.to_owned(), "POSITION"),
    ] {
        let scene = open(&file("", &group(&[good.clone(), body].concat()), SHOWN)).unwrap();
        assert_eq!(finding(&scene, words).place, "网格 面");
    }
    // Polygons of no area are nothing to tell of.
    let few = format!("<polylist>{wire}<vcount>0 1 2 3</vcount><p>0 0 1 0 1 2</p></polylist>");
    let scene = open(&file("", &group(&few), SHOWN)).unwrap();
    assert_eq!((scene.triangle_count(), scene.problems.len()), (1, 0));
}

#[test]
fn inputs_are_read_or_told() {
    let wire = |extra: &str| {
        format!(r##"<input semantic="VERTEX" source="#v" offset="0"/>{extra}<p>0 1 2</p>"##)
    };
    let second = r##"<input semantic="COLOR" set="1" source="#p" offset="0"/><input semantic="COLOR" set="0" source="#p" offset="0"/>"##;
    for (kind, mode) in [("triangles", Mode::Triangles), ("linestrips", Mode::Lines)] {
        let body = format!("<{kind}>{}</{kind}>", wire(second));
        let scene = open(&file("", &group(&body), SHOWN)).unwrap();
        let p = &scene.meshes[0].primitives[0];
        assert_eq!((p.mode, p.colors[1]), (mode, [1.0, 0.0, 0.0, 1.0]));
        let problem = finding(&scene, "顶点数据");
        assert_eq!(problem.severity, Severity::Info);
        assert!(problem.message.contains("COLOR 1"), "{problem:?}");
    }
    let foreign = r##"<input semantic="WEATHER" source="#p" offset="0"/><input semantic="TEXTANGENT" source="#p" offset="0"/>"##;
    let body = format!("<triangles>{}</triangles>", wire(foreign));
    let scene = open(&file("", &group(&body), SHOWN)).unwrap();
    let message = finding(&scene, "顶点数据").message;
    assert!(
        message.contains("WEATHER") && !message.contains("TANGENT"),
        "{message}"
    );
    // The generic name of the same.
    let uv = r##"<input semantic="UV" source="#t" offset="0"/>"##;
    let body = format!("<triangles>{}</triangles>", wire(uv));
    let scene = open(&file("", &group(&body), SHOWN)).unwrap();
    assert_eq!(
        scene.meshes[0].primitives[0].uvs[0],
        [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]
    );
}

fn morph(method: &str, target: &str) -> String {
    let raised = GEOMETRY
        .replace("id=\"g\"", "id=\"h\"")
        .replace("\"p\"", "\"hp\"")
        .replace("#p\"", "#hp\"")
        .replace("pa\"", "hpa\"")
        .replace("\"v\"", "\"hv\"")
        .replace("#v\"", "#hv\"")
        .replace("\"t\"", "\"ht\"")
        .replace("#t\"", "#ht\"")
        .replace("ta\"", "hta\"")
        .replace("0 0 0  2 0 0  2 2 0  0 2 0", target);
    format!(
        r##"{GEOMETRY}{raised}<library_controllers><controller id="mo"><morph source="#g" method="{method}">
        <source id="mt"><IDREF_array id="mta" count="1">h</IDREF_array></source>
        <source id="mw"><float_array id="mwa" count="1">0.5</float_array></source>
        <targets><input semantic="MORPH_TARGET" source="#mt"/><input semantic="MORPH_WEIGHT" source="#mw"/></targets>
        </morph></controller></library_controllers>"##
    )
}

#[test]
fn morphs_are_targets_with_weights() {
    let node = r##"<node id="n"><instance_controller url="#mo"/></node>"##;
    for (method, target) in [
        ("NORMALIZED", "0 0 4  2 0 4  2 2 4  0 2 4"),
        ("RELATIVE", "0 0 4  0 0 4  0 0 4  0 0 4"),
    ] {
        let moves = MOTION
            .replace("H/turn.ANGLE", "mw(0)")
            .replace("0 360", "0 1");
        let libraries = [morph(method, target), moves].concat();
        let scene = open(&file("", &libraries, node)).unwrap();
        assert_eq!(scene.problems, [], "{method}");
        let mesh = &scene.meshes[0];
        assert_eq!(mesh.weights, [0.5]);
        let moved = &mesh.primitives[0].targets[0].positions;
        assert!(
            moved.iter().all(|d| *d == [0.0, 0.0, 4.0]),
            "{method}: {moved:?}"
        );
        near(scene.bounds().max, [2.0, 2.0, 2.0]);
        let clip = &scene.animations[0];
        assert_eq!(clip.channels.len(), 1);
        assert_eq!(clip.channels[0].path, AnimationPath::Weights);
        let keys = &clip.samplers[0];
        assert_eq!(
            (keys.values.first(), keys.values.last()),
            (Some(&0.0), Some(&1.0))
        );
    }
    // Normals turn where both geometries have the same corners.
    let scene = open(&file(
        "",
        &morph("NORMALIZED", "0 0 0  0 0 2  0 2 2  0 2 0"),
        node,
    ))
    .unwrap();
    let target = &scene.meshes[0].primitives[0].targets[0];
    assert_eq!(target.normals[0], [-1.0, 0.0, -1.0]);
    let lost = morph("NORMALIZED", "0 0 0").replace(">h<", ">nowhere<");
    let scene = open(&file("", &lost, node)).unwrap();
    assert!(finding(&scene, "变形目标").message.contains("nowhere"));
}

#[test]
fn a_skin_may_lie_on_a_morph() {
    let skin = SKIN.replace("skin source=\"#g\"", "skin source=\"#mo\"");
    let libraries = [morph("NORMALIZED", "0 0 4  2 0 4  2 2 4  0 2 4"), skin].concat();
    let scene = open(&file("", &libraries, BONES)).unwrap();
    let shown = scene.nodes.iter().find(|n| n.skin.is_some()).unwrap();
    let p = &scene.meshes[shown.mesh.unwrap() as usize].primitives[0];
    assert_eq!((p.targets.len(), p.skin_sets.len()), (1, 1));
    assert_eq!(scene.problems, []);
    let twice = SKIN.replace("skin source=\"#g\"", "skin source=\"#d\"")
        + &SKIN.replace("controller id=\"c\"", "controller id=\"d\"");
    let scene = open(&file("", &[GEOMETRY.to_owned(), twice].concat(), BONES)).unwrap();
    assert_eq!(finding(&scene, "同类控制器").place, "控制器 d");
}

/// A vertex with `count` joints, each with the weight that its number is.
fn many(count: usize) -> Scene {
    let names: Vec<String> = (0..count).map(|k| format!("j{k}")).collect();
    let nodes: String = names
        .iter()
        .map(|n| format!(r#"<node id="{n}" sid="{n}"/>"#))
        .collect();
    let pairs: String = (0..count).map(|k| format!("{k} {k} ")).collect();
    let weights: String = (1..=count).map(|k| format!("{k} ")).collect();
    let skin = SKIN
        .replace(">low high<", &format!(">{}<", names.join(" ")))
        .replace(">1 0.25 0.75<", &format!(">{weights}<"))
        .replace(r##"source="#wa" count="3""##, r##"source="#wa""##)
        .replace(
            "<vcount>1 1 2 1</vcount><v>0 0 0 0 0 1 1 2 1 0</v>",
            &format!("<vcount>{count} 1 1 1</vcount><v>{pairs} 0 0 0 0 -1 0</v>"),
        );
    let body = format!(r##"{nodes}<node id="body"><instance_controller url="#c"/></node>"##);
    open(&file("", &[GEOMETRY.to_owned(), skin].concat(), &body)).unwrap()
}

#[test]
fn all_weights_up_to_sixteen_are_kept() {
    let scene = many(6);
    let sets = &scene.meshes[0].primitives[0].skin_sets;
    assert_eq!(sets.len(), 2);
    assert!((sets[0].weights[0][0] - 6.0 / 21.0).abs() < 1e-6);
    assert!((sets[1].weights[0][1] - 1.0 / 21.0).abs() < 1e-6);
    // The last vertex hangs on -1, the bind shape: it stays where the mesh is, whatever the bones do.
    let skin = &scene.skins[0];
    let rest = usize::from(sets[0].joints[3][0]);
    assert_eq!(scene.nodes[skin.joints[rest] as usize].name, "body");
    assert_eq!(sets[0].weights[3][0], 1.0);
    assert_eq!(skin.inverse_bind.len(), skin.joints.len());
    assert!(scene.problems.iter().all(|p| !p.message.contains("16 根")));
    let scene = many(17);
    assert_eq!(scene.meshes[0].primitives[0].skin_sets.len(), 4);
    assert_eq!(
        finding(&scene, "1 个顶点受 16 根以上").code,
        "weights-dropped"
    );
    let gone = SKIN.replace(">low high<", ">low gone<");
    let scene = open(&file("", &[GEOMETRY.to_owned(), gone].concat(), BONES)).unwrap();
    assert!(
        finding(&scene, "骨骼在场景里找不到")
            .message
            .contains("gone")
    );
}

#[test]
fn a_skew_is_a_shear() {
    let node = r##"<node id="n"><skew>45 0 1 0 1 0 0</skew><instance_geometry url="#g"/></node>"##;
    let scene = open(&file("", GEOMETRY, node)).unwrap();
    // y turns by 45° towards x: x grows by y.
    near(scene.bounds().max, [4.0, 2.0, 0.0]);
    near(scene.bounds().min, [0.0, 0.0, 0.0]);
    let node = node.replace("45 0 1 0", "30 1 1 0");
    let scene = open(&file("", GEOMETRY, &node)).unwrap();
    // The diagonal, at 45° to x, turns to 15°: x = y (cot 15° - cot 45°) more.
    let more = 1.0 / 15f64.to_radians().tan() - 1.0;
    near(scene.bounds().max, [2.0 + 2.0 * more, 2.0, 0.0]);
    // There is none beyond the angle between the axes.
    let node = node.replace("30 1 1 0", "80 1 1 0");
    near(
        open(&file("", GEOMETRY, &node)).unwrap().bounds().max,
        [2.0, 2.0, 0.0],
    );
}

/// The place along x, at the seconds 0, 1 and 2, of a node that goes from 0 to 8 with this sampler.
fn curve(inputs: &str, sources: &str) -> (Scene, [f32; 3]) {
    let motion = MOTION
        .replace("H/turn.ANGLE", "n/at.X")
        .replace(">0 360<", ">0 8<")
        .replace(
            "<sampler id=\"s1\">",
            &format!("{sources}<sampler id=\"s1\">{inputs}"),
        );
    let node = r##"<node id="n"><translate sid="at">0 0 0</translate><instance_geometry url="#g"/></node>"##;
    let scene = open(&file("", &[GEOMETRY.to_owned(), motion].concat(), node)).unwrap();
    let clip = &scene.animations[0];
    let channel = clip
        .channels
        .iter()
        .find(|c| c.path == AnimationPath::Translation)
        .unwrap();
    let keys = &clip.samplers[channel.sampler as usize];
    let at = |time: f32| {
        let i = keys
            .times
            .iter()
            .position(|t| (*t - time).abs() < 1e-4)
            .unwrap();
        keys.values[i * 3]
    };
    let found = [at(0.0), at(1.0), at(2.0)];
    (scene, found)
}

#[test]
fn curves_between_keys_are_followed() {
    let kinds = |kind: &str| {
        format!(
            r#"<source id="k"><Name_array id="ka" count="2">{kind} {kind}</Name_array></source>"#
        )
    };
    let rows = |id: &str, values: &str, stride: usize| {
        format!(
            r##"<source id="{id}"><float_array id="{id}a" count="4">{values}</float_array><technique_common>
            <accessor source="#{id}a" count="2" stride="{stride}"/></technique_common></source>"##
        )
    };
    let kind = r##"<input semantic="INTERPOLATION" source="#k"/>"##;
    let bent = format!(
        r##"{kind}<input semantic="IN_TANGENT" source="#ti"/><input semantic="OUT_TANGENT" source="#to"/>"##
    );
    assert_eq!(curve("", "").1, [0.0, 4.0, 8.0]);
    let (scene, [a, b, c]) = curve(kind, &kinds("STEP"));
    assert_eq!(([a, b, c], scene.problems.len()), ([0.0, 0.0, 8.0], 0));
    // Control points at thirds of the time, both at 0: x(½) = 8/8.
    let sources = [
        kinds("BEZIER"),
        rows("to", "0.6666667 0 9 9", 2),
        rows("ti", "9 9 1.3333334 0", 2),
    ]
    .concat();
    let found = curve(&bent, &sources).1;
    assert!(
        (found[1] - 1.0).abs() < 1e-3 && found[2] == 8.0,
        "{found:?}"
    );
    // Numbers without times, as 1.4.0 had them.
    let sources = [kinds("BEZIER"), rows("to", "0 9", 1), rows("ti", "9 0", 1)].concat();
    assert!((curve(&bent, &sources).1[1] - 1.0).abs() < 1e-3);
    // Flat at both ends: half way in the middle; a start three times as steep is higher by 24/8.
    let sources = [
        kinds("HERMITE"),
        rows("to", "2 0 9 9", 2),
        rows("ti", "9 9 2 0", 2),
    ]
    .concat();
    assert!((curve(&bent, &sources).1[1] - 4.0).abs() < 1e-3);
    let sources = [
        kinds("HERMITE"),
        rows("to", "2 24 9 9", 2),
        rows("ti", "9 9 2 0", 2),
    ]
    .concat();
    assert!((curve(&bent, &sources).1[1] - 7.0).abs() < 1e-3);
    let (scene, found) = curve(kind, &kinds("BSPLINE"));
    assert_eq!(found, [0.0, 4.0, 8.0]);
    assert!(finding(&scene, "插值").message.contains("n/at.X"));
}

#[test]
fn channels_that_move_nothing_are_told_with_their_targets() {
    for (target, words) in [
        ("e/transparency", "不在显示的场景"),
        ("n/visibility", "目标不受支持"),
        ("n/turn.BEYOND", "目标不受支持"),
        ("g(0)", "目标不受支持"),
        ("nowhere/turn", "不在显示的场景"),
    ] {
        let motion = MOTION.replace("H/turn.ANGLE", target);
        let node = SHOWN.replace(
            "<instance",
            r#"<rotate sid="turn">0 0 1 0</rotate><instance"#,
        );
        let scene = open(&file("", &[GEOMETRY.to_owned(), motion].concat(), &node)).unwrap();
        let problem = finding(&scene, words);
        assert!(problem.message.contains(target), "{problem:?}");
        assert_eq!(problem.severity, Severity::Warning);
        assert!(scene.animations.is_empty());
    }
    let motion = MOTION
        .replace("H/turn.ANGLE", "n/turn.ANGLE")
        .replace(">0 2<", ">2 0<");
    let node = SHOWN.replace(
        "<instance",
        r#"<rotate sid="turn">0 0 1 0</rotate><instance"#,
    );
    let scene = open(&file("", &[GEOMETRY.to_owned(), motion].concat(), &node)).unwrap();
    finding(&scene, "关键帧不完整");
}

#[test]
fn what_is_not_shown_of_the_scene_is_told() {
    let cases = [
        (
            r##"<node id="x"><instance_geometry url="other.dae#g"/></node>"##,
            "其他文件",
            "other.dae#g",
        ),
        (
            r##"<node id="x"><instance_node url="#gone"/></node>"##,
            "引用的对象不存在",
            "#gone",
        ),
        (
            r##"<node id="x"><instance_light url="#sun"/></node>"##,
            "灯光",
            "sun",
        ),
        (
            r##"<node id="x"><instance_geometry url="#curve"/></node>"##,
            "样条",
            "",
        ),
        (
            r##"<node id="x"><instance_geometry url="#solid"/></node>"##,
            "brep",
            "",
        ),
        (
            r##"<node id="x"><instance_geometry url="#bare"/></node>"##,
            "没有多边形",
            "",
        ),
    ];
    let libraries = format!(
        r##"{GEOMETRY}<library_geometries><geometry id="curve"><spline/></geometry><geometry id="solid"><brep/></geometry>
        <geometry id="bare"><mesh/></geometry></library_geometries>"##
    );
    for (node, words, name) in cases {
        let scene = open(&file("", &libraries, &[SHOWN, node].concat())).unwrap();
        let problem = finding(&scene, words);
        assert!(problem.message.contains(name), "{problem:?}");
        assert_eq!(scene.problems.len(), 1, "{:?}", scene.problems);
    }
    let hidden = r##"<node id="x" name="罩"><node><instance_geometry url="#g"/></node>
        <extra><technique profile="FCOLLADA"><visibility>0</visibility></technique></extra></node>"##;
    let scene = open(&file("", GEOMETRY, &[SHOWN, hidden].concat())).unwrap();
    assert_eq!(finding(&scene, "1 个隐藏").code, "hidden-skipped");
    assert_eq!(scene.nodes.iter().filter(|n| n.mesh.is_some()).count(), 1);
}

#[test]
fn cameras_have_the_units_of_gltf() {
    let camera = r##"<library_cameras><camera id="k" name="机位"><optics><technique_common><perspective><xfov>90</xfov>
        <aspect_ratio>2</aspect_ratio><znear>10</znear><zfar>500</zfar></perspective></technique_common></optics></camera></library_cameras>"##;
    let node = SHOWN.replace("<instance_g", r##"<instance_camera url="#k"/><instance_g"##);
    let asset = r#"<unit meter="0.01" name="centimeter"/>"#;
    let scene = open(&file(asset, &[GEOMETRY, camera].concat(), &node)).unwrap();
    let lens = &scene.cameras[0]["perspective"];
    assert_eq!(scene.cameras[0]["name"], "机位");
    assert!(
        (lens["yfov"].as_f64().unwrap() - 2.0 * 0.5f64.atan()).abs() < 1e-6,
        "{lens}"
    );
    assert!(
        (lens["znear"].as_f64().unwrap() - 0.1).abs() < 1e-9,
        "{lens}"
    );
    assert_eq!(
        (&lens["aspectRatio"], &lens["zfar"]),
        (&2.0.into(), &5.0.into())
    );
    assert!(
        scene
            .nodes
            .iter()
            .any(|n| n.name == "屋" && n.camera == Some(0))
    );
    let broken = camera.replace("<xfov>90</xfov>", "");
    let scene = open(&file("", &[GEOMETRY, &broken].concat(), &node)).unwrap();
    assert_eq!(finding(&scene, "相机").place, "相机 机位");
}
