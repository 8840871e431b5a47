//! Writing whole rows: a model is all its columns, so none is forgotten and none is wrapped.

use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveModelBehavior, ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, Insert,
    IntoActiveModel, Iterable, ModelTrait, PrimaryKeyToColumn, Value,
};

type Column<M> = <<M as ModelTrait>::Entity as EntityTrait>::Column;
type Active<M> = <<M as ModelTrait>::Entity as EntityTrait>::ActiveModel;

/// A row as SeaORM makes it of a table.
pub trait Row:
    ModelTrait<Entity: EntityTrait<Model = Self, ActiveModel: ActiveModelBehavior + Send>>
    + IntoActiveModel<Active<Self>>
    + Send
    + Sync
{
}

impl<M> Row for M where
    M: ModelTrait<Entity: EntityTrait<Model = Self, ActiveModel: ActiveModelBehavior + Send>>
        + IntoActiveModel<Active<Self>>
        + Send
        + Sync
{
}

/// Writes a new row. Error: one of its unique values is there.
pub async fn insert<M: Row>(row: M, db: &impl ConnectionTrait) -> Result<(), DbErr> {
    whole(row).exec_without_returning(db).await?;
    Ok(())
}

/// Writes a row unless one of its unique values is there; whether it was written.
pub async fn insert_new<M: Row>(row: M, db: &impl ConnectionTrait) -> Result<bool, DbErr> {
    let nothing = OnConflict::new().do_nothing().to_owned();
    let written = whole(row).on_conflict(nothing);
    Ok(written.exec_without_returning(db).await? > 0)
}

/// Writes a row, or these columns of the one with its primary key.
pub async fn upsert<M: Row>(
    row: M,
    columns: impl IntoIterator<Item = Column<M>>,
    db: &impl ConnectionTrait,
) -> Result<(), DbErr> {
    let replace = by_key::<M>().update_columns(columns).to_owned();
    whole(row)
        .on_conflict(replace)
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// As [`upsert`], unless the row that is there has this version or a later one: news may arrive in any order. Returns whether it
/// was written.
pub async fn upsert_newer<M: Row>(
    row: M,
    version: Column<M>,
    columns: impl IntoIterator<Item = Column<M>>,
    db: &impl ConnectionTrait,
) -> Result<bool, DbErr> {
    let known = Expr::col((M::Entity::default(), version));
    let newer = known.lt(Expr::val(row.get(version)));
    let replace = by_key::<M>()
        .update_column(version)
        .update_columns(columns)
        .action_and_where(newer)
        .to_owned();
    let written = whole(row).on_conflict(replace);
    Ok(written.exec_without_returning(db).await? > 0)
}

/// Counts the version of a row up, which locks it until the transaction ends; writes the row where there is none. Returns the
/// version.
pub async fn count_version<M: Row>(
    row: M,
    version: Column<M>,
    transaction: &impl ConnectionTrait,
) -> Result<i64, DbErr> {
    let known = Expr::col((M::Entity::default(), version));
    let next = by_key::<M>().value(version, known.add(1)).to_owned();
    let row = whole(row)
        .on_conflict(next)
        .exec_with_returning(transaction)
        .await?;
    match row.get(version) {
        Value::BigInt(Some(version)) => Ok(version),
        other => Err(DbErr::Type(format!("a version of {other:?}"))),
    }
}

fn whole<M: Row>(row: M) -> Insert<Active<M>> {
    M::Entity::insert(row.into_active_model().reset_all())
}

fn by_key<M: ModelTrait>() -> OnConflict {
    let key = <<M::Entity as EntityTrait>::PrimaryKey as Iterable>::iter();
    OnConflict::columns(key.map(|key| key.into_column()))
}
