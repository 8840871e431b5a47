//! Lists: filters, order and one page of a query, by its number where the contract has numbers, from a row on where the choice is
//! ours. See CONTRIBUTING, "A list".

use proto::pages::{Counted, Followed, Following, Numbered};
use sea_orm::sea_query::{Condition, Expr, IntoCondition, Query};
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, FromQueryResult, IntoSimpleExpr, Iterable,
    ModelTrait, Order, PaginatorTrait, PrimaryKeyToColumn, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Select, Value,
};

use super::contains;
use super::owned::Owned;
use crate::{BusinessError, ServiceError};

/// Rows that a list shows at most, over all its pages: a database reads and throws away what lies before a page.
pub const DEEPEST: u64 = 10_000;

/// Rows of a page when the caller does not say, and at most.
const USUAL: i32 = 20;
const LARGEST: i32 = 200;
/// The same for lists of the console.
const LARGEST_FOLLOWING: i32 = 100;

/// Characters of what is searched for.
const LONGEST_TEXT: usize = 64;

/// A query on its way to one page.
pub struct List<E: EntityTrait> {
    rows: Select<E>,
    sizes: (i32, i32),
    /// Whether the rows are one owner's, few enough to be counted one by one.
    own: bool,
    /// What keyset pages follow, once the order is known.
    place: Option<(E::Column, E::Column, Order)>,
}

impl<E: EntityTrait> List<E> {
    /// The owner's rows, counted exactly.
    pub fn own(owner: impl AsRef<str>) -> Self
    where
        E: Owned,
    {
        let mut list = Self::of(super::owned::find(owner.as_ref()));
        list.own = true;
        list
    }

    /// Rows of a query, counted to [`DEEPEST`].
    pub fn of(rows: Select<E>) -> Self {
        Self {
            rows,
            sizes: (USUAL, LARGEST),
            own: false,
            place: None,
        }
    }

    /// Rows of a query that are bounded otherwise, by a listing or a work: counted exactly.
    pub fn of_few(rows: Select<E>) -> Self {
        Self {
            own: true,
            ..Self::of(rows)
        }
    }

    /// Rows of a page when the caller does not say, and at most, instead of 20 and 200.
    pub fn sizes(mut self, usual: i32, largest: i32) -> Self {
        self.sizes = (usual, largest);
        self
    }

    pub fn filter(mut self, condition: impl IntoCondition) -> Self {
        self.rows = self.rows.filter(condition);
        self
    }

    /// Only rows with this value, where the caller asks for one: an `Option`, or a text that is not empty.
    pub fn when(self, column: E::Column, asked: impl Asked) -> Self {
        match asked.value() {
            Some(value) => self.filter(column.eq(value)),
            None => self,
        }
    }

    /// Only rows between two times (Unix ms), the first included; `None` and 0 leave a side open.
    pub fn between(self, at: E::Column, from: impl Moment, to: impl Moment) -> Self {
        let list = match from.moment() {
            Some(from) => self.filter(at.gte(from)),
            None => self,
        };
        match to.moment() {
            Some(to) => list.filter(at.lt(to)),
            None => list,
        }
    }

    /// Only rows with this text in one of the columns, taken by the letter; blank: all rows.
    pub fn search(self, text: &str, columns: impl IntoIterator<Item = E::Column>) -> Self {
        let text: String = text.trim().chars().take(LONGEST_TEXT).collect();
        if text.is_empty() {
            return self;
        }
        let found = columns.into_iter().fold(Condition::any(), |any, column| {
            any.add(contains(column, &text))
        });
        self.filter(found)
    }

    /// Orders by this before anything else.
    pub fn order_by(mut self, column: impl IntoSimpleExpr, order: Order) -> Self {
        self.rows = self.rows.order_by(column, order);
        self
    }

    /// The newest first; rows of one moment by `id`, so that no page has a row of another.
    pub fn newest_first(self, at: E::Column, id: E::Column) -> Self {
        self.along(at, id, Order::Desc)
    }

    pub fn oldest_first(self, at: E::Column, id: E::Column) -> Self {
        self.along(at, id, Order::Asc)
    }

    fn along(mut self, at: E::Column, id: E::Column, order: Order) -> Self {
        self.rows = self
            .rows
            .order_by(at, order.clone())
            .order_by(id, order.clone());
        self.place = Some((at, id, order));
        self
    }

    /// The page of a number, with the count of all pages. Errors: larger than a page may be; deeper than [`DEEPEST`].
    pub async fn page(
        self,
        asked: &impl Numbered,
        db: &impl ConnectionTrait,
    ) -> Result<Page<E::Model>, ServiceError>
    where
        E: EntityTrait<Model: Send + Sync + FromQueryResult + 'static>,
    {
        let (usual, largest) = self.sizes;
        let (offset, limit) = place_of(asked, usual, largest)?;
        let total_count = match self.own {
            true => self.rows.clone().count(db).await? as i64,
            false => counted(self.rows.clone(), db).await?,
        };
        let rows = self.rows.offset(offset).limit(limit).all(db).await?;
        Ok(Page { rows, total_count })
    }

    /// The rows that follow, newest or oldest first. Errors: larger than a page may be; `after` is no place in a list.
    pub async fn following(
        self,
        asked: &impl Following,
        db: &impl ConnectionTrait,
    ) -> Result<Rows<E::Model>, ServiceError>
    where
        E: EntityTrait<Model: Send + Sync + FromQueryResult + 'static>,
    {
        let (at, id, order) = self.place.ok_or_else(|| {
            anyhow::anyhow!("a list is followed by time and id: newest_first or oldest_first")
        })?;
        let size = page_size(asked.size())?;
        let rows = behind(self.rows, at, id, asked.after(), order)?;
        let mut rows = rows.limit(size + 1).all(db).await?;
        let next = cut(&mut rows, size, |row| cursor(row, at, id));
        Ok(Rows { rows, next })
    }
}

/// Rows of a page that follows. Error: it is none of 1 to 100.
pub fn page_size(asked: i32) -> Result<u64, BusinessError> {
    match asked {
        0 => Ok(USUAL.unsigned_abs().into()),
        1..=LARGEST_FOLLOWING => Ok(asked.unsigned_abs().into()),
        _ => Err(BusinessError::invalid(format!(
            "每页为 1 至 {LARGEST_FOLLOWING} 条"
        ))),
    }
}

/// Takes off the row that was read beyond a page; the place of the last one that stays, empty when no row was beyond.
pub fn cut<T>(rows: &mut Vec<T>, size: u64, place: impl Fn(&T) -> String) -> String {
    let more = rows.len() as u64 > size;
    rows.truncate(size as usize);
    let last = rows.last().filter(|_| more);
    last.map(place).unwrap_or_default()
}

/// Offset and limit of a page. Errors: larger than a page may be; deeper than [`DEEPEST`].
pub fn place_of(
    asked: &impl Numbered,
    usual: i32,
    largest: i32,
) -> Result<(u64, u64), BusinessError> {
    let size = match asked.page_size() {
        ..=0 => usual,
        size if size <= largest => size,
        _ => return Err(BusinessError::invalid(format!("每页最多 {largest} 条"))),
    };
    let before = u64::from(asked.page_no().max(1).unsigned_abs() - 1);
    let (offset, limit) = (
        before * u64::from(size.unsigned_abs()),
        u64::from(size.unsigned_abs()),
    );
    if offset + limit > DEEPEST {
        let message = format!("只能查看前 {DEEPEST} 条，请缩小范围");
        return Err(BusinessError::invalid(message));
    }
    Ok((offset, limit))
}

/// Rows of a query, at most [`DEEPEST`]: what a list does not show is not counted.
pub async fn counted<E: EntityTrait>(
    rows: Select<E>,
    db: &impl ConnectionTrait,
) -> Result<i64, ServiceError> {
    let key = E::PrimaryKey::iter().next();
    let key = key.ok_or_else(|| anyhow::anyhow!("a table without a primary key"))?;
    let some = rows
        .select_only()
        .column(key.into_column())
        .limit(DEEPEST)
        .into_query()
        .clear_order_by()
        .to_owned();
    let count = Query::select()
        .expr(Expr::cust("COUNT(*)"))
        .from_subquery(some, "found")
        .to_owned();
    let row = db.query_one(&count).await?;
    Ok(row.map_or(Ok(0), |row| row.try_get_by_index(0))?)
}

/// What comes behind a row, whose place is "time-id"; all rows for an empty place. Error: it is no place.
pub fn behind<E: EntityTrait>(
    rows: Select<E>,
    at: E::Column,
    id: E::Column,
    place: &str,
    order: Order,
) -> Result<Select<E>, BusinessError> {
    if place.is_empty() {
        return Ok(rows);
    }
    let read = place
        .split_once('-')
        .and_then(|(at, id)| Some((at.parse::<i64>().ok()?, id)));
    let (last_at, last_id) = read.ok_or_else(|| BusinessError::invalid("参数 after 不正确"))?;
    // The first bound lets the index begin where the page begins.
    let (bound, beyond, same) = match order {
        Order::Asc => (at.gte(last_at), at.gt(last_at), id.gt(last_id)),
        _ => (at.lte(last_at), at.lt(last_at), id.lt(last_id)),
    };
    let tie = Condition::all().add(at.eq(last_at)).add(same);
    Ok(rows
        .filter(bound)
        .filter(Condition::any().add(beyond).add(tie)))
}

/// The place of a row, as [`behind`] reads it.
fn cursor<M: ModelTrait>(
    row: &M,
    at: <M::Entity as EntityTrait>::Column,
    id: <M::Entity as EntityTrait>::Column,
) -> String {
    let at = match row.get(at) {
        Value::BigInt(Some(at)) => at,
        _ => 0,
    };
    let id = match row.get(id) {
        Value::String(Some(id)) => id,
        _ => String::new(),
    };
    format!("{at}-{id}")
}

/// The value of this name, for [`List::when`]; none for an empty name. Error: there is none of this name.
pub fn choice<T>(
    name: &str,
    of: impl Fn(&str) -> Option<T>,
    refusal: &str,
) -> Result<Option<T>, BusinessError> {
    match name {
        "" => Ok(None),
        name => of(name)
            .map(Some)
            .ok_or_else(|| BusinessError::invalid(refusal)),
    }
}

/// One page of rows, and how many there are on all pages.
#[derive(Debug)]
pub struct Page<T> {
    pub rows: Vec<T>,
    pub total_count: i64,
}

impl<T> Page<T> {
    pub fn reply<R: Counted>(self, shown: impl FnMut(T) -> R::Row) -> R {
        R::of(self.rows.into_iter().map(shown).collect(), self.total_count)
    }
}

/// Rows, and the `after` of those that follow; empty when none do.
#[derive(Debug)]
pub struct Rows<T> {
    pub rows: Vec<T>,
    pub next: String,
}

impl<T> Rows<T> {
    pub fn reply<R: Followed>(self, shown: impl FnMut(T) -> R::Row) -> R {
        R::of(self.rows.into_iter().map(shown).collect(), self.next)
    }
}

/// A value that a caller may have asked for.
pub trait Asked {
    fn value(self) -> Option<Value>;
}

impl<T: Into<Value>> Asked for Option<T> {
    fn value(self) -> Option<Value> {
        self.map(Into::into)
    }
}

impl Asked for &str {
    fn value(self) -> Option<Value> {
        let text = self.trim();
        (!text.is_empty()).then(|| text.into())
    }
}

impl Asked for &String {
    fn value(self) -> Option<Value> {
        self.as_str().value()
    }
}

/// A time that a caller may have asked for (Unix ms).
pub trait Moment {
    fn moment(self) -> Option<i64>;
}

impl Moment for Option<i64> {
    fn moment(self) -> Option<i64> {
        self
    }
}

impl Moment for i64 {
    fn moment(self) -> Option<i64> {
        (self > 0).then_some(self)
    }
}
