//! `metadata.xml` of a delivery: reference system and origin.

use super::geo::Georeference;
use super::source::{Readers, Source};
use crate::scene::{Problem, Severity};
use quick_xml::Reader;
use quick_xml::events::Event;

/// Longest metadata that is read; real files are about a kilobyte.
const MOST_BYTES: u64 = 1 << 20;

/// Text of the elements `SRS` and `SRSOrigin`.
#[derive(Debug, Default, PartialEq)]
pub struct Metadata {
    pub srs: Option<String>,
    pub origin: Option<String>,
}

/// `None` if the text is not XML or is truncated.
pub fn parse(text: &str) -> Option<Metadata> {
    let mut reader = Reader::from_str(text);
    let mut found = Metadata::default();
    let mut open: Vec<String> = Vec::new();
    let mut content = String::new();
    let mut seen = false;
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                open.push(String::from_utf8_lossy(start.local_name().as_ref()).into_owned());
                content.clear();
                seen = true;
            }
            Event::Text(text) => content.push_str(&text.decode().ok()?),
            Event::CData(text) => content.push_str(&String::from_utf8_lossy(&text)),
            Event::GeneralRef(name) => content.push(match &name[..] {
                b"quot" => '"',
                b"apos" => '\'',
                b"lt" => '<',
                b"gt" => '>',
                _ => '&',
            }),
            Event::End(_) => {
                let text = content.trim();
                let name = open.pop()?;
                // Edited by hand, names may be in lower case.
                let is = |known: &str| name.eq_ignore_ascii_case(known) && !text.is_empty();
                if is("SRS") {
                    found.srs = Some(text.to_owned());
                } else if is("SRSOrigin") {
                    found.origin = Some(text.to_owned());
                }
                content.clear();
            }
            Event::Eof => break,
            _ => {}
        }
    }
    (seen && open.is_empty()).then_some(found)
}

/// All processing of a metadata.xml, for fuzzing.
pub fn examine(text: &str) {
    let Some(found) = parse(text) else { return };
    let origin = found.origin.as_deref().and_then(origin).unwrap_or_default();
    if let Some(srs) = found.srs
        && let Ok(place) = Georeference::parse(&srs, origin)
    {
        let _ = place.ecef([1.0, 2.0, 3.0]);
    }
}

/// Numbers separated by commas (or spaces), also those of Chinese keyboards; missing ones are 0.
pub fn origin(text: &str) -> Option<[f64; 3]> {
    let mut out = [0.0; 3];
    let parts = text
        .split([',', ' ', ';', '，', '、', '；', '\u{3000}'])
        .filter(|p| !p.trim().is_empty());
    for (i, part) in parts.enumerate() {
        *out.get_mut(i)? = part.trim().parse().ok().filter(|v: &f64| v.is_finite())?;
    }
    Some(out)
}

/// The delivery's georeference. Without a usable one the model is not placed, and a problem reports why.
pub fn georeference<'s>(source: &'s Source, readers: &Readers<'s>) -> (Georeference, Vec<Problem>) {
    let advice = "模型会以本地坐标显示；如需放到地图上，请补上正确的 metadata.xml 后重新上传";
    let unplaced = |code, message: String| {
        let problem = Problem::new(code, Severity::Warning, "metadata.xml", message, advice);
        (Georeference::unplaced(), vec![problem])
    };
    let mut places: Vec<usize> = (0..source.files.len())
        .filter(|&i| {
            let name = source.files[i].0.rsplit('/').next().unwrap_or("");
            name.eq_ignore_ascii_case("metadata.xml")
        })
        .collect();
    places.sort_by_key(|&i| source.files[i].0.len());
    let Some(&place) = places.first() else {
        return unplaced(
            "missing-metadata",
            "缺少 metadata.xml，无法得知坐标系".into(),
        );
    };
    if source.files[place].1 > MOST_BYTES {
        return unplaced("bad-metadata", "metadata.xml 过大，不是有效的元数据".into());
    }
    let text = source.read(place, readers).unwrap_or_default();
    let Some(metadata) = parse(&crate::read::encoding::xml(&text)) else {
        return unplaced("bad-metadata", "metadata.xml 不是有效的 XML".into());
    };
    let Some(srs) = metadata.srs else {
        return unplaced("unknown-srs", "metadata.xml 里没有坐标系（SRS）".into());
    };
    let written = metadata.origin.as_deref().unwrap_or("0,0,0");
    let Some(origin) = origin(written) else {
        return unplaced(
            "bad-metadata",
            "metadata.xml 的坐标原点（SRSOrigin）不是数字".into(),
        );
    };
    let georeference = match Georeference::parse(&srs, origin) {
        Ok(georeference) => georeference,
        Err(error) => return unplaced("unknown-srs", error.to_string()),
    };
    let mut problems = Vec::new();
    if metadata.origin.is_none() && georeference.needs_origin() {
        problems.push(Problem::new(
            "missing-origin",
            Severity::Warning,
            "metadata.xml",
            "metadata.xml 里没有坐标原点（SRSOrigin），按 0,0,0 处理；坐标系是投影或地心坐标，模型的位置很可能不对",
            "请补上 SRSOrigin 后重新上传；如果模型坐标本来就是完整的坐标值，可以忽略",
        ));
    }
    if places.len() > 1 {
        problems.push(Problem::new(
            "several-metadata",
            Severity::Warning,
            "metadata.xml",
            format!(
                "有 {} 个 metadata.xml，使用的是 {}",
                places.len(),
                source.files[place].0
            ),
            "如坐标不对，请把各测区分开打包上传",
        ));
    }
    if georeference.in_degrees {
        problems.push(Problem::new(
            "srs-in-degrees",
            Severity::Info,
            "metadata.xml",
            "坐标系以经纬度为单位：原点按经度、纬度、高程理解，模型坐标按原点处东、北、天方向的米理解",
            "如位置不对，请以投影坐标系或 ENU 重新导出",
        ));
    }
    if georeference.height_datum_ignored {
        problems.push(Problem::new(
            "height-datum",
            Severity::Info,
            "metadata.xml",
            "坐标系带有高程基准，高程未换算为椭球高",
            "如高度有偏差，请以椭球高重新导出",
        ));
    }
    (georeference, problems)
}
