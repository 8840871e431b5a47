//! The calls of the cart: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use proto::transaction::v1::cart_api_server::CartApi;
use proto::transaction::v1::*;
use tonic::Request;

use crate::Mall;

fn changed(total_count: i64) -> CartChanged {
    CartChanged { total_count }
}

#[tonic::async_trait]
impl CartApi for Mall {
    async fn get_cart_list(&self, request: Request<GetCartListRequest>) -> Reply<CartList> {
        let (owner, form) = signed_in(request)?;
        reply(self.cart_page(&owner, form.page_no, form.page_size).await)
    }

    async fn del_cart_model(&self, request: Request<DelCartModelRequest>) -> Reply<CartChanged> {
        let (owner, form) = signed_in(request)?;
        reply(self.take_out(&owner, &form.model_id).await.map(changed))
    }

    async fn add_to_cart(&self, request: Request<AddToCartRequest>) -> Reply<CartChanged> {
        let (owner, form) = signed_in(request)?;
        reply(self.add_to(&owner, &form.model_id).await.map(changed))
    }
}
