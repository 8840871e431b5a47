//! The list of formats, typed.

use std::sync::LazyLock;

use serde::Deserialize;

/// A format that the engine distinguishes; `formats.json` has one row for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Glb,
    Gltf,
    Obj,
    Stl,
    Ply,
    Fbx,
    #[serde(rename = "3ds")]
    ThreeDs,
    Dae,
    Step,
    Iges,
    Rvt,
    Jt,
    Osgb,
    Amrt,
    Zip,
    Rar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    Mesh,
    Cad,
    Bim,
    Oblique,
    Package,
    Archive,
}

/// What the engine gets out of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reads {
    Model,
    /// Version and the like: the geometry is closed to us.
    Header,
    /// A model inside.
    Archive,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    #[serde(rename = "name")]
    pub format: Format,
    /// As it is written in texts.
    pub title: String,
    /// Lower case, without the dot.
    pub extensions: Vec<String>,
    pub family: Family,
    pub reads: Reads,
    /// Whether a model can be converted to it.
    #[serde(default)]
    pub writes: bool,
    /// Whether a single model may be uploaded in it.
    #[serde(default)]
    pub uploads: bool,
    /// Whether the simple uploader takes it.
    #[serde(default)]
    pub simple: bool,
    /// Whether the extension alone decides: its content has no mark to know it by.
    #[serde(default)]
    pub known_by_name: bool,
    /// Rank among the models of one archive, 1 first: what carries more of a scene. None: never the model.
    pub preference: Option<u32>,
    /// What a user does with a file whose content is not what its extension says.
    #[serde(default = "export_again")]
    pub remedy: String,
    /// How well it is read, for people.
    #[serde(default)]
    pub reading: String,
    /// What of a model it holds, for people.
    #[serde(default)]
    pub carries: String,
    #[serde(default)]
    pub note: String,
}

fn export_again() -> String {
    "重新导出后上传".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FamilyRow {
    #[serde(rename = "name")]
    pub family: Family,
    pub title: String,
}

/// Extensions that people try and the engine does not read, with what to do instead.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    pub extensions: Vec<String>,
    pub advice: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    families: Vec<FamilyRow>,
    formats: Vec<Row>,
    refused: Vec<Refused>,
}

static LIST: LazyLock<List> = LazyLock::new(|| {
    serde_json::from_str(include_str!("formats.json"))
        .expect("formats.json is valid: a test reads it")
});

/// All formats, in the order in which texts name them.
pub fn rows() -> &'static [Row] {
    &LIST.formats
}

pub fn families() -> &'static [FamilyRow] {
    &LIST.families
}

pub fn refused() -> &'static [Refused] {
    &LIST.refused
}

/// Titles of the rows that `chosen` keeps, joined for a sentence.
pub fn titles(chosen: impl Fn(&Row) -> bool) -> String {
    let titles: Vec<&str> = rows()
        .iter()
        .filter(|row| chosen(row))
        .map(|row| row.title.as_str())
        .collect();
    titles.join("、")
}

impl Format {
    pub fn row(self) -> &'static Row {
        let found = rows().iter().find(|row| row.format == self);
        found.expect("every format has a row: a test looks for each")
    }

    /// The format of an extension (lower case, without the dot).
    pub fn of_extension(extension: &str) -> Option<Self> {
        let has = |row: &&Row| row.extensions.iter().any(|known| known == extension);
        rows().iter().find(has).map(|row| row.format)
    }

    /// The name in reports and on the command line: its first extension.
    pub fn name(self) -> &'static str {
        &self.row().extensions[0]
    }

    pub fn title(self) -> &'static str {
        &self.row().title
    }

    pub fn is_archive(self) -> bool {
        self.row().reads == Reads::Archive
    }
}

impl Row {
    /// Whether a single file of it becomes a model: what pages count and name as readable.
    pub fn is_read_alone(&self) -> bool {
        self.reads == Reads::Model && self.uploads
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_one_row_and_every_extension_one_format() {
        use Format::*;
        let all = [
            Glb, Gltf, Obj, Stl, Ply, Fbx, ThreeDs, Dae, Step, Iges, Rvt, Jt, Osgb, Amrt, Zip, Rar,
        ];
        assert_eq!(rows().len(), all.len());
        for format in all {
            let row = format.row();
            assert_eq!(row.format, format);
            for extension in &row.extensions {
                assert_eq!(Format::of_extension(extension), Some(format), "{extension}");
                assert!(
                    !refused()
                        .iter()
                        .any(|one| one.extensions.contains(extension))
                );
            }
            let named = families().iter().any(|one| one.family == row.family);
            assert!(named, "{format:?}: its family has a title");
        }
    }

    #[test]
    fn the_name_is_the_one_of_the_list() {
        let list: serde_json::Value = serde_json::from_str(include_str!("formats.json")).unwrap();
        for (row, text) in rows().iter().zip(list["formats"].as_array().unwrap()) {
            assert_eq!(row.format.name(), text["name"]);
        }
    }

    #[test]
    fn what_may_be_the_model_of_an_archive_has_a_rank_of_its_own() {
        let mut ranks: Vec<u32> = rows().iter().filter_map(|row| row.preference).collect();
        ranks.sort_unstable();
        assert_eq!(ranks, (1..=ranks.len() as u32).collect::<Vec<_>>());
        for row in rows() {
            assert_eq!(
                row.preference.is_none(),
                row.reads == Reads::Archive,
                "{}",
                row.title
            );
        }
    }

    #[test]
    fn what_is_shown_is_filled_in() {
        for row in rows()
            .iter()
            .filter(|row| row.uploads && row.reads != Reads::Archive)
        {
            for text in [&row.reading, &row.carries, &row.note] {
                assert!(!text.is_empty(), "{}", row.title);
            }
        }
    }

    #[test]
    fn the_first_page_of_the_project_names_what_is_read() {
        let readme = include_str!("../../../README.md");
        let read = titles(Row::is_read_alone).replace('、', ", ");
        assert!(readme.contains(&read), "README.md: It reads {read}");
    }
}
