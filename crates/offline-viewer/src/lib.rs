//! The page of an offline package, as the frontend's build makes it (`frontend/src/offline`).

/// A page with its viewer inside, and the licences of what it is made of.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// The whole HTML, without a model: [`TITLE`] and [`MODEL`] mark where name and model go.
    pub html: &'static str,
    /// Licences of the libraries in it, as text.
    pub licenses: &'static str,
}

/// Stands in the HTML where the model's name goes.
pub const TITLE: &str = "<!--xuanlan:title-->";
/// Stands in the HTML where the model goes.
pub const MODEL: &str = "<!--xuanlan:model-->";

/// The page; `None` when this program was built without the frontend.
#[cfg(built)]
pub fn page() -> Option<Page> {
    Some(Page {
        html: include_str!(concat!(env!("OUT_DIR"), "/viewer.html")),
        licenses: include_str!(concat!(env!("OUT_DIR"), "/LICENSES.txt")),
    })
}

/// The page; `None` when this program was built without the frontend.
#[cfg(not(built))]
pub fn page() -> Option<Page> {
    None
}
