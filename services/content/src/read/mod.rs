//! What everybody reads: lists, articles, the search, the map of the site.

mod article;
mod cards;
mod categories;
mod grpc;
mod list;
mod search;
mod sitemap;

use sea_orm::Condition;
use sea_orm::entity::prelude::*;

use crate::entity::article::{Column, State};
use crate::kind::Kind;
use crate::state::invalid;

pub(crate) use article::Found;
pub(crate) use cards::{Row, cards, rows, told as told_cover};
pub(crate) use categories::{all as all_categories, told as told_category, trail};
pub(crate) use list::in_order;

/// The rows that pages show at this time.
pub(crate) fn shown(now: i64) -> Condition {
    Condition::any()
        .add(Column::State.eq(State::Published))
        .add(
            Condition::all()
                .add(Column::State.eq(State::Scheduled))
                .add(Column::PublishedAt.lte(now)),
        )
}

/// Errors: there is no such kind.
pub(crate) fn kind(name: &str) -> Result<Kind, chassis::ServiceError> {
    Kind::of(name).ok_or_else(|| invalid("没有这种内容"))
}
