//! Needs and providers for operators. Effect and audit entry are one transaction.

mod demands;
mod providers;

use chassis::audit::{self, Deed};
use chassis::{Operator, ServiceError};
use proto::matchup::v1::{
    AuditRecorded, DemandItem, DemandSearchReply, MatchActRequest, MatchDecideRequest,
    MatchSearchRequest, MatchShowRequest, MatchupConsoleCalls, ProviderItem, ProviderSearchReply,
};
use sea_orm::DatabaseTransaction;
use serde_json::json;

use crate::Matchup;
use crate::state::invalid;

/// The states before and after.
type Change<'a> = (&'a str, &'a str);

impl Matchup {
    /// Writes the audit entry of an operator's action on `target`.
    async fn audit(
        &self,
        transaction: &DatabaseTransaction,
        operator: &Operator,
        target: &str,
        (before, after): Change<'_>,
        reason: &str,
    ) -> Result<(), ServiceError> {
        let deed = Deed {
            target,
            before: json!({"state": before}),
            after: json!({"state": after}),
            reason,
        };
        let event = |entry| AuditRecorded { entry: Some(entry) };
        audit::record(
            &self.outbox,
            transaction,
            crate::NAME,
            operator,
            deed,
            event,
        )
        .await
    }
}

impl MatchupConsoleCalls<ServiceError> for Matchup {
    async fn demand_search(
        &self,
        _: &Operator,
        form: MatchSearchRequest,
    ) -> Result<DemandSearchReply, ServiceError> {
        self.search_demands(&form).await
    }

    async fn demand_show(
        &self,
        _: &Operator,
        form: MatchShowRequest,
    ) -> Result<DemandItem, ServiceError> {
        self.show_demand(&form.id).await
    }

    async fn demand_decide(
        &self,
        operator: &Operator,
        form: MatchDecideRequest,
    ) -> Result<(), ServiceError> {
        self.decide_demand(operator, &form).await
    }

    async fn demand_hide(
        &self,
        operator: &Operator,
        form: MatchActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_demand(operator, &form, true).await
    }

    async fn demand_restore(
        &self,
        operator: &Operator,
        form: MatchActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_demand(operator, &form, false).await
    }

    async fn provider_search(
        &self,
        _: &Operator,
        form: MatchSearchRequest,
    ) -> Result<ProviderSearchReply, ServiceError> {
        self.search_providers(&form).await
    }

    async fn provider_show(
        &self,
        _: &Operator,
        form: MatchShowRequest,
    ) -> Result<ProviderItem, ServiceError> {
        self.show_provider(&form.id).await
    }

    async fn provider_decide(
        &self,
        operator: &Operator,
        form: MatchDecideRequest,
    ) -> Result<(), ServiceError> {
        self.decide_provider(operator, &form).await
    }

    async fn provider_hide(
        &self,
        operator: &Operator,
        form: MatchActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_provider(operator, &form, true).await
    }

    async fn provider_restore(
        &self,
        operator: &Operator,
        form: MatchActRequest,
    ) -> Result<(), ServiceError> {
        self.hide_provider(operator, &form, false).await
    }
}

/// Parses a decision: whether it approves.
fn approved(decision: &str) -> Result<bool, ServiceError> {
    match decision {
        "approve" => Ok(true),
        "refuse" => Ok(false),
        _ => Err(invalid("请选择通过或不通过")),
    }
}
