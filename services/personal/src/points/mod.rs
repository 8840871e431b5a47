//! Points earned, once per source.

use chassis::db::{self, List};
use chassis::ids::new_id;
use chassis::{ServiceError, SignedIn};
use proto::personal::v1::{Points, PointsCalls, PointsRecord, PointsRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::ExprTrait;
use sea_orm::{DatabaseTransaction, Order, QuerySelect};

use crate::Personal;
use crate::entity::integral_entry;

/// What points are granted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Earned {
    Register,
    Upload,
    Invitation,
}

impl Earned {
    fn kind(self) -> &'static str {
        match self {
            Self::Register => "register",
            Self::Upload => "upload",
            Self::Invitation => "invitation",
        }
    }

    fn description(self) -> &'static str {
        match self {
            Self::Register => "注册账号",
            Self::Upload => "首个模型通过体检",
            Self::Invitation => "邀请奖励",
        }
    }
}

impl Personal {
    /// Grants points. Idempotent per source, however often its event arrives.
    pub(crate) async fn earn(
        &self,
        transaction: &DatabaseTransaction,
        login_id: &str,
        earned: Earned,
        thing: &str,
    ) -> Result<(), DbErr> {
        let points = &self.config.points;
        let amount = match earned {
            Earned::Register => points.register,
            Earned::Upload => points.upload,
            Earned::Invitation => points.invitation,
        };
        if amount <= 0 {
            return Ok(());
        }
        let row = integral_entry::Model {
            id: new_id(),
            login_id: login_id.to_owned(),
            amount,
            kind: earned.kind().to_owned(),
            source: format!("{}:{thing}", earned.kind()),
            description: earned.description().to_owned(),
            created_at: self.context.clock.now_ms(),
        };
        db::insert_new(row, transaction).await?;
        Ok(())
    }

    async fn sum(&self, login_id: &str, earned_only: bool) -> Result<i64, DbErr> {
        let mut mine = integral_entry::Entity::find_own(login_id);
        if earned_only {
            mine = mine.filter(integral_entry::Column::Amount.gt(0));
        }
        // SUM of bigint is a decimal on PostgreSQL.
        let sum = integral_entry::Column::Amount.sum().cast_as("BIGINT");
        let sum: Option<Option<i64>> = mine
            .select_only()
            .expr_as(sum, "sum")
            .into_tuple()
            .one(&self.context.db)
            .await?;
        Ok(sum.flatten().unwrap_or(0))
    }
}

impl PointsCalls<ServiceError> for Personal {
    async fn integral_info(
        &self,
        caller: &SignedIn,
        request: PointsRequest,
    ) -> Result<Points, ServiceError> {
        let login_id = caller.login_id();
        let page = List::<integral_entry::Entity>::own(login_id)
            .order_by(integral_entry::Column::Id, Order::Desc)
            .page(&request, &self.context.db)
            .await?;
        let record = |row: integral_entry::Model| PointsRecord {
            id: row.id,
            integral: row.amount,
            kind: row.kind,
            description: row.description,
            create_time: row.created_at,
        };
        Ok(Points {
            integral: self.sum(login_id, false).await?,
            total_integral: self.sum(login_id, true).await?,
            total_count: page.total_count,
            records: page.rows.into_iter().map(record).collect(),
        })
    }
}
