//! Pages of lists, asked for by number or from a row on. Implemented for every message that has the fields.

/// `pageNo` and `pageSize`: a page by its number.
pub trait Numbered {
    /// From 1; below it: the first.
    fn page_no(&self) -> i32;
    /// 0 or less: as many as is usual for the list.
    fn page_size(&self) -> i32;
}

/// `after` and `size`: what follows a row.
pub trait Following {
    /// The `next` of the page before; empty: from the first row.
    fn after(&self) -> &str;
    /// 0: as many as is usual.
    fn size(&self) -> i32;
}

/// A reply of rows and `totalCount`, and no more.
pub trait Counted {
    type Row;

    fn of(rows: Vec<Self::Row>, total_count: i64) -> Self;
}

/// A reply of rows and `next`, and no more.
pub trait Followed {
    type Row;

    /// `next`: the `after` of the next page; empty when there is none.
    fn of(rows: Vec<Self::Row>, next: String) -> Self;
}
