//! The register of pages, `frontend/pages.tsv`, whose head says what each column holds.

/// A page of the site.
pub struct SitePage {
    /// As the router reads it.
    pub path: String,
    pub title: String,
    /// `open`, `soon` or `gone`.
    pub state: String,
}

impl SitePage {
    /// Without its optional parameters, in small letters: the router takes no notice of case.
    pub fn address(&self) -> String {
        let fixed = self.path.split("/:").next().unwrap_or_default();
        fixed.to_lowercase()
    }
}

/// All pages of the register.
///
/// # Panics
/// Where it cannot be read.
pub fn site_pages() -> Vec<SitePage> {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../frontend/pages.tsv");
    let text = std::fs::read_to_string(file).expect("the register of pages");
    let mut rows = text.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = rows.next().expect("the columns").split('\t').collect();
    let column = |name| columns.iter().position(|column| *column == name);
    let (path, title, state) = (column("path"), column("title"), column("state"));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('\t').collect();
        let cell = |at: Option<usize>| cells[at.expect("a column")].to_owned();
        SitePage {
            path: cell(path),
            title: cell(title),
            state: cell(state),
        }
    })
    .collect()
}
