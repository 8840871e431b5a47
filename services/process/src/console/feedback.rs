//! User feedback on results, for operators.

use std::collections::BTreeMap;

use chassis::db::List;
use chassis::db::list::choice;
use chassis::{Operator, ServiceError};
use proto::common::v1::Empty;
use proto::process::v1::*;
use sea_orm::QuerySelect;
use sea_orm::entity::prelude::*;

use crate::Process;
use crate::entity::feedback::{Column, Entity, Model};
use crate::params::ServiceType;

fn item(said: Model) -> ResultFeedbackItem {
    ResultFeedbackItem {
        result_id: said.result_id,
        owner: said.owner,
        service_type: said.service_type.name().to_owned(),
        stars: said.stars,
        content: said.content,
        model_name: said.model_name,
        status: said.status,
        created_at: said.created_at,
        updated_at: said.updated_at,
    }
}

impl ResultConsoleCalls<ServiceError> for Process {
    async fn result_feedback_list(
        &self,
        _: &Operator,
        form: ResultFeedbackListRequest,
    ) -> Result<ResultFeedbackListReply, ServiceError> {
        let service = choice(&form.service_type, ServiceType::of, "没有这种服务")?;
        let stars = (form.stars != 0).then_some(form.stars);
        let mut list = List::of(Entity::find_any())
            .filter(Column::ServiceType.is_in(ServiceType::ALL.to_vec()))
            .when(Column::ServiceType, service)
            .when(Column::Stars, stars)
            .when(Column::Owner, &form.owner);
        if form.with_words {
            list = list.filter(Column::Content.ne(""));
        }
        let found = list
            .newest_first(Column::UpdatedAt, Column::ResultId)
            .following(&form, &self.context.db)
            .await?;
        Ok(found.reply(item))
    }

    async fn result_feedback_averages(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<ResultFeedbackAveragesReply, ServiceError> {
        let counted: Vec<(ServiceType, i32, i64)> = Entity::find_any()
            .select_only()
            .column(Column::ServiceType)
            .column(Column::Stars)
            .column_as(Column::ResultId.count(), "number")
            .filter(Column::ServiceType.is_in(ServiceType::ALL.to_vec()))
            .group_by(Column::ServiceType)
            .group_by(Column::Stars)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let mut by_service: BTreeMap<ServiceType, [i64; 5]> = BTreeMap::new();
        for (service, stars, number) in counted {
            let place = usize::try_from(stars - 1).unwrap_or(0).min(4);
            by_service.entry(service).or_default()[place] += number;
        }
        let average = |(service, of): (ServiceType, [i64; 5])| ResultFeedbackAverage {
            service_type: service.name().to_owned(),
            count: of.iter().sum(),
            stars: (1..)
                .zip(of)
                .map(|(stars, number): (i64, i64)| stars * number)
                .sum(),
            distribution: of.to_vec(),
        };
        Ok(ResultFeedbackAveragesReply {
            averages: by_service.into_iter().map(average).collect(),
        })
    }
}
