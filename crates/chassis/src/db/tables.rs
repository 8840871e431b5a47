//! What migrations have in common.

use sea_orm_migration::prelude::*;

/// A plain index over some columns.
pub fn index(
    name: &'static str,
    table: &'static str,
    columns: &[&'static str],
) -> IndexCreateStatement {
    let mut index = Index::create();
    index.name(name).table(table);
    for column in columns {
        index.col(*column);
    }
    index
}

/// Drops tables in the given order.
pub async fn drop_tables(
    manager: &SchemaManager<'_>,
    tables: &[&'static str],
) -> Result<(), DbErr> {
    for table in tables {
        manager
            .drop_table(Table::drop().table(*table).to_owned())
            .await?;
    }
    Ok(())
}
