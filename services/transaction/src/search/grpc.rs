//! The calls of everybody: request → domain → reply.

use chassis::rpc::{Reply, reply};
use proto::common::v1::Empty;
use proto::transaction::v1::search_api_server::SearchApi;
use proto::transaction::v1::*;
use tonic::Request;

use super::Search;

#[tonic::async_trait]
impl SearchApi for Search {
    async fn model_list(&self, request: Request<ModelListRequest>) -> Reply<ModelListReply> {
        reply(self.list(request.into_inner()).await)
    }

    async fn label_cate(&self, _: Request<Empty>) -> Reply<LabelCateReply> {
        let categories = self.categories().await;
        reply(categories.map(|categories| LabelCateReply { categories }))
    }

    async fn format_list(&self, _: Request<Empty>) -> Reply<FormatListReply> {
        let formats = self.formats().await;
        reply(formats.map(|formats| FormatListReply { formats }))
    }

    async fn new_quantities(&self, _: Request<Empty>) -> Reply<NewQuantitiesReply> {
        reply(Search::new_quantities(self).await)
    }

    async fn suggest(&self, request: Request<SuggestRequest>) -> Reply<SuggestReply> {
        let results = self.suggestions(&request.into_inner().keyword).await;
        reply(results.map(|results| SuggestReply { results }))
    }

    async fn model_detail(&self, request: Request<ModelDetailRequest>) -> Reply<ModelDetailReply> {
        reply(self.detail(&request.into_inner().model_id).await)
    }

    async fn similar_models(&self, request: Request<SimilarModelsRequest>) -> Reply<ModelCards> {
        let results = self.similar(&request.into_inner()).await;
        reply(results.map(|results| ModelCards { results }))
    }

    async fn author_detail(&self, request: Request<AuthorRequest>) -> Reply<AuthorReply> {
        reply(self.author_page(&request.into_inner().author_id).await)
    }

    async fn models_by_ids(&self, request: Request<ModelsByIdsRequest>) -> Reply<ModelCards> {
        let results = self.by_ids(&request.into_inner().model_ids).await;
        reply(results.map(|results| ModelCards { results }))
    }
}
