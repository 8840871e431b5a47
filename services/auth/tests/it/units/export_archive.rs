//! Unit tests of `export::archive`.

use proto::common::v1::ExportField;
use proto::common::v1::ExportPage;
use std::io::Read;

use serde_json::Value;
use xl_auth::internals::{Archive, MOST_OBJECT};

fn page(area: &str, rows: &[&str]) -> ExportPage {
    let field = |name: &str, label: &str| ExportField {
        name: name.to_owned(),
        label: label.to_owned(),
    };
    ExportPage {
        area: area.to_owned(),
        title: format!("{area}<b>"),
        fields: vec![field("text", "文字"), field("sum", "金额")],
        rows: rows.iter().map(|row| (*row).to_owned()).collect(),
        ..Default::default()
    }
}

#[test]
fn pages_become_files_whose_cells_are_no_formulas() {
    let mut archive = Archive::begin().unwrap();
    let one = page("points", &[r#"{"text":"=1+1","sum":-2.5}"#]);
    archive.add("personal", &one).unwrap();
    let two = page("points", &[r#"{"text":"a\"b","sum":null}"#]);
    archive.add("personal", &two).unwrap();
    archive.add("personal", &page("empty", &[])).unwrap();
    assert!(!archive.has_room("personal/big.zip", MOST_OBJECT + 1));
    archive.add_object("personal/a.png", b"png").unwrap();
    let (file, bytes) = archive.finish(0).unwrap();
    let mut zip = zip::ZipArchive::new(file.reopen().unwrap()).unwrap();
    assert!(bytes > 0);
    let mut read = |name: &str| {
        let mut text = String::new();
        let mut entry = zip.by_name(name).unwrap();
        entry.read_to_string(&mut text).unwrap();
        text
    };
    let json: Vec<Value> = serde_json::from_str(&read("personal/points.json")).unwrap();
    assert_eq!(json.len(), 2);
    assert_eq!(
        read("personal/points.csv"),
        "\u{feff}\"文字\",\"金额\"\r\n\"'=1+1\",-2.5\r\n\"a\"\"b\",\r\n"
    );
    assert_eq!(read("personal/a.png"), "png");
    let index = read("index.html");
    assert!(index.contains("points&lt;b&gt;") && index.contains("personal/big.zip"));
    assert!(zip.by_name("personal/empty.json").is_err());
}
