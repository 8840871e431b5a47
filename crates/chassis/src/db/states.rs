//! States as types: columns whose few values are an enum, and the one way from one state to the next.

use sea_orm::sea_query::{Expr, ExprTrait, IntoCondition};
use sea_orm::{
    ActiveEnum, ActiveModelTrait, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter,
    UpdateMany, Value,
};

#[doc(hidden)]
pub use serde as __serde;

/// An enum kept as text in a column: each value is written once, beside its name.
///
/// ```ignore
/// chassis::column_enum! {
///     /// Where a parcel is.
///     pub enum State {
///         Packed = "packed",
///         Sent = "sent",
///     }
/// }
/// ```
///
/// The crate that uses it needs `sea-orm`. A row with another text in the column is an error of the query: a new value
/// comes one version after the code that reads it, see `docs/service-style.md`.
#[macro_export]
macro_rules! column_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident {
            $($(#[$of:meta])* $variant:ident = $text:literal,)+
        }
    ) => {
        $(#[$meta])*
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
            ::sea_orm::EnumIter, ::sea_orm::DeriveActiveEnum,
        )]
        #[sea_orm(rs_type = "String", db_type = "Text")]
        $vis enum $name {
            $($(#[$of])* #[sea_orm(string_value = $text)] $variant,)+
        }

        // Not every column's users need each of them.
        #[allow(dead_code)]
        impl $name {
            $vis const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The text in the column.
            $vis const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)+
                }
            }

            /// The value of this name, if there is one.
            $vis fn of(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|known| known.name() == name)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl $crate::db::states::__serde::Serialize for $name {
            fn serialize<S>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error>
            where
                S: $crate::db::states::__serde::Serializer,
            {
                serializer.serialize_str(self.name())
            }
        }
    };
}

/// A column enum whose values follow each other along given edges only.
pub trait StateMachine: ActiveEnum + Copy + Eq + Into<Value> + 'static {
    type Entity: EntityTrait;

    /// The column that holds the state.
    const COLUMN: <Self::Entity as EntityTrait>::Column;

    /// The column that each transition counts up, where the entity has one.
    const VERSION: Option<<Self::Entity as EntityTrait>::Column> = None;

    /// The states from which this one is reached; none for one that rows only begin in.
    fn predecessors(self) -> &'static [Self];

    /// Whether a row may go from here to `next`.
    fn may_become(self, next: Self) -> bool {
        next.predecessors().contains(&self)
    }
}

/// A compare-and-set of a state: one UPDATE that finds its rows only in a predecessor of the next state.
#[must_use = "nothing is written before `apply`"]
pub struct Transition<S: StateMachine> {
    update: UpdateMany<S::Entity>,
    from: Vec<S>,
}

impl<S: StateMachine> Transition<S> {
    /// To `next`, from any of its predecessors.
    pub fn to(next: S) -> Self {
        let mut update = S::Entity::update_many().col_expr(S::COLUMN, Expr::value(next));
        if let Some(version) = S::VERSION {
            update = update.col_expr(version, Expr::col(version).add(1));
        }
        Self {
            update,
            from: next.predecessors().to_vec(),
        }
    }

    /// From these only. One that is no predecessor stays excluded.
    pub fn from_only(mut self, states: &[S]) -> Self {
        self.from.retain(|state| states.contains(state));
        self
    }

    /// Sets further columns in the same UPDATE: those that `columns` has set.
    pub fn set(mut self, columns: impl ActiveModelTrait<Entity = S::Entity>) -> Self {
        self.update = self.update.set(columns);
        self
    }

    /// Of the rows that fit this too; without any, of all.
    pub fn only(mut self, which: impl IntoCondition) -> Self {
        self.update = self.update.filter(which);
        self
    }

    /// Adds one to a further column in the same UPDATE.
    pub fn count_up(mut self, column: <S::Entity as EntityTrait>::Column) -> Self {
        self.update = self.update.col_expr(column, Expr::col(column).add(1));
        self
    }

    /// The rows that moved, as they are after it.
    pub async fn take(
        self,
        connection: &impl ConnectionTrait,
    ) -> Result<Vec<<S::Entity as EntityTrait>::Model>, DbErr> {
        let from = ColumnTrait::is_in(&S::COLUMN, self.from);
        self.update
            .filter(from)
            .exec_with_returning(connection)
            .await
    }

    /// Whether a row moved.
    pub async fn apply(self, connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
        Ok(self.count(connection).await? > 0)
    }

    /// How many rows moved.
    pub async fn count(self, connection: &impl ConnectionTrait) -> Result<u64, DbErr> {
        let from = ColumnTrait::is_in(&S::COLUMN, self.from);
        let moved = self.update.filter(from).exec(connection).await?;
        Ok(moved.rows_affected)
    }
}

#[cfg(test)]
mod tests {
    use sea_orm::entity::prelude::*;
    use sea_orm::{ConnectOptions, Database, QuerySelect, Schema, Set};

    use super::*;

    crate::column_enum! {
        /// Where a parcel is.
        pub enum Place {
            Packed = "packed",
            Sent = "sent",
            Lost = "lost",
        }
    }

    mod parcel {
        use sea_orm::entity::prelude::*;

        #[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
        #[sea_orm(table_name = "parcel")]
        pub struct Model {
            #[sea_orm(primary_key, auto_increment = false)]
            pub id: String,
            pub place: super::Place,
            pub carrier: Option<String>,
            pub version: i64,
        }

        #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
        pub enum Relation {}

        impl ActiveModelBehavior for ActiveModel {}
    }

    impl StateMachine for Place {
        type Entity = parcel::Entity;
        const COLUMN: parcel::Column = parcel::Column::Place;
        const VERSION: Option<parcel::Column> = Some(parcel::Column::Version);

        fn predecessors(self) -> &'static [Self] {
            match self {
                Self::Packed => &[],
                Self::Sent => &[Self::Packed],
                Self::Lost => &[Self::Packed, Self::Sent],
            }
        }
    }

    async fn packed() -> DatabaseConnection {
        crate::prepare_process();
        let mut options = ConnectOptions::new("sqlite::memory:");
        options.max_connections(1);
        let db = Database::connect(options).await.unwrap();
        let table = Schema::new(db.get_database_backend()).create_table_from_entity(parcel::Entity);
        db.execute(&table).await.unwrap();
        let row = parcel::ActiveModel {
            id: Set("p1".to_owned()),
            place: Set(Place::Packed),
            carrier: Set(None),
            version: Set(1),
        };
        parcel::Entity::insert(row)
            .exec_without_returning(&db)
            .await
            .unwrap();
        db
    }

    async fn parcel(db: &DatabaseConnection) -> parcel::Model {
        let found = parcel::Entity::find_by_id("p1").one(db).await.unwrap();
        found.expect("the parcel")
    }

    #[tokio::test]
    async fn a_row_moves_once_and_takes_its_columns_along() {
        let db = packed().await;
        let sent = || {
            Transition::to(Place::Sent)
                .set(parcel::ActiveModel {
                    carrier: Set(Some("carrier".to_owned())),
                    ..Default::default()
                })
                .only(parcel::Column::Id.eq("p1"))
        };
        assert!(sent().apply(&db).await.unwrap());
        let row = parcel(&db).await;
        assert_eq!(
            (row.place, row.carrier.as_deref(), row.version),
            (Place::Sent, Some("carrier"), 2)
        );
        assert!(!sent().apply(&db).await.unwrap());
        assert_eq!(parcel(&db).await.version, 2);
    }

    #[tokio::test]
    async fn rows_that_moved_are_returned_as_they_are() {
        let db = packed().await;
        let lost = || Transition::to(Place::Lost);
        let moved = lost().take(&db).await.unwrap();
        assert_eq!(moved, [parcel(&db).await]);
        assert_eq!(moved[0].place, Place::Lost);
        assert!(lost().take(&db).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn no_caller_reaches_a_state_from_one_that_is_no_predecessor() {
        let db = packed().await;
        assert!(!Transition::to(Place::Packed).apply(&db).await.unwrap());
        let wrong = Transition::to(Place::Lost).from_only(&[Place::Sent, Place::Lost]);
        assert!(!wrong.apply(&db).await.unwrap());
        let other = Transition::to(Place::Lost).only(parcel::Column::Id.eq("p2"));
        assert!(!other.apply(&db).await.unwrap());
        assert_eq!(parcel(&db).await.place, Place::Packed);
        assert!(Transition::to(Place::Lost).apply(&db).await.unwrap());
        assert!(!Transition::to(Place::Sent).apply(&db).await.unwrap());
    }

    #[tokio::test]
    async fn the_column_keeps_the_names_and_refuses_others() {
        let db = packed().await;
        let stored: Option<String> = parcel::Entity::find()
            .select_only()
            .column(parcel::Column::Place)
            .into_tuple()
            .one(&db)
            .await
            .unwrap();
        assert_eq!(stored.as_deref(), Some("packed"));
        for place in Place::ALL {
            assert_eq!(Place::of(place.name()), Some(*place));
        }
        assert_eq!(Place::of("Packed"), None);
        db.execute_unprepared("UPDATE parcel SET place = 'stolen'")
            .await
            .unwrap();
        assert!(parcel::Entity::find().one(&db).await.is_err());
    }
}
