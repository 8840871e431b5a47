//! The mall's offers in tests, written directly into its tables.

use sea_orm::{DatabaseConnection, DbErr, EntityTrait, IntoActiveModel};
use xl_transaction::entity::listing::{self, License, Origin, State};
use xl_transaction::entity::modeler;

/// A maker of this `uploaderType`, with this share of the price in ten-thousandths.
pub async fn approve(
    db: &DatabaseConnection,
    maker: &str,
    uploader_type: i32,
    share_bp: i32,
) -> Result<(), DbErr> {
    let row = modeler::Model {
        login_id: maker.to_owned(),
        version: 1,
        uploader_type,
        state: modeler::State::Approved,
        frozen: false,
        share_bp,
        statement: String::new(),
        reason: String::new(),
        frozen_reason: String::new(),
        applied_at: 1,
        decided_at: 1,
        slogan: String::new(),
        introduction: String::new(),
        theme: String::new(),
        banner_id: String::new(),
        carousel_ids: String::new(),
        updated_at: 1,
    };
    modeler::Entity::insert(row.into_active_model())
        .exec_without_returning(db)
        .await?;
    Ok(())
}

/// A model of a maker at a price in cents.
pub async fn offer(
    db: &DatabaseConnection,
    id: &str,
    maker: &str,
    price: i64,
) -> Result<(), DbErr> {
    let row = listing::Model {
        id: id.to_owned(),
        seller: maker.to_owned(),
        uploader_type: 2,
        state: State::Listed,
        revision: 1,
        name: format!("模型{id}"),
        category_id: String::new(),
        label_ids: String::new(),
        intro: String::new(),
        description: String::new(),
        license: License::Personal,
        origin: Origin::Own,
        price,
        current_version: 1,
        newest_version: 1,
        format: "glb".to_owned(),
        triangles: 1,
        animation: false,
        frozen: false,
        score: 90,
        thumb_key: String::new(),
        turntable_key: String::new(),
        sold: 0,
        favourites: 0,
        rating_sum: 0,
        rating_count: 0,
        listed_at: 1,
        created_at: 1,
        updated_at: 1,
    };
    listing::Entity::insert(row.into_active_model())
        .exec_without_returning(db)
        .await?;
    Ok(())
}
