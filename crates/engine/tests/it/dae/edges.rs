//! What XML and COLLADA allow and few programs write.

use super::{BOUND, GEOMETRY, MATERIAL, Pictures, SHOWN, file, near, open, open_with};
use modelkit::Scene;

fn square(scene: &Scene) {
    assert_eq!(
        (scene.triangle_count(), scene.problems.len()),
        (2, 0),
        "{:?}",
        scene.problems
    );
    near(scene.bounds().min, [0.0; 3]);
    near(scene.bounds().max, [2.0, 2.0, 0.0]);
    assert_eq!(scene.meshes[0].primitives[0].uvs[0][1], [1.0, 1.0]);
}

fn plain() -> String {
    String::from_utf8(file("", GEOMETRY, SHOWN)).unwrap()
}

#[test]
fn strides_of_any_size_are_harmless() {
    for stride in [usize::MAX, usize::MAX / 2 + 1, 1 << 40] {
        for offset in [0, 1, usize::MAX] {
            let accessor = format!(r#"stride="{stride}" offset="{offset}""#);
            let text = plain()
                .replace("0 0 0  2 0 0", "0 0 0  9000000 0 0")
                .replacen(r#"stride="3""#, &accessor, 1);
            // No polygon has a place.
            assert!(open(text.as_bytes()).is_err());
        }
    }
}

#[test]
fn the_offset_of_far_places_is_no_part_of_them() {
    let text = plain()
        .replace(
            ">0 0 0  2 0 0  2 2 0  0 2 0<",
            ">7 500000 0 0 9 500002 0 0 9 500002 2 0 9 500000 2 0<",
        )
        .replacen(r#"stride="3""#, r#"stride="4" offset="1""#, 1)
        .replacen("count=\"4\"", "count=\"3\"", 1);
    // Four whole rows do not fit behind the offset.
    let text = text.replace("0 0 1 1 2 2 3 3", "0 0 1 1 2 2 0 0");
    let scene = open(text.as_bytes()).unwrap();
    near(scene.bounds().min, [500_000.0, 0.0, 0.0]);
    near(scene.bounds().max, [500_002.0, 2.0, 0.0]);
}

#[test]
fn prefixes_comments_and_cdata_change_nothing() {
    let prefixed = plain()
        .replace("</", "\u{1}")
        .replace("<?", "\u{2}")
        .replace('<', "<c:")
        .replace('\u{1}', "</c:")
        .replace('\u{2}', "<?")
        .replace("xmlns=", "xmlns:c=");
    square(&open(prefixed.as_bytes()).unwrap());
    for (from, to) in [
        (">0 0 0  2 0 0  2", ">0 0 0 <!-- a corner --> 2 0 0  2"),
        (">0 0 0  2 0 0  2", "><!-- first -->0 0 0  2 0 0  2"),
        (
            ">0 0 0  2 0 0  2 2 0  0 2 0<",
            "><![CDATA[0 0 0  2 0 0  2 2 0  0 2 0]]><",
        ),
        (">0 0 0  2 0 0  2", "><?app data?>0 0 0\r\n\t2 0 0  2"),
        ("<p>0 0 1 1 2 2 3 3</p>", "<p>0 0 1 1 2</p><p>2 3 3</p>"),
        (
            "<p>0 0 1 1 2 2 3 3</p>",
            "<p>0 0 1 1 <!-- half -->2 2 3 3</p>",
        ),
        ("<vcount>4</vcount>", "<vcount> 4 </vcount>"),
        ("count=\"12\"", "count=\"99\""),
        ("polylist count=\"1\"", "polylist count=\"7\""),
        ("\"#p\"", "\"p\""),
        ("0 2 0</float_array>", "+0. .2e1 -0.0E+0</float_array>"),
        ("0 2 0</float_array>", "&#48; 2 0</float_array>"),
    ] {
        let text = plain();
        assert!(text.contains(from), "{from}");
        square(&open(text.replace(from, to).as_bytes()).unwrap());
    }
}

#[test]
fn encodings_are_those_of_xml() {
    let text = plain();
    let marked = ["\u{feff}", &text].concat();
    square(&open(marked.as_bytes()).unwrap());
    let wide = text.replace("encoding=\"utf-8\"", "encoding=\"utf-16\"");
    for mark in ["\u{feff}", ""] {
        let units: Vec<u16> = [mark, &wide].concat().encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|u| u.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|u| u.to_be_bytes()).collect();
        square(&open(&little).unwrap());
        square(&open(&big).unwrap());
    }
}

#[test]
fn ids_may_be_escaped_in_references() {
    let named = plain()
        .replace("geometry id=\"g\"", "geometry id=\"木头 1\"")
        .replace("url=\"#g\"", "url=\"#%E6%9C%A8%E5%A4%B4%201\"");
    square(&open(named.as_bytes()).unwrap());
    let node = format!(r#"<node id="n">{BOUND}</node>"#);
    let text = String::from_utf8(file("", &[MATERIAL, GEOMETRY].concat(), &node)).unwrap();
    let escaped = text
        .replace("material id=\"m\"", "material id=\"漆\"")
        .replace("target=\"#m\"", "target=\"#%E6%BC%86\"");
    let scene = open_with(escaped.as_bytes(), &Pictures).unwrap();
    assert_eq!(scene.meshes[0].primitives[0].material, Some(0));
}

#[test]
fn values_without_a_name_are_left_out_of_rows() {
    let params = r#"stride="4"><param type="float"/><param name="X"/><param name="Y"/><param name="Z"/></accessor>"#;
    let text = plain()
        .replace(
            ">0 0 0  2 0 0  2 2 0  0 2 0<",
            ">9 0 0 0  9 2 0 0  9 2 2 0  9 0 2 0<",
        )
        .replacen(r#"stride="3"/>"#, params, 1);
    square(&open(text.as_bytes()).unwrap());
    // Where none has a name, all are meant.
    let none = r#"stride="3"><param/><param/><param/></accessor>"#;
    square(&open(plain().replacen(r#"stride="3"/>"#, none, 1).as_bytes()).unwrap());
    // An accessor may use the array of another source.
    let array = r#"<float_array id="pa" count="12">0 0 0  2 0 0  2 2 0  0 2 0</float_array>"#;
    let elsewhere = plain().replace(array, "").replace(
        "<source id=\"p\">",
        &format!("<source id=\"other\">{array}</source><source id=\"p\">"),
    );
    square(&open(elsewhere.as_bytes()).unwrap());
}

#[test]
fn numbers_that_are_none_are_told() {
    for word in ["NaN", "INF", "-INF", "1.#IND", "1.#QNAN", "x"] {
        let second = r##"<triangles><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh>"##;
        let text = plain()
            .replace("0 2 0</float_array>", &format!("0 {word} 0</float_array>"))
            .replace("</mesh>", second);
        let scene = open(text.as_bytes()).unwrap();
        assert!(
            scene.problems.iter().any(|p| p.code == "nan-positions"),
            "{word}"
        );
        assert!(scene.triangle_count() > 0);
    }
}
