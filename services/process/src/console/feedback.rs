//! What people think of results, as operators read it.

use std::collections::BTreeMap;

use chassis::console::{cursor, cut, newest_first, page_size};
use chassis::{BusinessError, Operator, ServiceError};
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
        let size = page_size(form.size)?;
        let mut rows = Entity::find().filter(Column::ServiceType.is_in(ServiceType::ALL.to_vec()));
        if !form.service_type.is_empty() {
            let service = ServiceType::of(&form.service_type);
            let service = service.ok_or_else(|| BusinessError::invalid("没有这种服务"))?;
            rows = rows.filter(Column::ServiceType.eq(service));
        }
        match form.stars {
            0 => {}
            1..=5 => rows = rows.filter(Column::Stars.eq(form.stars)),
            _ => return Err(BusinessError::invalid("星级为 1 至 5").into()),
        }
        if !form.owner.trim().is_empty() {
            rows = rows.filter(Column::Owner.eq(form.owner.trim()));
        }
        if form.with_words {
            rows = rows.filter(Column::Content.ne(""));
        }
        let page = newest_first(rows, Column::UpdatedAt, Column::ResultId, &form.after, size)?;
        let mut found = page.all(&self.context.db).await?;
        let next = cut(&mut found, size, |said| {
            cursor(said.updated_at, &said.result_id)
        });
        Ok(ResultFeedbackListReply {
            items: found.into_iter().map(item).collect(),
            next,
        })
    }

    async fn result_feedback_averages(
        &self,
        _: &Operator,
        _: Empty,
    ) -> Result<ResultFeedbackAveragesReply, ServiceError> {
        let counted: Vec<(ServiceType, i32, i64)> = Entity::find()
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
