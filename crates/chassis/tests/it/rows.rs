//! Rows that belong to users: read by owner, listed, written whole.

use chassis::db::owned::NeedsOwner;
use chassis::db::{self, List, list};
use chassis::testing::{TestParts, every_shape};
use chassis::{Context, ServiceError};
use proto::pages::{Following, Numbered};
use sea_orm::{ConnectionTrait, Order};
use sea_orm_migration::{MigrationTrait, MigratorTrait, SchemaManager};

mod note {
    use sea_orm::entity::prelude::*;

    #[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
    #[sea_orm(table_name = "note")]
    pub struct Model {
        #[sea_orm(primary_key, auto_increment = false)]
        pub id: String,
        pub owner: String,
        pub title: String,
        pub version: i64,
        /// Unix time in milliseconds.
        pub at: i64,
    }

    chassis::owned!(Owner);

    #[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
    pub enum Relation {}

    impl ActiveModelBehavior for ActiveModel {}
}

use note::{Column, Entity, Model};

struct Notes;

#[async_trait::async_trait]
impl MigrationTrait for Notes {
    async fn up(&self, manager: &SchemaManager) -> Result<(), sea_orm::DbErr> {
        let table = "CREATE TABLE note (id TEXT PRIMARY KEY, owner TEXT NOT NULL, title TEXT NOT NULL, \
                     version BIGINT NOT NULL, at BIGINT NOT NULL)";
        manager.get_connection().execute_unprepared(table).await?;
        Ok(())
    }
}

impl sea_orm_migration::MigrationName for Notes {
    fn name(&self) -> &str {
        "m_notes"
    }
}

struct Migrator;

impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![Box::new(Notes)]
    }
}

fn note(id: &str, owner: &str, title: &str, at: i64) -> Model {
    Model {
        id: id.to_owned(),
        owner: owner.to_owned(),
        title: title.to_owned(),
        version: 1,
        at,
    }
}

/// Runs a test on a database of each kind that has these notes.
async fn with(notes: &[Model], test: impl AsyncFn(Context)) {
    for shape in every_shape() {
        let parts = TestParts::open(shape, &[], |_| {}).await;
        let context = parts.context("auth").await;
        db::migrate::<Migrator>(&context.db).await.unwrap();
        for note in notes {
            db::insert(note.clone(), &context.db).await.unwrap();
        }
        test(context).await;
        parts.finish().await;
    }
}

/// A page by its number.
struct Asked(i32, i32);

impl Numbered for Asked {
    fn page_no(&self) -> i32 {
        self.0
    }

    fn page_size(&self) -> i32 {
        self.1
    }
}

/// What follows a place.
struct From<'a>(&'a str, i32);

impl Following for From<'_> {
    fn after(&self) -> &str {
        self.0
    }

    fn size(&self) -> i32 {
        self.1
    }
}

fn ids(rows: &[Model]) -> Vec<&str> {
    rows.iter().map(|row| row.id.as_str()).collect()
}

fn refusal(error: ServiceError) -> String {
    match error {
        ServiceError::Business(error) => error.message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_owned_entity_has_no_query_without_an_owner() {
    // Each takes a value that cannot be made: a call without an owner does not compile.
    let taken: [fn(NeedsOwner); 5] = [
        Entity::find,
        Entity::find_by_id,
        Entity::update_many,
        Entity::delete_many,
        Entity::delete_by_id,
    ];
    assert_eq!(taken.len(), 5);
}

#[tokio::test]
async fn a_query_of_an_owner_leaves_the_rows_of_others_alone() {
    let notes = [note("a", "ann", "x", 1), note("b", "bob", "x", 2)];
    with(&notes, async |context| {
        let db = &context.db;
        let own = Entity::find_own("ann").all(db).await.unwrap();
        assert_eq!(ids(&own), ["a"]);
        let foreign = Entity::find_own_by_id("ann", "b").one(db).await.unwrap();
        assert_eq!(foreign, None);
        let renamed = Entity::update_own("ann").col_expr(Column::Title, "y".into());
        assert_eq!(renamed.exec(db).await.unwrap().rows_affected, 1);
        let deleted = Entity::delete_own("ann").exec(db).await.unwrap();
        assert_eq!(deleted.rows_affected, 1);
        let left = Entity::find_any().all(db).await.unwrap();
        assert_eq!(left, [note("b", "bob", "x", 2)]);
    })
    .await;
}

#[tokio::test]
async fn a_list_is_filtered_searched_ordered_and_counted() {
    let notes = [
        note("a", "ann", "red box", 1),
        note("b", "ann", "red_box", 2),
        note("c", "ann", "blue box", 2),
        note("d", "bob", "red box", 9),
    ];
    with(&notes, async |context| {
        let db = &context.db;
        let own = || List::<Entity>::own("ann").newest_first(Column::At, Column::Id);
        let page = own().page(&Asked(0, 0), db).await.unwrap();
        assert_eq!(
            (ids(&page.rows), page.total_count),
            (vec!["c", "b", "a"], 3)
        );
        let page = own().page(&Asked(2, 2), db).await.unwrap();
        assert_eq!((ids(&page.rows), page.total_count), (vec!["a"], 3));

        // An underscore is a letter, capitals are none, and a blank search or choice leaves all.
        let found = own().search(" D_B ", [Column::Title]);
        let found = found.page(&Asked(1, 0), db).await.unwrap();
        assert_eq!((ids(&found.rows), found.total_count), (vec!["b"], 1));
        let all = own()
            .search("  ", [Column::Title])
            .when(Column::Title, "")
            .when(Column::Version, None::<i64>)
            .between(Column::At, 0, None);
        assert_eq!(all.page(&Asked(1, 0), db).await.unwrap().total_count, 3);
        let some = own()
            .when(Column::Title, "red box")
            .when(Column::Version, Some(1_i64));
        assert_eq!(ids(&some.page(&Asked(1, 0), db).await.unwrap().rows), ["a"]);
        let some = own().between(Column::At, 1, 2);
        assert_eq!(ids(&some.page(&Asked(1, 0), db).await.unwrap().rows), ["a"]);

        let first = List::of(Entity::find_any())
            .order_by(Column::Owner, Order::Desc)
            .oldest_first(Column::At, Column::Id);
        let page = first.page(&Asked(1, 2), db).await.unwrap();
        assert_eq!((ids(&page.rows), page.total_count), (vec!["d", "a"], 4));
    })
    .await;
}

#[tokio::test]
async fn rows_that_follow_come_once_each_also_within_one_moment() {
    let notes: Vec<Model> = ["a", "b", "c", "d", "e"]
        .iter()
        .enumerate()
        .map(|(index, id)| note(id, "ann", "x", (index / 3) as i64))
        .collect();
    with(&notes, async |context| {
        let db = &context.db;
        let orders: [fn(List<Entity>) -> List<Entity>; 2] = [
            |list| list.newest_first(Column::At, Column::Id),
            |list| list.oldest_first(Column::At, Column::Id),
        ];
        for (order, expected) in orders.into_iter().zip(["edcba", "abcde"]) {
            let (mut place, mut seen) = (String::new(), String::new());
            for _ in 0..3 {
                let list = order(List::own("ann"));
                let rows = list.following(&From(&place, 2), db).await.unwrap();
                seen += &ids(&rows.rows).concat();
                place = rows.next;
            }
            assert_eq!((seen.as_str(), place.as_str()), (expected, ""));
        }
        let list = || List::<Entity>::own("ann").newest_first(Column::At, Column::Id);
        for (place, size, message) in [
            ("x", 2, "参数 after 不正确"),
            ("x-y", 2, "参数 after 不正确"),
            ("", 101, "每页为 1 至 100 条"),
            ("", -1, "每页为 1 至 100 条"),
        ] {
            let refused = list().following(&From(place, size), db).await;
            assert_eq!(refusal(refused.unwrap_err()), message, "{place} {size}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_list_ends_at_its_deepest_row() {
    with(&[], async |context| {
        let db = &context.db;
        let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10003) \
                    INSERT INTO note SELECT 'n' || i, 'ann', 'x', 1, i FROM n";
        db.execute_unprepared(many).await.unwrap();
        let own = List::<Entity>::own("ann").newest_first(Column::At, Column::Id);
        let last = own.page(&Asked(50, 200), db).await.unwrap();
        // One's own rows are counted to the last.
        assert_eq!((last.rows.len(), last.total_count), (200, 10_003));
        let all = || List::of(Entity::find_any()).newest_first(Column::At, Column::Id);
        let page = all().page(&Asked(1, 10), db).await.unwrap();
        assert_eq!(page.total_count, 10_000);
        for (number, size, message) in [
            (51, 200, "只能查看前 10000 条，请缩小范围"),
            (i32::MAX, 200, "只能查看前 10000 条，请缩小范围"),
            (1, 201, "每页最多 200 条"),
        ] {
            let refused = all().page(&Asked(number, size), db).await;
            assert_eq!(refusal(refused.unwrap_err()), message);
        }
        let small = all().sizes(5, 7).page(&Asked(1, 0), db).await.unwrap();
        assert_eq!(small.rows.len(), 5);
        let refused = all().sizes(5, 7).page(&Asked(1, 8), db).await;
        assert_eq!(refusal(refused.unwrap_err()), "每页最多 7 条");
    })
    .await;
}

#[test]
fn a_choice_is_a_known_name_or_none() {
    let of = |name: &str| (name == "open").then_some(1);
    assert_eq!(list::choice("", of, "没有这种状态").unwrap(), None);
    assert_eq!(list::choice("open", of, "没有这种状态").unwrap(), Some(1));
    let refused = list::choice("odd", of, "没有这种状态").unwrap_err();
    assert_eq!(refused.message, "没有这种状态");
}

#[tokio::test]
async fn rows_are_written_once_replaced_by_newer_ones_and_counted_up() {
    with(&[note("a", "ann", "first", 1)], async |context| {
        let db = &context.db;
        let read = async |id: &str| {
            let row = Entity::find_any_by_id(id).one(db).await.unwrap();
            row.map(|row| (row.title, row.version))
        };
        let twice = db::insert(note("a", "bob", "x", 2), db).await;
        assert!(twice.is_err());
        assert!(!db::insert_new(note("a", "bob", "x", 2), db).await.unwrap());
        assert!(db::insert_new(note("b", "bob", "x", 2), db).await.unwrap());
        assert_eq!(read("a").await, Some(("first".to_owned(), 1)));

        let titled = |title: &str, version: i64| Model {
            version,
            ..note("a", "ann", title, 1)
        };
        db::upsert(titled("second", 1), [Column::Title], db)
            .await
            .unwrap();
        assert_eq!(read("a").await, Some(("second".to_owned(), 1)));
        for (title, version, now) in [
            ("third", 3, ("third", 3)),
            ("late", 2, ("third", 3)),
            ("same", 3, ("third", 3)),
        ] {
            db::upsert_newer(titled(title, version), Column::Version, [Column::Title], db)
                .await
                .unwrap();
            assert_eq!(read("a").await, Some((now.0.to_owned(), now.1)));
        }

        let counted = db::count_version(titled("x", 1), Column::Version, db).await;
        assert_eq!(counted.unwrap(), 4);
        assert_eq!(read("a").await, Some(("third".to_owned(), 4)));
        let first = db::count_version(note("c", "cid", "x", 1), Column::Version, db).await;
        assert_eq!(first.unwrap(), 1);
    })
    .await;
}
