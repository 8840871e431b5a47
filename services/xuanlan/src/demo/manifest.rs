//! The listings of a mall, as defined by `demo/mall.toml`.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use anyhow::{Context as _, ensure};
use modelkit::sample::family::{Family, Param, find};
use serde::Deserialize;

const BUILT_IN: &str = include_str!("../../demo/mall.toml");

/// Kind of a maker who is one person; persons license for personal use unless the listing says otherwise.
const PERSON: u32 = 2;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub maker: Vec<Maker>,
    family: BTreeMap<String, Offers>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Maker {
    pub name: String,
    /// 1 the platform's own studio, 2 a person, 3 a company.
    pub kind: u32,
    pub intro: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Offers {
    maker: usize,
    category: String,
    labels: Vec<String>,
    /// Their pictures cost most: they come after the others.
    #[serde(default)]
    late: bool,
    listings: Vec<Listing>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listing {
    name: String,
    set: String,
    price: i64,
    text: String,
    maker: Option<usize>,
    license: Option<String>,
    #[serde(default)]
    versions: Vec<Version>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Version {
    set: String,
    notes: String,
}

/// A listing to be made.
#[derive(Debug, Clone)]
pub struct Offer {
    /// Index of the maker.
    pub maker: usize,
    pub name: String,
    pub category: String,
    pub labels: String,
    pub license: String,
    /// Cents.
    pub price: i64,
    /// With placeholders.
    text: String,
    /// The first one and its later versions.
    pub models: Vec<Model>,
}

impl Offer {
    /// Without its later versions.
    pub fn first_version(mut self) -> Self {
        self.models.truncate(1);
        self
    }

    /// What the model of a later version is called: like the listing, as far as a model's name may be long.
    pub fn name_of_version(&self, number: usize) -> String {
        let end = format!(" 第 {number} 版");
        let room = xl_process::MAX_NAME - end.chars().count();
        self.name.chars().take(room).chain(end.chars()).collect()
    }
}

/// A file of a listing.
#[derive(Debug, Clone)]
pub struct Model {
    pub family: &'static str,
    pub set: Vec<(String, f32)>,
    /// What is new; empty for a first version.
    pub notes: String,
}

impl Manifest {
    /// The built-in one, or that of a file.
    pub fn load(file: &str) -> anyhow::Result<Self> {
        let text = match file {
            "" => BUILT_IN.to_owned(),
            file => std::fs::read_to_string(Path::new(file)).with_context(|| file.to_owned())?,
        };
        toml::from_str(&text).context("the listings of the demo")
    }

    /// All listings, one of each family per round, each family beginning at a different one, so that the first listings are
    /// of all kinds and not all free. Each offer of a maker has its own name.
    pub fn offers(&self) -> anyhow::Result<Vec<Offer>> {
        let most = self.family.values().map(|one| one.listings.len()).max();
        let mut offers = Vec::new();
        for round in 0..most.unwrap_or(0) {
            let mut families: Vec<_> = self.family.iter().enumerate().collect();
            families.sort_by_key(|(_, (_, of))| of.late);
            for (start, (name, of)) in families {
                if round < of.listings.len() {
                    let listing = &of.listings[(start + round) % of.listings.len()];
                    let offer = self.offer(name, of, listing);
                    offers.push(offer.with_context(|| listing.name.clone())?);
                }
            }
        }
        let names: HashSet<_> = offers.iter().map(|one| (one.maker, &one.name)).collect();
        ensure!(names.len() == offers.len(), "two listings of one name");
        Ok(offers)
    }

    fn offer(&self, family: &str, of: &Offers, listing: &Listing) -> anyhow::Result<Offer> {
        let family = find(family).with_context(|| format!("no family {family}"))?;
        let maker = listing.maker.unwrap_or(of.maker).wrapping_sub(1);
        let by = self.maker.get(maker).context("no such maker")?;
        let usual = match by.kind {
            PERSON => "personal",
            _ => "commercial",
        };
        let set = settings(&listing.set)?;
        let mut models = vec![Model {
            family: family.name,
            set: set.clone(),
            notes: String::new(),
        }];
        for version in &listing.versions {
            let mut set = set.clone();
            set.extend(settings(&version.set)?);
            models.push(Model {
                family: family.name,
                set,
                notes: version.notes.clone(),
            });
        }
        Ok(Offer {
            maker,
            name: listing.name.clone(),
            category: of.category.clone(),
            labels: of.labels.join(","),
            license: listing.license.clone().unwrap_or_else(|| usual.to_owned()),
            price: listing.price * 100,
            text: listing.text.clone(),
            models,
        })
    }
}

/// What a listing says.
pub struct Texts {
    /// The first sentence.
    pub intro: String,
    /// All, and the parameters that the model was made with.
    pub description: String,
}

impl Offer {
    /// Measures the model, which takes some time.
    pub fn texts(&self) -> anyhow::Result<Texts> {
        let first = self.models.first().context("no model")?;
        let family = find(first.family).context("no such family")?;
        let text = filled(&self.text, family, &first.set)?;
        let intro = text.split_inclusive('。').next().unwrap_or_default();
        let values = family.params.iter().filter_map(|one| {
            let value = value(one.default, one.name, &first.set);
            said(one, value)
        });
        let values: Vec<String> = values.collect();
        Ok(Texts {
            intro: intro.to_owned(),
            description: format!("{text}\n\n参数\n{}", values.join("\n")),
        })
    }
}

fn settings(text: &str) -> anyhow::Result<Vec<(String, f32)>> {
    let pair = |part: &str| {
        let (name, value) = part.split_once('=').context("name=value")?;
        Ok((name.to_owned(), value.parse()?))
    };
    text.split_whitespace().map(pair).collect()
}

/// The last value that is set, else the default.
fn value(default: f32, name: &str, set: &[(String, f32)]) -> f32 {
    let found = set.iter().rev().find(|(known, _)| known == name);
    found.map_or(default, |(_, value)| *value)
}

/// Parameters that only number the colours and woods of a family.
const PALETTES: [&str; 2] = ["tone", "wood"];
const UNITS: [&str; 3] = ["毫米", "米", "度"];

/// A parameter and its value in words, as its title explains them; `None` where the number would say nothing.
fn said(param: &Param, value: f32) -> Option<String> {
    let (title, meanings) = match param.title.split_once(['：', '，']) {
        Some((title, meanings)) => (title, meanings),
        None => (param.title, ""),
    };
    let number = value.to_string();
    let mut meanings = meanings.split('，').filter_map(|one| one.split_once(' '));
    if let Some((_, word)) = meanings.find(|(of, _)| *of == number) {
        return Some(format!("{title}：{}", word.trim_start_matches('为')));
    }
    if PALETTES.contains(&param.name) {
        return None;
    }
    let measured = title.trim_end_matches('）').split_once('（');
    Some(match measured {
        Some((what, unit)) if UNITS.contains(&unit) => format!("{what}：{number} {unit}"),
        _ => format!("{title}：{number}"),
    })
}

/// The text with its placeholders filled in.
fn filled(text: &str, family: &Family, set: &[(String, f32)]) -> anyhow::Result<String> {
    let mut text = text.to_owned();
    for one in family.params {
        let shown = value(one.default, one.name, set).to_string();
        text = text.replace(&format!("{{{}}}", one.name), &shown);
    }
    if text.contains("{size}") {
        let bounds = family.draft(set, 1)?.bounds();
        let sides = [0, 1, 2].map(|k| bounds.max[k] - bounds.min[k]);
        text = text.replace("{size}", &extent(sides));
    }
    ensure!(!text.contains('{'), "an unknown placeholder: {text}");
    Ok(text)
}

fn extent(sides: [f64; 3]) -> String {
    let longest = sides.iter().copied().fold(0.0, f64::max);
    let [a, b, c] = match longest < 1.0 {
        true => sides.map(|side| format!("{:.0}", (side * 1000.0).max(1.0))),
        false => sides.map(|side| format!("{side:.1}")),
    };
    let unit = if longest < 1.0 { "毫米" } else { "米" };
    format!("{a} × {b} × {c} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nodes, vertices and extent: they distinguish two models of one family.
    fn form(model: &Model) -> [i64; 5] {
        let scene = find(model.family).unwrap().draft(&model.set, 1).unwrap();
        let bounds = scene.bounds();
        let side = |k: usize| ((bounds.max[k] - bounds.min[k]) * 1e5).round() as i64;
        let [nodes, vertices] = [scene.nodes.len(), scene.vertex_count()].map(|n| n as i64);
        // With fewer triangles, the mall shows pictures only.
        assert!(scene.triangle_count() >= 1_000, "{model:?}");
        [nodes, vertices, side(0), side(1), side(2)]
    }

    #[test]
    fn what_a_model_was_made_with_is_said_in_words() {
        let of = |family: &str, name: &str| {
            let mut params = find(family).unwrap().params.iter();
            params.find(|one| one.name == name).unwrap()
        };
        for (family, name, value, expected) in [
            ("house", "tone", 2.0, Some("外墙：灰石")),
            ("floor-lamp", "legs", 0.0, Some("支脚数：圆盘底座")),
            ("floor-lamp", "legs", 3.0, Some("支脚数：3")),
            ("bearing", "bore", 25.0, Some("内径：25 毫米")),
            ("tower", "twist", 90.0, Some("总扭转角：90 度")),
            ("table", "drawers", 3.0, Some("抽屉（方腿桌）：3")),
            ("bearing", "outer", 2.08, Some("外径与内径之比：2.08")),
            ("drone", "tone", 1.0, None),
            ("ring", "tone", 1.0, Some("配色：黄金红宝")),
        ] {
            let said = said(of(family, name), value);
            assert_eq!(said.as_deref(), expected, "{family} {name}");
        }
    }

    #[test]
    fn the_first_listings_are_many_different_and_whole() {
        let manifest = Manifest::load("").unwrap();
        let offers = manifest.offers().unwrap();
        assert!(offers.len() >= 120);
        for kind in [1, 2, 3] {
            assert!(manifest.maker.iter().any(|one| one.kind == kind));
        }
        assert_eq!(manifest.maker.len(), 8);
        for (maker, reply) in manifest.maker.iter().enumerate() {
            assert!((2..=20).contains(&reply.name.chars().count()));
            assert!(reply.intro.chars().count() >= 20);
            let theirs = offers.iter().filter(|one| one.maker == maker).count();
            assert!(theirs >= 5, "{}: {theirs}", reply.name);
        }
        let names: HashSet<&str> = offers.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names.len(), offers.len());
        // As a person would write them: what sets models apart is said in words.
        let plain = |name: &&str| name.replace(|c: char| c.is_ascii_digit(), "");
        let worded: HashSet<String> = names.iter().map(plain).collect();
        assert_eq!(worded.len(), names.len());
        for name in &names {
            let numbers = name.split(|c: char| !c.is_ascii_digit() && c != '.');
            let numbers = numbers.filter(|part| !part.is_empty()).count();
            assert!(numbers <= 1, "{name}");
        }
        let models = offers.iter().flat_map(|one| {
            let later = (1..one.models.len()).map(|at| one.name_of_version(at + 1));
            later.chain([one.name.clone()])
        });
        let models: Vec<String> = models.collect();
        assert!(models.iter().all(|name| name.chars().count() <= 15));
        assert_eq!(HashSet::<&String>::from_iter(&models).len(), models.len());
        let free = offers.iter().filter(|one| one.price == 0).count();
        assert!((offers.len() / 5..offers.len() / 3).contains(&free));
        let first = &offers[..24];
        assert!(first.iter().any(|one| one.price == 0) && first.iter().any(|one| one.price > 0));
        let kinds: HashSet<&str> = first.iter().map(|one| one.models[0].family).collect();
        assert_eq!(kinds.len(), 24);
        assert!(offers.iter().filter(|one| one.models.len() > 1).count() >= 10);
        let (mut forms, mut alike) = (HashSet::new(), Vec::new());
        for offer in &offers {
            let name = &offer.name;
            assert!(offer.price == 0 || (100..=29_900).contains(&offer.price));
            assert!(facts::labels::parse(&offer.labels).is_some(), "{name}");
            assert!(["personal", "commercial"].contains(&offer.license.as_str()));
            let texts = offer.texts().unwrap();
            assert!((8..=100).contains(&texts.intro.chars().count()), "{name}");
            assert!(texts.description.chars().count() >= 40, "{name}");
            // A choice is told by its word, not by its number in the generator.
            let numbered = texts.description.contains("，0 ") || texts.description.contains("，1 ");
            assert!(!numbered, "{}", texts.description);
            for (at, model) in offer.models.iter().enumerate() {
                assert_eq!(at > 0, model.notes.chars().count() >= 8, "{name}");
                let form = form(model);
                if !forms.insert((model.family, form)) {
                    alike.push(format!("{name}, version {}", at + 1));
                }
            }
        }
        assert_eq!(alike, [""; 0], "each has a form of its own");
    }
}
