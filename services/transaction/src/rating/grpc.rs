//! The calls of reviews: request → domain → reply.

use chassis::rpc::{Reply, called_by, reply, signed_in};
use proto::common::v1::Empty;
use proto::transaction::v1::rating_api_server::RatingApi;
use proto::transaction::v1::rating_console_api_server::RatingConsoleApi;
use proto::transaction::v1::*;
use tonic::Request;

use crate::Mall;
use crate::search::Search;

#[tonic::async_trait]
impl RatingApi for Search {
    async fn model_reviews(
        &self,
        request: Request<ModelReviewsRequest>,
    ) -> Reply<ModelReviewsReply> {
        reply(self.reviews(request.get_ref()).await)
    }

    async fn my_model_review(
        &self,
        request: Request<MyModelReviewRequest>,
    ) -> Reply<MyModelReviewReply> {
        let (owner, form) = signed_in(request)?;
        reply(self.mall.my_review(&owner, &form.model_id).await)
    }

    async fn save_model_review(
        &self,
        request: Request<SaveModelReviewRequest>,
    ) -> Reply<ModelReview> {
        let (owner, form) = signed_in(request)?;
        reply(self.mall.save_review(&owner, &form).await)
    }

    async fn answer_model_review(
        &self,
        request: Request<AnswerModelReviewRequest>,
    ) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let answered = self.mall.answer_review(&owner, &form).await;
        reply(answered.map(|()| Empty {}))
    }
}

#[tonic::async_trait]
impl RatingConsoleApi for Mall {
    async fn model_review_search(
        &self,
        request: Request<ModelReviewSearchRequest>,
    ) -> Reply<ModelReviewSearchReply> {
        reply(self.search_reviews(request.get_ref()).await)
    }

    async fn model_review_hide(&self, request: Request<ModelReviewActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_review(&caller, &form, true).await;
        reply(done.map(|()| Empty {}))
    }

    async fn model_review_restore(&self, request: Request<ModelReviewActRequest>) -> Reply<Empty> {
        let (caller, form) = called_by(request)?;
        let done = self.hide_review(&caller, &form, false).await;
        reply(done.map(|()| Empty {}))
    }
}
