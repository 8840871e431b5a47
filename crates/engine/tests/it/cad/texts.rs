//! Names, units and forms of the text of STEP and IGES.

use super::iges_text::{Entity, iges, iges_box, side};
use super::step_text::{Step, Unit};
use super::{Kind, measures, near, read};
use modelkit::scene::Scene;

fn names(scene: &Scene) -> Vec<&str> {
    scene.nodes.iter().map(|n| n.name.as_str()).collect()
}

#[test]
fn names_need_no_ascii() {
    // As escapes of both widths, in UTF-8, and in GBK (read with the file).
    let cases: [(&[u8], &str); 5] = [
        (b"\\X2\\5DE687BA6813\\X0\\", "左螺栓"),
        (b"\\X\\E9", "é"),
        (b"\\X4\\0001F600\\X0\\", "😀"),
        ("左螺栓".as_bytes(), "左螺栓"),
        (b"\xd7\xf3\xc2\xdd\xcb\xa8", "左螺栓"),
    ];
    for (written, name) in cases {
        let mut step = Step::new(Unit::Millimetre);
        let (part, _) = step.part(written, [10.0; 3]);
        step.assembly(
            b"top",
            &[("INSTANCE", part, [0.0; 3]), ("", part, [20.0, 0.0, 0.0])],
        );
        // Names of instances are texts, the raw ones are not.
        let text = step.finish();
        let at = text.windows(8).position(|w| w == b"INSTANCE").unwrap();
        let text = [&text[..at], written, &text[at + 8..]].concat();
        let Some(scene) = read(&text, Kind::Step) else {
            return;
        };
        // An instance without a name goes by its part; its id only counts.
        assert_eq!(names(&scene.unwrap()), ["top", name, name]);
    }
}

#[test]
fn an_id_is_a_name_if_there_is_no_other() {
    let mut step = Step::new(Unit::Millimetre);
    let (part, _) = step.part(b"\\X2\\87BA6813\\X0\\", [10.0; 3]);
    step.assembly(b"top", &[("", part, [0.0; 3])]);
    let text = String::from_utf8(step.finish()).unwrap();
    let text = text.replace("PRODUCT('\\X2\\87BA6813\\X0\\',", "PRODUCT('GB-T5782',");
    let Some(scene) = read(text.as_bytes(), Kind::Step) else {
        return;
    };
    assert_eq!(names(&scene.unwrap()), ["top", "螺栓"]);
    let text = text.replace("'GB-T5782','\\X2\\87BA6813\\X0\\'", "'GB-T5782',''");
    let scene = read(text.as_bytes(), Kind::Step).unwrap().unwrap();
    assert_eq!(names(&scene), ["top", "GB-T5782"]);
    let text = text.replace("OCCURRENCE('1',''", "OCCURRENCE('left.1',''");
    let scene = read(text.as_bytes(), Kind::Step).unwrap().unwrap();
    assert_eq!(names(&scene), ["top", "left.1"]);
}

#[test]
fn data_sections_may_have_names_and_be_several() {
    let mut step = Step::new(Unit::Millimetre);
    step.part(b"a;DATA(1);it''s", [10.0; 3]);
    let text = String::from_utf8(step.finish()).unwrap();
    let named = text.replacen("DATA;", "DATA ( 'one',('AUTOMOTIVE_DESIGN') ) ;", 1);
    let middle = named.find("#40=").unwrap();
    let (head, tail) = named.split_at(middle);
    let several = format!("{head}ENDSEC;\nDATA('two',('AUTOMOTIVE_DESIGN'));\n{tail}");
    for text in [named.clone(), several] {
        let Some(scene) = read(text.as_bytes(), Kind::Step) else {
            return;
        };
        let scene = scene.unwrap();
        assert_eq!(names(&scene), ["a;DATA(1);it's"]);
        assert!(near(measures(&scene).1, 6e-4));
    }
}

#[test]
fn names_of_iges_in_gbk_are_read() {
    let cases: [(&[u8], &str); 7] = [
        (b"\xc2\xdd\xcb\xa8", "螺栓"),
        (b"\xb3\xdd\xc2\xd6", "齿轮"),
        (b"\xd6\xe1\xb3\xd0\xd7\xf9", "轴承座"),
        (b"\xcd\xe2\xbf\xc7", "外壳"),
        (b"\xb5\xd7\xb0\xe5M8", "底板M8"),
        (b"\xb5\xe7\xbb\xfa", "电机"),
        ("齿轮".as_bytes(), "齿轮"),
    ];
    for (written, name) in cases {
        // A name as a property of the surface, which refers to it behind its own parameters.
        let hollerith = format!("1,{}H", written.len());
        let property = Entity {
            form: 15,
            ..Entity::new(406, [hollerith.as_bytes(), written].concat())
        };
        let mut surface = side([10.0; 3], [0.0; 3], 2, 0);
        surface.parameters.extend(b",0,1,1");
        let bytes = iges(&[property, surface], "2,2HMM");
        let Some(scene) = read(&bytes, Kind::Iges) else {
            return;
        };
        assert_eq!(names(&scene.unwrap()), [name]);
    }
    let label = b"\xb5\xd7\xb0\xe5M8".to_vec();
    let surface = side([10.0; 3], [0.0; 3], 2, 0);
    let bytes = iges(&[Entity { label, ..surface }], "2,2HMM");
    let scene = read(&bytes, Kind::Iges).unwrap().unwrap();
    assert_eq!(names(&scene), ["底板M8(0)"]);
}

#[test]
fn the_unit_of_iges_is_that_of_its_flag() {
    let cases = [
        ("1,", "in", 0.254),
        ("1,2HMM", "in", 0.254),
        ("3,1HM", "m", 10.0),
        ("10,2HCM", "cm", 0.1),
        ("6,", "m", 10.0),
    ];
    for (unit, name, size) in cases {
        let bytes = iges(&[side([10.0; 3], [0.0; 3], 2, 0)], unit);
        let Some(scene) = read(&bytes, Kind::Iges) else {
            return;
        };
        let scene = scene.unwrap();
        assert_eq!(scene.units.source, name, "{unit}");
        assert!(near(measures(&scene).0[0], size), "{unit}");
    }
}

#[test]
fn iges_may_begin_with_empty_lines() {
    let text = [b"\r\n\n", &iges_box([10.0; 3], 2)[..]].concat();
    assert!(cad_is_iges(&text));
    let Some(scene) = read(&text, Kind::Iges) else {
        return;
    };
    assert!(near(measures(&scene.unwrap()).1, 6e-4));
}

fn cad_is_iges(bytes: &[u8]) -> bool {
    modelkit::read::cad::is_iges(bytes)
}

#[test]
fn blanked_entities_of_iges_are_told() {
    let mut hidden = side([10.0; 3], [0.0, 0.0, 50.0], 2, 0);
    hidden.status = "01000000";
    let bytes = iges(&[side([10.0; 3], [0.0; 3], 2, 0), hidden], "2,2HMM");
    let Some(scene) = read(&bytes, Kind::Iges) else {
        return;
    };
    let scene = scene.unwrap();
    assert!(near(measures(&scene).1, 1e-4));
    let told: Vec<&str> = scene.problems.iter().map(|p| p.message.as_str()).collect();
    assert!(
        told.len() == 1 && told[0].starts_with("1 个消隐"),
        "{told:?}"
    );
}

/// A named part of one surface of 10 × 10 mm, and instances of it: at these X, with these scales.
fn figure(name: &[u8], instances: &[(f64, &str)]) -> Vec<u8> {
    let mut inner = side([10.0; 3], [0.0; 3], 2, 0);
    inner.status = "00010000";
    let hollerith = [format!("0,{}H", name.len()).as_bytes(), name, b",1,1"].concat();
    let mut part = Entity::new(308, hollerith);
    part.status = "00000200";
    let mut entities = vec![inner, part];
    for (at, scale) in instances {
        entities.push(Entity::new(408, format!("3,{at:?},0.,0.,{scale}")));
    }
    iges(&entities, "2,2HMM")
}

#[test]
fn instances_of_iges_keep_their_scale() {
    // Of 10 mm at 0, of 25 at 20, of 5 at 60.
    let bytes = figure(b"part", &[(0.0, ""), (20.0, "2.5"), (60.0, "0.5")]);
    let Some(scene) = read(&bytes, Kind::Iges) else {
        return;
    };
    let scene = scene.unwrap();
    assert_eq!(scene.nodes.len(), 3);
    let (size, area) = measures(&scene);
    assert!(near(size[0], 0.065) && near(size[2], 0.025), "{size:?}");
    assert!(near(area, (100.0 + 625.0 + 25.0) * 1e-6), "{area}");
}
