//! The calls for needs and offers; implemented in the sibling modules, `offer.rs` and `rating.rs`.

use chassis::{Caller, Origin, ServiceError, SignedIn, grantee};
use proto::matchup::v1::*;

use crate::Matchup;

impl DemandCalls<ServiceError> for Matchup {
    async fn save_demand(
        &self,
        caller: &SignedIn,
        form: SaveDemandRequest,
    ) -> Result<Demand, ServiceError> {
        self.save_demand(&grantee(caller), &form).await
    }

    async fn submit_demand(
        &self,
        caller: &SignedIn,
        form: DemandRequest,
    ) -> Result<Demand, ServiceError> {
        self.submit_demand(&grantee(caller), &form.demand_id).await
    }

    async fn withdraw_demand(
        &self,
        caller: &SignedIn,
        form: DemandRequest,
    ) -> Result<Demand, ServiceError> {
        self.withdraw_demand(&grantee(caller), &form.demand_id)
            .await
    }

    async fn delete_demand(
        &self,
        caller: &SignedIn,
        form: DemandRequest,
    ) -> Result<(), ServiceError> {
        self.delete_demand(caller.login_id(), &form.demand_id).await
    }

    async fn my_demands(
        &self,
        caller: &SignedIn,
        form: MyDemandsRequest,
    ) -> Result<DemandPage, ServiceError> {
        self.my_demands(caller.login_id(), &form).await
    }

    async fn demand_list(
        &self,
        _: &Origin,
        form: DemandListRequest,
    ) -> Result<DemandPage, ServiceError> {
        self.market(&form).await
    }

    async fn demand_detail(
        &self,
        caller: &Caller,
        form: DemandDetailRequest,
    ) -> Result<Demand, ServiceError> {
        self.detail(&grantee(caller), &form.demand_id).await
    }

    async fn demand_offers(
        &self,
        caller: &SignedIn,
        form: DemandOffersRequest,
    ) -> Result<OfferPage, ServiceError> {
        self.offers_to(caller.login_id(), &form).await
    }

    async fn choose_offer(
        &self,
        caller: &SignedIn,
        form: OfferRequest,
    ) -> Result<Demand, ServiceError> {
        self.choose(&grantee(caller), &form).await
    }

    async fn close_demand(
        &self,
        caller: &SignedIn,
        form: DemandRequest,
    ) -> Result<Demand, ServiceError> {
        self.close(&grantee(caller), &form.demand_id).await
    }

    async fn rate_demand(
        &self,
        caller: &SignedIn,
        form: RateDemandRequest,
    ) -> Result<Demand, ServiceError> {
        self.rate(&grantee(caller), &form).await
    }

    async fn add_demand_file(
        &self,
        caller: &SignedIn,
        form: AddDemandFileRequest,
    ) -> Result<Demand, ServiceError> {
        self.add_file(&grantee(caller), &form).await
    }

    async fn remove_demand_file(
        &self,
        caller: &SignedIn,
        form: RemoveDemandFileRequest,
    ) -> Result<Demand, ServiceError> {
        self.remove_file(&grantee(caller), &form).await
    }

    async fn send_offer(
        &self,
        caller: &SignedIn,
        form: SendOfferRequest,
    ) -> Result<Offer, ServiceError> {
        self.send_offer(caller.login_id(), &form).await
    }

    async fn withdraw_offer(
        &self,
        caller: &SignedIn,
        form: OfferRequest,
    ) -> Result<Offer, ServiceError> {
        self.withdraw_offer(caller.login_id(), &form.offer_id).await
    }

    async fn my_offers(
        &self,
        caller: &SignedIn,
        form: MyOffersRequest,
    ) -> Result<OfferPage, ServiceError> {
        self.my_offers(caller.login_id(), &form).await
    }
}
