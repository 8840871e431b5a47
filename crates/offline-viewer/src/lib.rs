//! The page of an offline package, built from `frontend/src/offline`.

/// A page with its viewer inside, and the licences of the libraries in it.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The whole HTML without a model: [`TITLE`] and [`MODEL`] mark the places for name and model.
    pub html: &'static str,
    /// Licences of the libraries in it, as text.
    pub licenses: &'static str,
}

/// Placeholder in the HTML for the model's name.
pub const TITLE: &str = "<!--xuanlan:title-->";
/// Placeholder in the HTML for the model.
pub const MODEL: &str = "<!--xuanlan:model-->";

/// The page; `None` in a build without the frontend.
#[cfg(built)]
pub fn page() -> Option<Page> {
    Some(Page {
        html: include_str!(concat!(env!("OUT_DIR"), "/viewer.html")),
        licenses: include_str!(concat!(env!("OUT_DIR"), "/LICENSES.txt")),
    })
}

/// The page; `None` in a build without the frontend.
#[cfg(not(built))]
pub fn page() -> Option<Page> {
    None
}
