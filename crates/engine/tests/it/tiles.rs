//! Tilesets of generated deliveries.

use crate::tileset::{content, inside_all, vertices, walk};
use modelkit::sample::delivery::Delivery;
use modelkit::sample::osgb::Dialect;
use modelkit::scene::math;
use modelkit::tiles::{self, Options, Report, ecef};
use modelkit::{Ctx, Error, Level, Progress, Silent, Stage};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

pub fn deliver(delivery: &Delivery, to: &Path) {
    delivery
        .write(&mut |path, bytes| {
            let path = to.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
            Ok(())
        })
        .unwrap();
}

pub fn tile(input: &Path, out: &Path) -> Report {
    tiles::tile(input, None, out, &Options::default(), &Ctx::new(&Silent)).unwrap()
}

#[test]
fn a_delivery_becomes_a_tileset() {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("in"), dir.path().join("out"));
    let delivery = Delivery {
        tiles: [3, 2],
        levels: 2,
        ..Delivery::default()
    };
    deliver(&delivery, &input);
    let report = tile(&input, &out);
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    let expected = 6 * delivery.triangles_of_a_tile();
    assert_eq!(report.triangles, expected as u64);
    let all = walk(&out.join("tileset.json"));
    let mut leaves = 0;
    for found in &all {
        // Content on every level, up to the root.
        let path = found.content.as_ref().expect("a tile without content");
        let scene = content(path);
        inside_all(found, &vertices(&scene));
        if found.leaf {
            leaves += scene.triangle_count();
            assert_eq!(found.error, 0.0);
        } else {
            assert!(found.error > 0.0);
        }
        assert!(!scene.images.is_empty() && scene.images.iter().all(|i| i.mime == "image/jpeg"));
    }
    assert_eq!(leaves, expected);
    assert_eq!(all.len(), report.tiles);
    // One, then four that finer files replace one by one, then four files that nothing replaces; and coarse levels: 2 ×
    // 2, 1 × 2, and the root.
    assert_eq!(report.tiles, 6 * (1 + 4 + 4) + 3);
    let written: u64 = report.output_bytes;
    assert!(written > 0 && report.output_files == report.tiles + 6 + 1);
}

/// A corner of the model, whose place was computed with PROJ 9.5.1 independently of this code: EPSG:4547, easting
/// 501027 + 100, northing 2488718 + 100.
#[test]
fn the_model_is_at_its_georeference() {
    let dir = tempfile::tempdir().unwrap();
    for (srs, origin, at, wanted) in [
        (
            "EPSG:4547",
            [501_027.0, 2_488_718.0, 0.0],
            [100.0, 100.0],
            None,
        ),
        (
            "ENU:39.9075,116.39138",
            [0.0, 0.0, 44.0],
            [0.0, 0.0],
            Some([-2_177_757.260_516, 4_388_721.299_926, 4_070_140.722_356]),
        ),
    ] {
        let (input, out) = (dir.path().join(srs), dir.path().join(format!("{srs}-out")));
        let delivery = Delivery {
            tiles: [2, 2],
            levels: 1,
            srs: srs.into(),
            origin,
            ..Delivery::default()
        };
        deliver(&delivery, &input);
        let report = tile(&input, &out);
        assert!(report.georeference.is_some());
        // Heights vary: the vertex closest to the expected place, compared in the plane.
        let expected = wanted.unwrap_or_else(|| {
            let degrees = |d: f64| d.to_radians();
            ecef([
                degrees(114.010_952_531_745_37),
                degrees(22.496_845_208_789_64),
                0.0,
            ])
        });
        let up = math::normalize(expected).unwrap();
        let mut nearest = f64::INFINITY;
        for found in walk(&out.join("tileset.json")).iter().filter(|f| f.leaf) {
            for p in vertices(&content(found.content.as_ref().unwrap())) {
                let off = math::sub(math::point(&found.to_world, p), expected);
                let high = math::dot(off, up);
                let flat = [0, 1, 2].map(|k| off[k] - high * up[k]);
                nearest = nearest.min(math::dot(flat, flat).sqrt());
            }
        }
        // Up is not exactly the ellipsoid's normal: 0.2° over some metres of height.
        assert!(nearest < 0.03, "{srs} {at:?}: {nearest} m away");
    }
}

#[test]
fn absent_and_broken_files_are_named_and_the_level_above_stays() {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("in"), dir.path().join("out"));
    let delivery = Delivery {
        tiles: [2, 1],
        levels: 2,
        ..Delivery::default()
    };
    deliver(&delivery, &input);
    let a = input.join("Data/Tile_+000_+000");
    fs::remove_file(a.join("Tile_+000_+000_L17_02.osgb")).unwrap();
    fs::write(a.join("Tile_+000_+000_L17_01.osgb"), b"\xa1\x0e\x91\x6c").unwrap();
    let report = tile(&input, &out);
    let codes: Vec<&str> = report.problems.iter().map(|p| p.code).collect();
    assert_eq!(codes, ["missing-tiles", "damaged-tiles"]);
    assert!(
        report.problems[0]
            .message
            .contains("Tile_+000_+000_L17_02.osgb")
    );
    let leaves: usize = walk(&out.join("tileset.json"))
        .iter()
        .filter(|f| f.leaf)
        .map(|f| content(f.content.as_ref().unwrap()).triangle_count())
        .sum();
    let tile = delivery.triangles_of_a_tile();
    // Two sixteenths of a tile are shown by the level above, with a quarter of the triangles.
    assert_eq!(leaves, 2 * tile - tile / 2 + tile / 2 / 4);
}

#[test]
fn a_file_that_stands_for_a_tile_is_not_damaged() {
    let dir = tempfile::tempdir().unwrap();
    let (input, out) = (dir.path().join("in"), dir.path().join("out"));
    let delivery = Delivery {
        tiles: [2, 1],
        levels: 2,
        ..Delivery::default()
    };
    deliver(&delivery, &input);
    let finer = input.join("Data/Tile_+000_+000/Tile_+000_+000_L17_01.osgb");
    fs::write(
        finer,
        b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n",
    )
    .unwrap();
    let problems = tile(&input, &out).problems;
    assert_eq!((problems.len(), problems[0].code), (1, "unread-tiles"));
    assert!(
        problems[0].message.contains("Tile_+000_+000_L17_01.osgb")
            && problems[0].advice.contains("git lfs pull"),
        "{problems:?}"
    );
}

#[test]
fn without_a_usable_reference_the_model_stays_in_its_own_coordinates() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        ("missing-metadata", None),
        (
            "bad-metadata",
            Some("<ModelMetadata><SRS>EPSG:4547".to_owned()),
        ),
        (
            "unknown-srs",
            Some("<M><SRS>EPSG:60000</SRS></M>".to_owned()),
        ),
        (
            "unknown-srs",
            Some("<M><SRS>EPSG:4326</SRS></M>".to_owned()),
        ),
        ("unknown-srs", Some("<M></M>".to_owned())),
        (
            "bad-metadata",
            Some("<M><SRS>EPSG:4547</SRS><SRSOrigin>a,b</SRSOrigin></M>".to_owned()),
        ),
        (
            "unknown-srs",
            Some("<M><SRS>EPSG:4547</SRS><SRSOrigin>1e300,1e300</SRSOrigin></M>".to_owned()),
        ),
    ];
    for (number, (code, text)) in cases.into_iter().enumerate() {
        let (input, out) = (
            dir.path().join(format!("in{number}")),
            dir.path().join(format!("out{number}")),
        );
        let delivery = Delivery {
            tiles: [1, 1],
            levels: 0,
            ..Delivery::default()
        };
        deliver(&delivery, &input);
        match text {
            Some(text) => fs::write(input.join("metadata.xml"), text).unwrap(),
            None => fs::remove_file(input.join("metadata.xml")).unwrap(),
        }
        let report = tile(&input, &out);
        assert!(report.georeference.is_none());
        assert_eq!(report.problems[0].code, code, "{:?}", report.problems);
        let root = &walk(&out.join("tileset.json"))[0];
        // The centre of the 100 m tile.
        assert!((root.to_world[12] - 50.0).abs() < 1e-6 && (root.to_world[13] - 50.0).abs() < 1e-6);
    }
}

#[test]
fn a_map_system_without_an_origin_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [
        ("<SRS>EPSG:4547</SRS>", true),
        ("<SRS>EPSG:4978</SRS>", true),
        ("<SRS>ENU:34.2,108.9</SRS>", false),
        (
            "<srs>urn:ogc:def:crs:EPSG::4547</srs><srsorigin>450952，2483262，0</srsorigin>",
            false,
        ),
    ];
    for (number, (text, told)) in cases.into_iter().enumerate() {
        let (input, out) = (
            dir.path().join(format!("in{number}")),
            dir.path().join(format!("out{number}")),
        );
        let delivery = Delivery {
            tiles: [1, 1],
            levels: 0,
            ..Delivery::default()
        };
        deliver(&delivery, &input);
        fs::write(input.join("metadata.xml"), format!("<M>{text}</M>")).unwrap();
        let report = tile(&input, &out);
        assert!(report.georeference.is_some(), "{text}");
        let codes: Vec<&str> = report.problems.iter().map(|p| p.code).collect();
        assert_eq!(codes.contains(&"missing-origin"), told, "{text}: {codes:?}");
    }
}

fn zipped(delivery: &Delivery, path: &Path) {
    let mut zip = zip::ZipWriter::new(fs::File::create(path).unwrap());
    delivery
        .write(&mut |name, bytes| {
            let options = zip::write::SimpleFileOptions::default();
            zip.start_file(format!("成果/{name}"), options).unwrap();
            std::io::Write::write_all(&mut zip, bytes).unwrap();
            Ok(())
        })
        .unwrap();
    zip.finish().unwrap();
}

/// CK018: tiles that were not unpacked in time are not damaged; they end the job, with the limit as its reason.
#[test]
fn a_tile_after_the_limit_of_unpacking_ends_the_job() {
    let dir = tempfile::tempdir().unwrap();
    let (path, out) = (dir.path().join("city.zip"), dir.path().join("out"));
    zipped(&Delivery::default(), &path);
    let mut ctx = Ctx::new(&Silent);
    ctx.limits.archive_seconds = 0;
    let error = tiles::tile(&path, None, &out, &Options::default(), &ctx).unwrap_err();
    assert_eq!((error.code(), error.exit_code()), ("limit", 3), "{error}");
    assert!(error.to_string().contains("解压用时超过上限"), "{error}");
    let error = tiles::overview(&path, &ctx).unwrap_err();
    assert_eq!(error.code(), "limit", "{error}");
}

#[test]
fn archives_are_read_as_folders_are() {
    let dir = tempfile::tempdir().unwrap();
    let delivery = Delivery {
        tiles: [2, 1],
        levels: 1,
        dialect: Dialect {
            version: 150,
            brackets: true,
            zlib: true,
        },
        ..Delivery::default()
    };
    let path = dir.path().join("city");
    zipped(&delivery, &path);
    let out = dir.path().join("out");
    let report = tiles::tile(
        &path,
        Some("city.zip"),
        &out,
        &Options::default(),
        &Ctx::new(&Silent),
    )
    .unwrap();
    assert_eq!(report.triangles, 2 * delivery.triangles_of_a_tile() as u64);
    assert_eq!(report.kind, "oblique");
}

/// One file with stored entries, so that byte ranges of it are the tiles, with the index of a 3D Tiles Archive at its
/// end.
#[test]
fn a_tileset_can_be_one_file() {
    let dir = tempfile::tempdir().unwrap();
    deliver(&Delivery::default(), &dir.path().join("in"));
    let out = dir.path().join("out.zip");
    let report = tile(&dir.path().join("in"), &out);
    let bytes = fs::read(&out).unwrap();
    assert_eq!(report.output_bytes, bytes.len() as u64);
    let mut zip = zip::ZipArchive::new(std::io::Cursor::new(&bytes)).unwrap();
    assert_eq!(zip.len(), report.output_files + 1);
    let mut starts = Vec::new();
    for i in 0..zip.len() {
        let entry = zip.by_index(i).unwrap();
        assert_eq!(entry.compression(), zip::CompressionMethod::Stored);
        let name = entry.name().unwrap().into_owned();
        starts.push((name, entry.header_start(), entry.data_start()));
    }
    assert_eq!(starts[0].0, "tileset.json");
    let (name, _, data) = starts.pop().unwrap();
    assert_eq!(name, "@3dtilesIndex1@");
    let index = &bytes[data.unwrap() as usize..][..starts.len() * 24];
    let mut places: Vec<u64> = index
        .chunks_exact(24)
        .map(|row| u64::from_le_bytes(row[16..].try_into().unwrap()))
        .collect();
    places.sort_unstable();
    let mut expected: Vec<u64> = starts.iter().map(|s| s.1).collect();
    expected.sort_unstable();
    assert_eq!(places, expected);
    // Nothing else is left beside it.
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

/// The check-up of a delivery reads the coarsest files only.
#[test]
fn an_overview_is_one_coarse_scene() {
    let dir = tempfile::tempdir().unwrap();
    let delivery = Delivery {
        tiles: [2, 2],
        levels: 1,
        ..Delivery::default()
    };
    deliver(&delivery, dir.path());
    for finer in ["00", "01", "02", "03"] {
        let name = format!(
            "Data/Tile_+001_+001/Tile_+001_+001_L16_{}.osgb",
            &finer[1..]
        );
        let _ = fs::remove_file(dir.path().join(name));
    }
    let scene = tiles::overview(dir.path(), &Ctx::new(&Silent))
        .unwrap()
        .unwrap();
    assert_eq!((scene.format.as_str(), scene.model_num), ("osgb", 4));
    let [x, y, z] = scene.bounds().size();
    assert!(
        (x - 200.0).abs() < 3.0 && (z - 200.0).abs() < 3.0 && y > 5.0,
        "{x} {y} {z}"
    );
    // Four root files, each with a quarter of its tile's finest triangles.
    assert!(scene.triangle_count() <= delivery.triangles_of_a_tile());
    let codes: Vec<&str> = scene.problems.iter().map(|p| p.code).collect();
    assert_eq!(codes, ["overview-only"]);
    // A single OSGB file without metadata is an ordinary model.
    let alone = dir.path().join("alone");
    fs::create_dir(&alone).unwrap();
    fs::copy(
        dir.path().join("Data/Tile_+000_+000/Tile_+000_+000.osgb"),
        alone.join("a.osgb"),
    )
    .unwrap();
    assert!(
        tiles::overview(&alone, &Ctx::new(&Silent))
            .unwrap()
            .is_none()
    );
}

#[test]
fn nothing_to_tile_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let error = tiles::tile(
        dir.path(),
        None,
        &out,
        &Options::default(),
        &Ctx::new(&Silent),
    )
    .unwrap_err();
    assert_eq!(error.code(), "missing-main-file");
    let input = dir.path().join("in/Data/Tile_0_0");
    fs::create_dir_all(&input).unwrap();
    fs::write(input.join("Tile_0_0.osgb"), b"no").unwrap();
    let error = tiles::tile(
        &dir.path().join("in"),
        None,
        &out,
        &Options::default(),
        &Ctx::new(&Silent),
    )
    .unwrap_err();
    assert_eq!(error.code(), "empty-model");
}

struct Stops(AtomicUsize);

impl Progress for Stops {
    fn report(&self, _percent: f64, _stage: Stage, _message: &str) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
    fn log(&self, _level: Level, _message: &str) {}
    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 3
    }
}

/// Whatever stops the work, no partial output is left.
#[test]
fn work_can_be_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    deliver(&Delivery::default(), &dir.path().join("in"));
    for name in ["out", "out.zip"] {
        let listener = Stops(AtomicUsize::new(0));
        let out = dir.path().join(name);
        let input = dir.path().join("in");
        let error = tiles::tile(
            &input,
            None,
            &out,
            &Options::default(),
            &Ctx::new(&listener),
        );
        assert!(matches!(error, Err(Error::Cancelled)));
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "{name}");
    }
}

/// What users upload: nested folders, other names, two metadata files, deliveries without an overview file.
#[test]
fn odd_deliveries_are_understood() {
    let dir = tempfile::tempdir().unwrap();
    let delivery = Delivery {
        tiles: [2, 1],
        levels: 1,
        ..Delivery::default()
    };
    let triangles = 2 * delivery.triangles_of_a_tile() as u64;
    let made = |name: &str| {
        let input = dir.path().join(name);
        deliver(&delivery, &input);
        input
    };
    let run = |input: &Path| {
        let out = dir.path().join("out");
        let report = tile(input, &out);
        walk(&out.join("tileset.json"));
        fs::remove_dir_all(&out).unwrap();
        report
    };
    let codes = |report: &Report| report.problems.iter().map(|p| p.code).collect::<Vec<_>>();
    // Two more enclosing folders.
    let input = made("a");
    let deep = dir.path().join("deep/测区 一");
    fs::create_dir_all(&deep).unwrap();
    fs::rename(&input, deep.join("Production_1")).unwrap();
    let report = run(&dir.path().join("deep"));
    assert_eq!((report.triangles, codes(&report)), (triangles, vec![]));
    assert!(report.georeference.is_some());
    // Not in a folder called Data, and letters for plus and minus.
    let input = made("b");
    fs::rename(input.join("Data"), input.join("模型")).unwrap();
    for (old, new) in [
        ("Tile_+000_+000", "Tile_p000_p000"),
        ("Tile_+001_+000", "Tile_p001_p000"),
    ] {
        let folder = input.join("模型").join(new);
        fs::rename(input.join("模型").join(old), &folder).unwrap();
        fs::rename(
            folder.join(format!("{old}.osgb")),
            folder.join(format!("{new}.osgb")),
        )
        .unwrap();
    }
    let report = run(&input);
    assert_eq!((report.triangles, codes(&report)), (triangles, vec![]));
    // A second metadata.xml in a subfolder.
    let input = made("c");
    fs::copy(input.join("metadata.xml"), input.join("Data/metadata.xml")).unwrap();
    let report = run(&input);
    assert_eq!(
        (report.triangles, codes(&report)),
        (triangles, vec!["several-metadata"])
    );
    // A folder's root file has another name: the next one whose name has no level is used.
    let input = made("d");
    let folder = input.join("Data/Tile_+001_+000");
    fs::rename(folder.join("Tile_+001_+000.osgb"), folder.join("top.osgb")).unwrap();
    fs::rename(&folder, input.join("Data/East")).unwrap();
    let report = run(&input);
    assert_eq!((report.triangles, codes(&report)), (triangles, vec![]));
    // It is missing altogether: the files below it are shown.
    fs::remove_file(input.join("Data/East/top.osgb")).unwrap();
    let report = run(&input);
    assert_eq!((report.triangles, codes(&report)), (triangles, vec![]));
}
