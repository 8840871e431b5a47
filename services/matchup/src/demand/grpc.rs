//! The calls of needs and offers: request → domain → reply.

use chassis::Caller;
use chassis::rpc::{Reply, reply, signed_in};
use proto::common::v1::Empty;
use proto::matchup::v1::demand_api_server::DemandApi;
use proto::matchup::v1::*;
use tonic::Request;

use crate::Matchup;

#[tonic::async_trait]
impl DemandApi for Matchup {
    async fn save_demand(&self, request: Request<SaveDemandRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.save_demand(&owner, &form).await)
    }

    async fn submit_demand(&self, request: Request<DemandRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.submit_demand(&owner, &form.demand_id).await)
    }

    async fn withdraw_demand(&self, request: Request<DemandRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.withdraw_demand(&owner, &form.demand_id).await)
    }

    async fn delete_demand(&self, request: Request<DemandRequest>) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let deleted = self.delete_demand(&owner, &form.demand_id).await;
        reply(deleted.map(|()| Empty {}))
    }

    async fn my_demands(&self, request: Request<MyDemandsRequest>) -> Reply<DemandPage> {
        let (owner, form) = signed_in(request)?;
        reply(self.my_demands(&owner, &form).await)
    }

    async fn demand_list(&self, request: Request<DemandListRequest>) -> Reply<DemandPage> {
        reply(self.market(request.get_ref()).await)
    }

    async fn demand_detail(&self, request: Request<DemandDetailRequest>) -> Reply<Demand> {
        let caller = Caller::of(&request)?;
        let login_id = caller.signed_in().unwrap_or_default().to_owned();
        let form = request.into_inner();
        reply(self.detail(&login_id, &form.demand_id).await)
    }

    async fn demand_offers(&self, request: Request<DemandOffersRequest>) -> Reply<OfferPage> {
        let (owner, form) = signed_in(request)?;
        reply(self.offers_to(&owner, &form).await)
    }

    async fn choose_offer(&self, request: Request<OfferRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.choose(&owner, &form).await)
    }

    async fn close_demand(&self, request: Request<DemandRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.close(&owner, &form.demand_id).await)
    }

    async fn rate_demand(&self, request: Request<RateDemandRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.rate(&owner, &form).await)
    }

    async fn add_demand_file(&self, request: Request<AddDemandFileRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.add_file(&owner, &form).await)
    }

    async fn remove_demand_file(&self, request: Request<RemoveDemandFileRequest>) -> Reply<Demand> {
        let (owner, form) = signed_in(request)?;
        reply(self.remove_file(&owner, &form).await)
    }

    async fn send_offer(&self, request: Request<SendOfferRequest>) -> Reply<Offer> {
        let (owner, form) = signed_in(request)?;
        reply(self.send_offer(&owner, &form).await)
    }

    async fn withdraw_offer(&self, request: Request<OfferRequest>) -> Reply<Offer> {
        let (owner, form) = signed_in(request)?;
        reply(self.withdraw_offer(&owner, &form.offer_id).await)
    }

    async fn my_offers(&self, request: Request<MyOffersRequest>) -> Reply<OfferPage> {
        let (owner, form) = signed_in(request)?;
        reply(self.my_offers(&owner, &form).await)
    }
}
