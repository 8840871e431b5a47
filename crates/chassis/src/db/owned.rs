//! Rows that belong to a user. Their entity has no query without an owner: `find_own(caller)` reads one owner's rows, `find_any()`
//! says that the rows of all owners are meant, as in jobs, on public pages and in the console.

use sea_orm::{
    ColumnTrait, DeleteMany, EntityTrait, PrimaryKeyTrait, QueryFilter, Select, UpdateMany,
};

/// An entity whose rows belong to users. [`crate::owned!`] implements it.
pub trait Owned: EntityTrait {
    /// Login id of the owner.
    const OWNER: Self::Column;
}

/// Cannot be made: what SeaORM's own queries ask for where [`crate::owned!`] has taken them away.
#[derive(Debug, Clone, Copy)]
pub enum NeedsOwner {}

pub fn find<E: Owned>(owner: &str) -> Select<E> {
    E::find().filter(E::OWNER.eq(owner))
}

pub fn find_by_id<E: Owned>(
    owner: &str,
    id: impl Into<<E::PrimaryKey as PrimaryKeyTrait>::ValueType>,
) -> Select<E> {
    E::find_by_id(id).filter(E::OWNER.eq(owner))
}

pub fn update<E: Owned>(owner: &str) -> UpdateMany<E> {
    E::update_many().filter(E::OWNER.eq(owner))
}

pub fn delete<E: Owned>(owner: &str) -> DeleteMany<E> {
    E::delete_many().filter(E::OWNER.eq(owner))
}

/// Beside an entity whose rows belong to users: names the column of the owner's login id and takes away every query that does
/// not name an owner, or say that it wants none.
///
/// ```compile_fail
/// use sea_orm::entity::prelude::*;
///
/// #[sea_orm::model]
/// #[derive(Clone, Debug, DeriveEntityModel)]
/// #[sea_orm(table_name = "file")]
/// pub struct Model {
///     #[sea_orm(primary_key, auto_increment = false)]
///     pub id: String,
///     pub owner: String,
/// }
/// impl ActiveModelBehavior for ActiveModel {}
/// chassis::owned!(Owner);
///
/// let all = Entity::find();
/// ```
#[macro_export]
macro_rules! owned {
    ($owner:ident) => {
        impl $crate::db::owned::Owned for Entity {
            const OWNER: Column = Column::$owner;
        }

        // An inherent function goes before a trait's of the same name.
        #[allow(dead_code)]
        impl Entity {
            /// The owner's rows.
            pub fn find_own(owner: impl AsRef<str>) -> ::sea_orm::Select<Self> {
                $crate::db::owned::find(owner.as_ref())
            }

            /// The owner's row with this id.
            pub fn find_own_by_id(
                owner: impl AsRef<str>,
                id: impl Into<<PrimaryKey as ::sea_orm::PrimaryKeyTrait>::ValueType>,
            ) -> ::sea_orm::Select<Self> {
                $crate::db::owned::find_by_id(owner.as_ref(), id)
            }

            pub fn update_own(owner: impl AsRef<str>) -> ::sea_orm::UpdateMany<Self> {
                $crate::db::owned::update(owner.as_ref())
            }

            pub fn delete_own(owner: impl AsRef<str>) -> ::sea_orm::DeleteMany<Self> {
                $crate::db::owned::delete(owner.as_ref())
            }

            /// The rows of all owners.
            pub fn find_any() -> ::sea_orm::Select<Self> {
                <Self as ::sea_orm::EntityTrait>::find()
            }

            /// The row with this id, whose ever it is.
            pub fn find_any_by_id(
                id: impl Into<<PrimaryKey as ::sea_orm::PrimaryKeyTrait>::ValueType>,
            ) -> ::sea_orm::Select<Self> {
                <Self as ::sea_orm::EntityTrait>::find_by_id(id)
            }

            pub fn update_any() -> ::sea_orm::UpdateMany<Self> {
                <Self as ::sea_orm::EntityTrait>::update_many()
            }

            pub fn delete_any() -> ::sea_orm::DeleteMany<Self> {
                <Self as ::sea_orm::EntityTrait>::delete_many()
            }

            pub fn delete_any_by_id(
                id: impl Into<<PrimaryKey as ::sea_orm::PrimaryKeyTrait>::ValueType>,
            ) -> ::sea_orm::ValidatedDeleteOne<Self> {
                <Self as ::sea_orm::EntityTrait>::delete_by_id(id)
            }

            #[doc(hidden)]
            pub fn find(find_own_or_find_any: $crate::db::owned::NeedsOwner) {
                match find_own_or_find_any {}
            }

            #[doc(hidden)]
            pub fn find_by_id(find_own_by_id_or_any: $crate::db::owned::NeedsOwner) {
                match find_own_by_id_or_any {}
            }

            #[doc(hidden)]
            pub fn update_many(update_own_or_any: $crate::db::owned::NeedsOwner) {
                match update_own_or_any {}
            }

            #[doc(hidden)]
            pub fn delete_many(delete_own_or_any: $crate::db::owned::NeedsOwner) {
                match delete_own_or_any {}
            }

            #[doc(hidden)]
            pub fn delete_by_id(delete_own_or_any: $crate::db::owned::NeedsOwner) {
                match delete_own_or_any {}
            }
        }
    };
}
