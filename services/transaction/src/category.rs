//! The tree of categories: a first one of our own, then what operators make of it.

use chassis::{BusinessError, Context, ServiceError};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{ConnectionTrait, QueryOrder, QuerySelect, Set};

use crate::Mall;
use crate::entity::category::{ActiveModel, Column, Entity, Model};

/// Categories that there may be.
const MOST: u64 = 500;

/// The first tree: id, name, and the names below it, numbered from 1.
const FIRST: &[(&str, &str, &[&str])] = &[
    (
        "c10",
        "机械零件",
        &["齿轮与传动", "轴承与紧固", "阀门与管件", "弹簧与夹具"],
    ),
    (
        "c11",
        "工业设备",
        &["机器人", "泵与风机", "机床与产线", "能源电力"],
    ),
    (
        "c12",
        "建筑与园区",
        &["住宅", "公共建筑", "桥梁与道路", "园林景观"],
    ),
    ("c13", "家居陈设", &["桌椅", "柜架", "灯具", "器皿摆件"]),
    ("c14", "交通工具", &["汽车", "飞行器", "船舶", "轨道车辆"]),
    (
        "c15",
        "城市设施",
        &["街道家具", "标识", "围栏与台阶", "照明"],
    ),
    ("c16", "自然", &["树木", "岩石", "地形", "花草"]),
    ("c17", "人物与动物", &["人物", "动物", "卡通形象"]),
    ("c18", "文化与文物", &["文物", "雕塑", "首饰", "文字与纹样"]),
    (
        "c19",
        "科学与教育",
        &["分子与晶体", "天文航天", "医学", "几何教具"],
    ),
];

/// Makes the first tree where there is none.
pub(crate) async fn make_first(context: &Context) -> Result<(), DbErr> {
    if Entity::find().limit(1).count(&context.db).await? > 0 {
        return Ok(());
    }
    let now = context.clock.now_ms();
    let row = |id: String, name: &str, parent: &str, position: usize| ActiveModel {
        id: Set(id),
        name: Set(name.to_owned()),
        parent_id: Set(parent.to_owned()),
        position: Set(position as i32),
        offered: Set(true),
        updated_at: Set(now),
    };
    let mut rows = Vec::new();
    for (at, (id, name, below)) in FIRST.iter().enumerate() {
        rows.push(row((*id).to_owned(), name, "", at + 1));
        for (number, name) in below.iter().enumerate() {
            rows.push(row(format!("{id}{:02}", number + 1), name, id, number + 1));
        }
    }
    // Another replica may make them at the same time.
    let known = OnConflict::column(Column::Id).do_nothing().to_owned();
    Entity::insert_many(rows)
        .on_conflict(known)
        .exec_without_returning(&context.db)
        .await?;
    Ok(())
}

/// All categories in their order: each parent's children follow each other.
pub(crate) async fn all(db: &impl ConnectionTrait) -> Result<Vec<Model>, DbErr> {
    Entity::find()
        .order_by_asc(Column::ParentId)
        .order_by_asc(Column::Position)
        .order_by_asc(Column::Id)
        .limit(MOST)
        .all(db)
        .await
}

impl Mall {
    /// A category that makers can choose. Errors: there is none of this id.
    pub(crate) async fn offered(
        &self,
        db: &impl ConnectionTrait,
        id: &str,
    ) -> Result<Model, ServiceError> {
        let found = Entity::find_by_id(id)
            .filter(Column::Offered.eq(true))
            .one(db)
            .await?;
        found.ok_or_else(|| BusinessError::invalid("请选择分类").into())
    }

    /// Whether another one fits.
    pub(crate) async fn has_room(&self, db: &impl ConnectionTrait) -> Result<bool, DbErr> {
        Ok(Entity::find().count(db).await? < MOST)
    }
}
