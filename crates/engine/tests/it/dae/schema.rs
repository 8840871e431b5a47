//! The table of COLLADA's elements: each is read, told, or changes nothing.

use super::documents::{controllers, document, geometries, materials, nodes};
use super::{Pictures, finding, open_with};
use modelkit::read::dae::{CONTENTS, EXTRAS, Loss, Treatment};

/// An element in a text: the name of what it is in, its own, and where it begins and ends.
struct Element {
    parent: String,
    name: String,
    start: usize,
    end: usize,
    /// Where its content ends.
    inner_end: usize,
}

/// The elements of a plain document: no comments, no text with `<`.
fn elements(text: &str) -> Vec<Element> {
    let mut out: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(found) = text[at..].find('<') {
        let start = at + found;
        let end = start + text[start..].find('>').unwrap() + 1;
        let tag = &text[start + 1..end - 1];
        at = end;
        if tag.starts_with('?') {
            continue;
        }
        if tag.starts_with('/') {
            let element = &mut out[open.pop().unwrap()];
            (element.inner_end, element.end) = (start, end);
            continue;
        }
        let name = tag.trim_end_matches('/').split_whitespace().next().unwrap();
        let above = |k: usize| {
            open.len()
                .checked_sub(k)
                .map(|i| out[open[i]].name.as_str())
        };
        let parent = match (above(1), above(2)) {
            (Some(own @ ("technique" | "technique_common")), Some(outer)) => {
                format!("{outer}/{own}")
            }
            (own, _) => own.unwrap_or("").to_owned(),
        };
        out.push(Element {
            parent,
            name: name.to_owned(),
            start,
            end,
            inner_end: end,
        });
        if !tag.ends_with('/') {
            open.push(out.len() - 1);
        }
    }
    assert!(open.is_empty());
    out
}

/// What is in a scene, without findings.
fn content(text: &str) -> String {
    match open_with(text.as_bytes(), &Pictures) {
        Ok(mut scene) => {
            scene.problems.clear();
            format!("{scene:?}")
        }
        Err(error) => error.to_string(),
    }
}

fn told(text: &str) -> Vec<(String, String)> {
    let scene = open_with(text.as_bytes(), &Pictures).unwrap();
    let problems = scene.problems.iter();
    problems
        .map(|p| (p.code.to_owned(), p.message.clone()))
        .collect()
}

/// What a finding about each kind of loss says.
fn words(loss: Loss) -> &'static str {
    match loss {
        Loss::Unknown => "不属于 COLLADA 标准",
        Loss::Coverage => "地理位置",
        Loss::Physics => "物理",
        Loss::Light => "灯光",
        Loss::Camera => "相机",
        Loss::External => "其他文件",
        Loss::Dangling => "引用的对象不存在",
        Loss::Hidden => "隐藏",
        Loss::Offstage => "场景没有被选用",
        Loss::Spline => "样条",
        Loss::Brep => "brep",
        Loss::Shapeless => "没有多边形",
        Loss::Unplaced => "POSITION",
        Loss::Outside => "不存在的顶点",
        Loss::Ragged => "角数和索引数",
        Loss::Attribute => "顶点数据",
        Loss::Chained => "同类控制器",
        Loss::Target => "变形目标",
        Loss::Joint => "骨骼在场景里找不到",
        Loss::Weights => "16 根以上",
        Loss::Profile => "着色器",
        Loss::Plain => "profile_COMMON",
        Loss::Technique => "多种画法",
        Loss::Map => "用途或类型",
        Loss::Embedded => "内嵌",
        Loss::Placement => "摆放",
        Loss::Clip => "剪辑",
        Loss::Channel => "目标不受支持",
        Loss::Aimless => "不在显示的场景",
        Loss::Keys => "关键帧不完整",
        Loss::Interpolation => "插值",
    }
}

/// The documents with this text put into the first element of a name, or in place of an element in it.
fn with(parent: &str, instead: Option<&str>, new: &str, documents: &[String]) -> Vec<String> {
    let mut out = Vec::new();
    for text in documents {
        let all = elements(text);
        let whole = |e: &&Element| match instead {
            Some(name) => e.parent == parent && e.name == name,
            None => {
                let context = match e.name.as_str() {
                    "technique" | "technique_common" => {
                        format!("{}/{}", e.parent, e.name)
                    }
                    name => name.to_owned(),
                };
                context == parent && e.inner_end < e.end
            }
        };
        for element in all.iter().filter(whole).take(3) {
            let (start, end) = match instead {
                Some(_) => (element.start, element.end),
                None => (element.inner_end, element.inner_end),
            };
            out.push([&text[..start], new, &text[end..]].concat());
        }
    }
    out
}

#[test]
fn every_element_is_read_or_told_or_changes_nothing() {
    let documents = [geometries(), materials(), controllers(), nodes()];
    for (parents, entries) in CONTENTS {
        for (parent, (name, treatment)) in parents
            .iter()
            .flat_map(|parent| entries.iter().map(move |entry| (*parent, *entry)))
        {
            match treatment {
                Treatment::Read => read(parent, name, &documents),
                Treatment::Silent => silent(parent, name, &documents),
                Treatment::Lost(loss) => {
                    let new = format!("<{name}>2</{name}>");
                    lost(parent, name, loss, &with(parent, None, &new, &documents));
                }
                Treatment::Judged(loss) => {
                    let new = format!("<{name}>2</{name}>");
                    let instead = match (parent, name) {
                        ("newparam" | "setparam", _) => {
                            with(parent, Some("sampler2D"), &new, &documents)
                        }
                        ("surface", _) | ("image", _) => {
                            with(parent, Some("init_from"), &new, &documents)
                        }
                        ("geometry", _) => with(parent, Some("mesh"), &new, &documents),
                        (_, "ambient" | "specular" | "reflective") => {
                            let new = format!(r#"<{name}><texture texture="five"/></{name}>"#);
                            with(parent, None, &new, &documents)
                        }
                        other => panic!("{other:?} has no case"),
                    };
                    lost(parent, name, loss, &instead);
                }
            }
        }
    }
}

/// Without the element the scene is another one.
fn read(parent: &str, name: &str, documents: &[String]) {
    let holds_read = |(parents, entries): &(&[&str], &[(&str, Treatment)])| {
        parents.contains(&name) && !entries.iter().any(|(_, t)| *t == Treatment::Read)
    };
    if CONTENTS.iter().any(holds_read) {
        // A list of what is lost.
        return;
    }
    let changes = documents.iter().any(|text| {
        let all = elements(text);
        let own = all.iter().filter(|e| e.parent == parent && e.name == name);
        let whole = content(text);
        own.take(4)
            .any(|e| content(&[&text[..e.start], &text[e.end..]].concat()) != whole)
    });
    assert!(changes, "{name} in {parent} changes nothing");
}

fn silent(parent: &str, name: &str, documents: &[String]) {
    let new = format!("<{name}><a>1</a></{name}>");
    let changed = with(parent, None, &new, documents);
    assert!(
        !changed.is_empty() || parent.starts_with("library"),
        "{parent} is nowhere"
    );
    for (text, new) in documents.iter().flat_map(|text| {
        let changed = with(parent, None, &new, std::slice::from_ref(text));
        changed.into_iter().map(move |new| (text, new))
    }) {
        assert_eq!(content(text), content(&new), "{name} in {parent}");
        assert_eq!(told(text), told(&new), "{name} in {parent}");
    }
}

fn lost(parent: &str, name: &str, loss: Loss, changed: &[String]) {
    // What no document holds stands alone.
    let alone = [document(&format!(
        "<{parent}><{name}>2</{name}></{parent}>{}",
        &geometries()["<COLLADA version=\"1.4.1\">".len()..].trim_end_matches("</COLLADA>")
    ))];
    let changed = match changed {
        [] => &alone,
        changed => changed,
    };
    let told = changed.iter().any(|text| {
        told(text)
            .iter()
            .any(|(_, message)| message.contains(words(loss)))
    });
    assert!(told, "{name} in {parent}: {:?}", told_all(changed));
}

fn told_all(changed: &[String]) -> Vec<Vec<(String, String)>> {
    changed.iter().map(|text| told(text)).collect()
}

#[test]
fn documents_of_the_table_are_read_whole() {
    for text in [geometries(), materials(), controllers()] {
        assert_eq!(told(&text), []);
    }
    let told = told(&nodes());
    let codes: Vec<&str> = told.iter().map(|(code, _)| code.as_str()).collect();
    assert_eq!(codes, ["hidden-skipped", "unread-data"], "{told:?}");
}

#[test]
fn extras_are_read_or_told_if_they_change_something() {
    for (name, neutral, treatment) in EXTRAS {
        let extra = |value: f32| {
            let extra = format!(
                r#"<extra><technique profile="X"><{name}>{value}</{name}></technique></extra>"#
            );
            materials().replace(
                r#"<texture texture="in-profile"/>"#,
                &format!(r#"<texture texture="in-profile">{extra}</texture>"#),
            )
        };
        assert_eq!(told(&extra(*neutral)), [], "{name}");
        if let Treatment::Lost(loss) = treatment {
            let mut text = extra(neutral + 0.5);
            if *loss == Loss::Map {
                text = text.replace(
                    &format!("<{name}>0.5<"),
                    &format!("<{name}><texture texture=\"img\"/><"),
                );
            }
            let message = &told(&text)[0].1;
            assert!(
                message.contains(words(*loss)) && message.contains(name),
                "{message}"
            );
        }
    }
}

#[test]
fn unknown_elements_are_told_with_their_place() {
    let text = nodes().replace("<node id=\"b\">", "<node id=\"b\"><instance_hologram/>");
    let scene = open_with(text.as_bytes(), &Pictures).unwrap();
    let problem = finding(&scene, words(Loss::Unknown));
    assert!(problem.message.contains("instance_hologram"), "{problem:?}");
    assert_eq!(problem.place, "节点 b");
}
