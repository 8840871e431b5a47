//! The kinds of articles, and ids derived from kind and slug.

use sha2::{Digest, Sha256};

chassis::column_enum! {
    /// What an article is.
    pub enum Kind {
        Help = "help",
        /// A course of steps.
        Teach = "teach",
        News = "news",
        Case = "case",
        Solution = "solution",
        Campaign = "campaign",
        Brochure = "brochure",
        Product = "product",
    }
}

impl Kind {
    pub const fn title(self) -> &'static str {
        match self {
            Self::Help => "帮助中心",
            Self::Teach => "教程",
            Self::News => "新闻",
            Self::Case => "案例中心",
            Self::Solution => "解决方案",
            Self::Campaign => "最新活动",
            Self::Brochure => "产品手册",
            Self::Product => "产品",
        }
    }

    /// News is ordered by date, all other kinds by their given order.
    pub const fn is_dated(self) -> bool {
        matches!(self, Self::News)
    }
}

/// An id of ten digits, the same in every installation; `salt` is incremented if the id is taken.
pub(crate) fn number_for(what: &str, kind: Kind, slug: &str, salt: u32) -> String {
    let digest = Sha256::digest(format!("{what}/{}/{slug}/{salt}", kind.name()));
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    let number = 1_000_000_000 + u64::from_be_bytes(first) % 9_000_000_000;
    number.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_ten_digits_and_stay() {
        let id = number_for("article", Kind::Help, "a", 0);
        assert_eq!(id.len(), 10);
        assert!(id.bytes().all(|b| b.is_ascii_digit()));
        assert_eq!(id, number_for("article", Kind::Help, "a", 0));
        assert_ne!(id, number_for("article", Kind::News, "a", 0));
        assert_ne!(id, number_for("article", Kind::Help, "a", 1));
    }
}
