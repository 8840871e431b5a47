//! STEP and IGES. In a build without OCCT, the tests that need it only check that this is reported.

mod elsewhere;
mod iges_text;
mod instances;
mod step_text;
mod tessellated;
mod texts;

use iges_text::{iges_box, iges_box_at};
use modelkit::limits::Limits;
use modelkit::read::cad::{self, Kind, Program};
use modelkit::read::{Input, NoSideFiles};
use modelkit::scene::{Scene, bake};
use modelkit::{Ctx, Error, Silent};
use std::ffi::OsString;
use std::process::{Command, Output};
use std::time::Duration;
use step_text::{Step, Unit};

const RED: [f64; 3] = [1.0, 0.0, 0.0];
const GREY: [f64; 3] = [0.5, 0.5, 0.5];

fn program(command: &[&str], patience: Duration) -> Program {
    Program {
        command: command.iter().map(OsString::from).collect(),
        patience,
    }
}

fn own() -> Program {
    let patience = Duration::from_secs(300);
    program(
        &[
            env!("CARGO_BIN_EXE_modelkit-cad"),
            "--max-cpu-seconds",
            "120",
        ],
        patience,
    )
}

fn read_by(program: &Program, bytes: &[u8], kind: Kind) -> Result<Scene, Error> {
    let input = Input {
        bytes,
        name: "资料/零件.stp",
        side: &NoSideFiles,
    };
    cad::read_with(program, &input, kind, &Ctx::new(&Silent))
}

/// Reads with our own program; `None` in a build without OCCT.
fn read(bytes: &[u8], kind: Kind) -> Option<Result<Scene, Error>> {
    match read_by(&own(), bytes, kind) {
        Err(error) if error.to_string().contains("OCCT") => None,
        reply => Some(reply),
    }
}

/// Size of the box around everything, and area of all triangles, in metres.
fn measures(scene: &Scene) -> ([f64; 3], f64) {
    let mut area = 0.0;
    bake(scene, &mut |part| {
        for corner in part.primitive.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| part.positions[corner[k] as usize].map(f64::from));
            let edge = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
            let (u, v) = (edge(b), edge(c));
            let cross = [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ];
            area += cross.iter().map(|v| v * v).sum::<f64>().sqrt() / 2.0;
        }
        Ok(())
    })
    .unwrap();
    (scene.bounds().size(), area)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-3 * b.abs()
}

fn box_of(size: [f64; 3], unit: Unit) -> Vec<u8> {
    let mut step = Step::new(unit);
    step.part(b"Block", size);
    step.finish()
}

/// Two bolts and a red plate with one grey side; both bolts are the same part.
fn assembly() -> Vec<u8> {
    let mut step = Step::new(Unit::Millimetre);
    let (bolt, _) = step.part(b"\\X2\\87BA6813\\X0\\", [10.0, 10.0, 40.0]);
    let (plate, faces) = step.part(b"plate", [100.0, 50.0, 5.0]);
    step.paint(plate.solid, RED);
    step.paint(faces[1], GREY);
    step.assembly(
        b"assembly",
        &[
            ("left", bolt, [10.0, 0.0, 5.0]),
            ("NAUO2", bolt, [80.0, 0.0, 5.0]),
            ("base", plate, [0.0; 3]),
        ],
    );
    step.finish()
}

#[test]
fn an_assembly_keeps_tree_names_colours_and_shares_its_parts() {
    let Some(scene) = read(&assembly(), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    let names: Vec<&str> = scene.nodes.iter().map(|n| n.name.as_str()).collect();
    // A generated instance name is replaced by the part's.
    assert_eq!(names, ["assembly", "left", "螺栓", "base"]);
    assert_eq!(scene.roots, [0]);
    assert_eq!(scene.nodes[0].children, [1, 2, 3]);
    assert_eq!(scene.meshes.len(), 2, "two bolts, one mesh");
    assert_eq!(scene.nodes[1].mesh, scene.nodes[2].mesh);
    assert_eq!(scene.meshes[0].name, "螺栓");
    let plate = &scene.meshes[scene.nodes[3].mesh.unwrap() as usize];
    let mut colours: Vec<(usize, [f32; 4])> = plate
        .primitives
        .iter()
        .map(|p| {
            (
                p.triangle_count(),
                scene.materials[p.material.unwrap() as usize].base_color,
            )
        })
        .collect();
    colours.sort_by_key(|(count, _)| *count);
    let (one_side, others) = (colours[0], colours[1]);
    assert_eq!((one_side.0, others.0), (2, 10));
    // Colours of STEP are sRGB, those of the scene linear.
    assert!((one_side.1[0] - 0.2140).abs() < 1e-3, "{colours:?}");
    assert_eq!(others.1, [1.0, 0.0, 0.0, 1.0]);
    // Z is up there, Y here; millimetres become metres.
    let (size, _) = measures(&scene);
    let wanted = [0.1, 0.045, 0.05];
    assert!(
        size.iter().zip(wanted).all(|(a, b)| near(*a, b)),
        "{size:?}"
    );
    let top = scene.nodes[2].transform.matrix();
    assert!((top[12] - 0.08).abs() < 1e-6 && (top[13] - 0.005).abs() < 1e-6);
    assert_eq!(
        (scene.units.source.as_str(), scene.units.up_axis.as_str()),
        ("mm", "Z")
    );
    assert!(
        !scene.materials[0].double_sided,
        "solids are seen from outside"
    );
}

#[test]
fn triangles_face_outward() {
    let Some(scene) = read(&box_of([10.0, 20.0, 30.0], Unit::Millimetre), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    let centre = scene.bounds().center();
    for p in scene.meshes.iter().flat_map(|m| &m.primitives) {
        for corner in p.indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| p.positions[corner[k] as usize].map(f64::from));
            let out: f64 = (0..3)
                .map(|i| {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let normal = (b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]);
                    let reply = f64::from(p.normals[corner[0] as usize][i]);
                    assert!(normal * reply >= 0.0, "normal against its triangle");
                    normal * (a[i] - centre[i])
                })
                .sum();
            assert!(out > 0.0);
        }
    }
}

#[test]
fn inches_are_inches() {
    let Some(scene) = read(&box_of([1.0, 2.0, 3.0], Unit::Inch), Kind::Step) else {
        return;
    };
    let scene = scene.unwrap();
    let (size, _) = measures(&scene);
    let wanted = [0.0254, 0.0762, 0.0508];
    assert!(
        size.iter().zip(wanted).all(|(a, b)| near(*a, b)),
        "{size:?}"
    );
    assert_eq!(scene.units.source, "in");
}

#[test]
fn step_and_iges_of_one_box_agree() {
    let sides = [120.0, 80.0, 30.0];
    let Some(step) = read(&box_of(sides, Unit::Millimetre), Kind::Step) else {
        return;
    };
    let iges = read(&iges_box(sides, 2), Kind::Iges).unwrap().unwrap();
    let ((a, area), (b, other)) = (measures(&step.unwrap()), measures(&iges));
    assert!(a.iter().zip(b).all(|(a, b)| near(*a, b)), "{a:?} {b:?}");
    assert!(near(area, other), "{area} {other}");
    let red = iges
        .materials
        .iter()
        .find(|m| m.base_color == [1.0, 0.0, 0.0, 1.0]);
    assert!(
        red.is_some_and(|m| m.double_sided),
        "loose surfaces are seen from both sides"
    );
}

#[test]
fn names_in_gbk_are_read() {
    let mut step = Step::new(Unit::Millimetre);
    // 齿轮 in GBK.
    step.part(b"\xb3\xdd\xc2\xd6", [10.0; 3]);
    let Some(scene) = read(&step.finish(), Kind::Step) else {
        return;
    };
    assert_eq!(scene.unwrap().nodes[0].name, "齿轮");
}

#[test]
fn a_part_without_a_name_goes_by_the_file() {
    let mut step = Step::new(Unit::Millimetre);
    step.part(b"", [10.0; 3]);
    let marked = [b"\xef\xbb\xbf", &step.finish()[..]].concat();
    let Some(scene) = read(&marked, Kind::Step) else {
        return;
    };
    assert_eq!(scene.unwrap().nodes[0].name, "零件");
}

#[test]
fn broken_files_are_named() {
    let whole = assembly();
    for cut in [40, whole.len() / 3, whole.len() * 2 / 3] {
        let Some(reply) = read(&whole[..cut], Kind::Step) else {
            return;
        };
        let error = reply.unwrap_err();
        assert!(
            ["corrupt-file", "empty-model"].contains(&error.code()),
            "{error}"
        );
        assert!(error.to_string().contains("STEP"), "{error}");
    }
    let mut noise = b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n".to_vec();
    noise.extend((0..20_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8));
    assert!(read(&noise, Kind::Step).unwrap().is_err());
    let iges = iges_box([1.0; 3], 2);
    assert!(read(&iges[..200], Kind::Iges).unwrap().is_err());
    assert!(read(&noise, Kind::Iges).unwrap().is_err());
}

#[test]
fn flipped_bytes_end_in_an_answer() {
    let whole = box_of([10.0; 3], Unit::Millimetre);
    for part in 0..12 {
        let mut broken = whole.clone();
        let at = whole.len() * part / 12;
        broken[at..].iter_mut().step_by(37).for_each(|b| *b ^= 0x15);
        if let Some(Err(error)) = read(&broken, Kind::Step) {
            assert_ne!(error.code(), "internal", "{error}");
        }
    }
}

#[test]
fn a_program_that_hangs_falls_or_babbles_is_a_clear_error() {
    let shell = |script: &str, patience| program(&["/bin/sh", "-c", script], patience);
    let long = Duration::from_secs(60);
    let cases = [
        (
            shell("exec sleep 600", Duration::from_millis(200)),
            "limit",
            "时间",
        ),
        (shell("kill -SEGV $$", long), "corrupt-file", "中断"),
        (
            shell("head -c 1000 >/dev/null; exit 7", long),
            "corrupt-file",
            "中断",
        ),
        (
            shell("printf 'MKCAD\\003N'; exit 0", long),
            "corrupt-file",
            "中断",
        ),
        (shell("yes", long), "corrupt-file", "中断"),
        (shell("printf 'MKCAD\\003F\\003'", long), "limit", "内存"),
        (shell("exit 127", long), "unsupported-format", "OCCT"),
        (
            program(&["/nowhere/modelkit-cad"], long),
            "unsupported-format",
            "OCCT",
        ),
        // A mesh that declares four billion vertices.
        (
            shell(
                // No name, closed, at the origin, one part, without colour, here.
                "printf 'MKCAD\\003M\\0\\0\\0\\0\\0'; head -c 24 /dev/zero; printf '\\001\\0\\0\\0\\377\\377\\377\\377\\0\\0\\0\\0\\377\\377\\377\\377\\377\\377\\377\\377'",
                long,
            ),
            "too-large",
            "顶点",
        ),
    ];
    // Larger than the pipe: the writer must not wait for a program that has exited.
    let bytes = vec![b' '; 1 << 20];
    for (program, code, word) in cases {
        let error = read_by(&program, &bytes, Kind::Step).unwrap_err();
        assert_eq!(error.code(), code, "{:?}: {error}", program.command);
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn limits_hold_for_what_is_read() {
    let ctx = Ctx {
        limits: Limits {
            nodes: 2,
            ..Limits::default()
        },
        ..Ctx::new(&Silent)
    };
    let bytes = assembly();
    let input = Input {
        bytes: &bytes,
        name: "a.stp",
        side: &NoSideFiles,
    };
    let error = cad::read_with(&own(), &input, Kind::Step, &ctx).unwrap_err();
    assert!(
        error.code() == "too-large" || error.to_string().contains("OCCT"),
        "{error}"
    );
}

fn modelkit(arguments: &[&str], folder: &std::path::Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_modelkit"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn the_sandboxed_command_reads_step_also_from_an_archive() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.stp"), assembly()).unwrap();
    let archive = crate::archive::pack(&[("图纸/装配.step", &assembly())]);
    std::fs::write(folder.path().join("a.zip"), archive).unwrap();
    for file in ["a.stp", "a.zip"] {
        let arguments = [
            "check",
            file,
            "--preview",
            "p.glb",
            "--thumb",
            "t.png",
            "--json",
            "--sandbox",
            "--max-memory-mb",
            "1024",
            "--max-cpu-seconds",
            "60",
        ];
        let output = modelkit(&arguments, folder.path());
        let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        if answer.to_string().contains("OCCT") {
            assert_eq!(output.status.code(), Some(2));
            return;
        }
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(answer["format"], "step");
        assert_eq!(answer["statistics"]["meshes"], 2);
        assert_eq!(answer["statistics"]["nodes"], 4);
        assert_eq!(answer["units"]["source"], "mm");
        assert!(folder.path().join("p.glb").exists() && folder.path().join("t.png").exists());
    }
}

#[test]
fn the_program_by_itself_wants_a_file() {
    // Nothing on its standard input: it exits by itself.
    let output = Command::new(env!("CARGO_BIN_EXE_modelkit-cad"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn parts_far_from_the_origin_keep_their_shape() {
    // Coordinates of a national grid, in millimetres.
    let from = [39_512_345_370.0, 3_412_345_780.0, 12_610.0];
    let size = [1_200.0, 30.0, 0.9];
    let mut step = Step::new(Unit::Millimetre);
    step.part_at(b"sill", size, from);
    for (bytes, kind) in [
        (step.finish(), Kind::Step),
        (iges_box_at(size, from, 2), Kind::Iges),
    ] {
        let Some(scene) = read(&bytes, kind) else {
            return;
        };
        let bounds = scene.unwrap().bounds();
        // Z is up there, Y here.
        let wanted = [39_512_345.37, 12.61, -3_412_345.81];
        for (axis, size) in [1.2, 0.0009, 0.03].into_iter().enumerate() {
            assert!(
                (bounds.size()[axis] - size).abs() < 2e-5,
                "{kind:?} {bounds:?}"
            );
            assert!(
                (bounds.min[axis] - wanted[axis]).abs() < 1e-3,
                "{kind:?} {bounds:?}"
            );
        }
    }
}
