//! List pages, requested by number or by cursor. Implemented for all messages with the matching fields.

/// `pageNo` and `pageSize`: a page by its number.
pub trait Numbered {
    /// Starts at 1; smaller values mean 1.
    fn page_no(&self) -> i32;
    /// 0 or less: the list's default.
    fn page_size(&self) -> i32;
}

/// `after` and `size`: the rows after a cursor.
pub trait Following {
    /// `next` of the previous page; empty: from the first row.
    fn after(&self) -> &str;
    /// 0: the list's default.
    fn size(&self) -> i32;
}

/// A reply with rows and `totalCount` only.
pub trait Counted {
    type Row;

    fn of(rows: Vec<Self::Row>, total_count: i64) -> Self;
}

/// A reply with rows and `next` only.
pub trait Followed {
    type Row;

    /// `next`: `after` for the next page; empty on the last page.
    fn of(rows: Vec<Self::Row>, next: String) -> Self;
}
