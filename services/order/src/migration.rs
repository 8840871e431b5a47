//! The schema.

use chassis::db::change::Change;
use sea_orm_migration::prelude::*;
use sea_orm_migration::schema::{
    big_integer, big_integer_null, integer, string_len, string_len_null, text,
};

pub struct Migrator;

#[async_trait::async_trait]
impl MigratorTrait for Migrator {
    fn migrations() -> Vec<Box<dyn MigrationTrait>> {
        vec![
            Box::new(chassis::db::migration::Messaging),
            Box::new(initial()),
            Box::new(chassis::db::migration::Streaming),
            Box::new(chassis::db::migration::InboxAge),
            Box::new(chassis::db::migration::Undelivered),
            Box::new(closing()),
            Box::new(chassis::rights::tables()),
            Box::new(goods()),
            Box::new(item_versions()),
            Box::new(return_queue()),
        ]
    }
}

fn initial() -> Change {
    Change::new("m20261122_000001_order")
        .table("purchase", purchase())
        .table("reservation", reservation())
        .table("coupon", coupon())
        .table("membership", membership())
        .unique_index("coupon_template", "coupon", &["owner", "template"])
        .index("purchase_owner", "purchase", &["owner", "created_at"])
        .index("purchase_due", "purchase", &["state", "next_check_at"])
        .index("reservation_order", "reservation", &["order_id"])
        .index("coupon_order", "coupon", &["order_id"])
        .index("coupon_due", "coupon", &["state", "release_at"])
}

/// Returns under way are taken by one replica, and asked about later and later.
fn return_queue() -> Change {
    Change::new("m20261204_000001_return_queue")
        .sql(
            "ALTER TABLE purchase_item ADD COLUMN tries INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE purchase_item DROP COLUMN tries",
        )
        .sql(
            "ALTER TABLE purchase_item ADD COLUMN next_check_at BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE purchase_item DROP COLUMN next_check_at",
        )
}

/// Since when an order is being closed and how often payment was asked; and the row that is locked to count a user's orders.
fn closing() -> Change {
    let buyer = Table::create()
        .table("buyer")
        .col(string_len("owner", 64).primary_key())
        .col(big_integer("version"))
        .to_owned();
    Change::new("m20261122_200000_closing")
        .table("buyer", buyer)
        .sql(
            "ALTER TABLE purchase ADD COLUMN shut_at BIGINT",
            "ALTER TABLE purchase DROP COLUMN shut_at",
        )
        .sql(
            "ALTER TABLE purchase ADD COLUMN checks INTEGER NOT NULL DEFAULT 0",
            "ALTER TABLE purchase DROP COLUMN checks",
        )
}

/// The things of an order of goods.
fn goods() -> Change {
    let item = Table::create()
        .table("purchase_item")
        .col(string_len("id", 64).primary_key())
        .col(string_len("order_id", 64))
        .col(string_len("goods_id", 64))
        .col(big_integer("price"))
        .col(string_len("state", 16))
        .col(big_integer("updated_at"))
        .check(Expr::cust("price > 0"))
        .to_owned();
    Change::new("m20261123_200000_goods")
        .table("purchase_item", item)
        .index("purchase_item_order", "purchase_item", &["order_id"])
        .index(
            "purchase_item_due",
            "purchase_item",
            &["state", "updated_at"],
        )
}

/// The version of a thing of an order, for the events about it.
fn item_versions() -> Change {
    Change::new("m20261128_000001_item_versions").sql(
        "ALTER TABLE purchase_item ADD COLUMN version BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE purchase_item DROP COLUMN version",
    )
}

fn purchase() -> TableCreateStatement {
    Table::create()
        .table("purchase")
        .col(string_len("id", 64).primary_key())
        .col(string_len("order_no", 32).unique_key())
        .col(string_len("owner", 64))
        .col(integer("function_module"))
        .col(integer("order_type"))
        .col(text("description"))
        .col(big_integer("amount"))
        .col(text("product"))
        .col(string_len("state", 16))
        .col(string_len("closing", 16))
        .col(string_len_null("coupon_id", 64))
        .col(big_integer("coupon_off"))
        .col(big_integer("payable"))
        .col(string_len_null("pay_method", 32))
        .col(string_len_null("attempt_id", 32))
        .col(big_integer("created_at"))
        .col(big_integer("expires_at"))
        .col(big_integer_null("paid_at"))
        .col(big_integer_null("fulfilled_at"))
        .col(big_integer_null("ended_at"))
        .col(big_integer("next_check_at"))
        .col(big_integer("version"))
        .check(Expr::cust("payable >= 0 AND payable <= amount"))
        .to_owned()
}

fn reservation() -> TableCreateStatement {
    Table::create()
        .table("reservation")
        .col(string_len("attempt_id", 32).primary_key())
        .col(string_len("order_id", 64))
        .col(string_len("channel", 32))
        .col(string_len_null("coupon_id", 64))
        .col(big_integer("payable"))
        .col(big_integer("coupon_off"))
        .col(string_len("state", 16))
        .col(big_integer("created_at"))
        .check(Expr::cust("payable >= 0"))
        .to_owned()
}

fn coupon() -> TableCreateStatement {
    Table::create()
        .table("coupon")
        .col(string_len("id", 64).primary_key())
        .col(string_len("owner", 64))
        .col(string_len("template", 64))
        .col(integer("sys_type"))
        .col(integer("kind"))
        .col(big_integer("face_value"))
        .col(big_integer("discount_value"))
        .col(text("name"))
        .col(text("label"))
        .col(big_integer("min_amount"))
        .col(integer("function_module"))
        .col(string_len("state", 16))
        .col(string_len_null("order_id", 64))
        .col(big_integer_null("release_at"))
        .col(big_integer("received_at"))
        .col(big_integer("expires_at"))
        // One live reservation at most: a coupon names the one order that has it.
        .check(Expr::cust("(state = 'available') = (order_id IS NULL)"))
        .to_owned()
}

fn membership() -> TableCreateStatement {
    Table::create()
        .table("membership")
        .col(string_len("login_id", 64).primary_key())
        .col(big_integer("version"))
        .col(text("terms"))
        .to_owned()
}
