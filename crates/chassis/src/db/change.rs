//! A migration as a list of steps, each with its way back, in one transaction.

use sea_orm::ConnectionTrait;
use sea_orm_migration::prelude::*;

use super::tables;

enum Step {
    Table(&'static str, Box<TableCreateStatement>),
    Index {
        name: &'static str,
        table: &'static str,
        columns: &'static [&'static str],
        unique: bool,
    },
    Sql {
        up: &'static str,
        down: &'static str,
    },
}

/// One migration: `Change::new("m20261201_000000_parcels").table("parcel", parcel()).index(…)`.
pub struct Change {
    name: &'static str,
    steps: Vec<Step>,
}

impl Change {
    /// The name is what the database remembers: never changed once it was published.
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            steps: Vec::new(),
        }
    }

    /// Creates a table; `statement` has to name the same.
    pub fn table(self, name: &'static str, statement: TableCreateStatement) -> Self {
        self.step(Step::Table(name, Box::new(statement)))
    }

    pub fn index(
        self,
        name: &'static str,
        table: &'static str,
        columns: &'static [&'static str],
    ) -> Self {
        self.step(Step::Index {
            name,
            table,
            columns,
            unique: false,
        })
    }

    pub fn unique_index(
        self,
        name: &'static str,
        table: &'static str,
        columns: &'static [&'static str],
    ) -> Self {
        self.step(Step::Index {
            name,
            table,
            columns,
            unique: true,
        })
    }

    /// A statement that SQLite and PostgreSQL both understand, such as `ALTER TABLE … ADD COLUMN …`, and its opposite.
    pub fn sql(self, up: &'static str, down: &'static str) -> Self {
        self.step(Step::Sql { up, down })
    }

    fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

impl MigrationName for Change {
    fn name(&self) -> &str {
        self.name
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Change {
    fn use_transaction(&self) -> Option<bool> {
        Some(true)
    }

    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for step in &self.steps {
            match step {
                Step::Table(_, statement) => manager.create_table((**statement).clone()).await?,
                Step::Index {
                    name,
                    table,
                    columns,
                    unique,
                } => {
                    let mut index = tables::index(name, table, columns);
                    if *unique {
                        index.unique();
                    }
                    manager.create_index(index).await?;
                }
                Step::Sql { up, .. } => {
                    manager.get_connection().execute_unprepared(up).await?;
                }
            }
        }
        Ok(())
    }

    async fn down(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for step in self.steps.iter().rev() {
            match step {
                Step::Table(name, _) => tables::drop_tables(manager, &[*name]).await?,
                Step::Index { name, table, .. } => {
                    let drop = Index::drop().name(*name).table(*table).to_owned();
                    manager.drop_index(drop).await?;
                }
                Step::Sql { down, .. } => {
                    manager.get_connection().execute_unprepared(down).await?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sea_orm_migration::schema::{big_integer, string_len};

    use super::*;
    use crate::testing::{TestParts, every_shape};

    struct Parcels;

    #[async_trait::async_trait]
    impl MigratorTrait for Parcels {
        fn migrations() -> Vec<Box<dyn MigrationTrait>> {
            let parcel = Table::create()
                .table("parcel")
                .col(string_len("id", 64).primary_key())
                .col(big_integer("sent_at"))
                .to_owned();
            let parcels = Change::new("m20261201_000000_parcels")
                .table("parcel", parcel)
                .index("parcel_sent", "parcel", &["sent_at"]);
            let carrier = Change::new("m20261202_000000_carrier")
                .sql(
                    "ALTER TABLE parcel ADD COLUMN carrier VARCHAR(64) NOT NULL DEFAULT ''",
                    "ALTER TABLE parcel DROP COLUMN carrier",
                )
                .unique_index("parcel_carrier", "parcel", &["carrier", "sent_at"]);
            vec![Box::new(parcels), Box::new(carrier)]
        }
    }

    #[tokio::test]
    async fn steps_go_up_and_back() {
        for shape in every_shape() {
            let test = TestParts::open(shape, &[], |_| {}).await;
            let db = test.context("order").await.db;
            crate::db::migrate::<Parcels>(&db).await.unwrap();
            let insert = |id: &str| {
                format!("INSERT INTO parcel (id, sent_at, carrier) VALUES ('{id}', 1, 'c')")
            };
            db.execute_unprepared(&insert("p1")).await.unwrap();
            assert!(db.execute_unprepared(&insert("p2")).await.is_err());
            Parcels::down(&db, Some(1)).await.unwrap();
            assert!(
                db.execute_unprepared("SELECT carrier FROM parcel")
                    .await
                    .is_err()
            );
            Parcels::down(&db, None).await.unwrap();
            assert!(db.execute_unprepared("SELECT 1 FROM parcel").await.is_err());
            Parcels::up(&db, None).await.unwrap();
            test.finish().await;
        }
    }
}
