//! The generated trait: request → domain → reply.

use chassis::rpc::{Reply, reply, signed_in};
use facts::MB;
use proto::common::v1::Empty;
use proto::process::v1::process_api_server::ProcessApi;
use proto::process::v1::*;
use tonic::Request;

use crate::entity::file;
use crate::{Process, labels};

pub(crate) struct Api {
    process: Process,
}

impl Api {
    pub(crate) fn new(process: Process) -> Self {
        Self { process }
    }
}

#[tonic::async_trait]
impl ProcessApi for Api {
    async fn get_file_max_size(&self, request: Request<GetFileMaxSizeRequest>) -> Reply<FileSizes> {
        let (owner, request) = signed_in(request)?;
        let scene = request.model_type == file::SCENE;
        let max_size = self.process.size_limit(&owner, scene).await? / MB;
        let size = |extension: &str| FormatSize {
            model_format: extension.to_owned(),
            max_size,
        };
        let sizes = self.process.uploads.accepted(scene).map(size).collect();
        reply(Ok(FileSizes { max_size, sizes }))
    }

    async fn model_checking(
        &self,
        request: Request<ModelCheckingRequest>,
    ) -> Reply<ModelCheckingReply> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .check_model(&owner, request)
                .await
                .map(|file_id| ModelCheckingReply { file_id }),
        )
    }

    async fn update_model_file(&self, request: Request<UpdateModelFileRequest>) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .update_file(&owner, request)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn model_release(
        &self,
        request: Request<ModelReleaseRequest>,
    ) -> Reply<ModelCheckingReply> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .release(&owner, request)
                .await
                .map(|file_id| ModelCheckingReply { file_id }),
        )
    }

    async fn get_label_cate_list_by_cate_type(
        &self,
        request: Request<LabelCateRequest>,
    ) -> Reply<Labels> {
        signed_in(request)?;
        reply(Ok(Labels {
            labels: labels::categories(),
        }))
    }

    async fn get_label_object_list_by_parent_id(
        &self,
        request: Request<LabelObjectRequest>,
    ) -> Reply<Labels> {
        let (_, request) = signed_in(request)?;
        reply(Ok(Labels {
            labels: labels::of_category(&request.parent_id),
        }))
    }

    async fn get_model_status(
        &self,
        request: Request<GetModelStatusRequest>,
    ) -> Reply<ModelStatus> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .model_status(&owner, &request.id, request.after_seq)
                .await,
        )
    }

    async fn card_list(&self, request: Request<CardListRequest>) -> Reply<CardListReply> {
        let (owner, request) = signed_in(request)?;
        reply(self.process.list_results(&owner, request).await)
    }

    async fn service_detail(&self, request: Request<ResultRequest>) -> Reply<ServiceResult> {
        let (owner, request) = signed_in(request)?;
        reply(self.process.result_detail(&owner, &request.result_id).await)
    }

    async fn delete_result(&self, request: Request<ResultRequest>) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .delete_result(&owner, &request.result_id)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn download_model_file(&self, request: Request<DownloadRequest>) -> Reply<DownloadReply> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .download(&owner, request)
                .await
                .map(|url| DownloadReply { url }),
        )
    }

    async fn has_been_submitted_feedback(
        &self,
        request: Request<ResultRequest>,
    ) -> Reply<FeedbackGiven> {
        let (owner, request) = signed_in(request)?;
        let submitted = self.process.has_feedback(&owner, &request.result_id).await;
        reply(submitted.map(|submitted| FeedbackGiven { submitted }))
    }

    async fn save_or_update_user_feedback(
        &self,
        request: Request<ResultFeedbackForm>,
    ) -> Reply<Empty> {
        let (owner, form) = signed_in(request)?;
        let saved = self.process.save_feedback(&owner, &form).await;
        reply(saved.map(|()| Empty {}))
    }

    async fn my_result_feedback(&self, request: Request<ResultRequest>) -> Reply<ResultFeedback> {
        let (owner, request) = signed_in(request)?;
        reply(self.process.my_feedback(&owner, &request.result_id).await)
    }

    async fn list_files(&self, request: Request<ListFilesRequest>) -> Reply<ListFilesReply> {
        let (owner, request) = signed_in(request)?;
        reply(self.process.list_files(&owner, request).await)
    }

    async fn file_detail(&self, request: Request<FileRequest>) -> Reply<SourceFile> {
        let (owner, request) = signed_in(request)?;
        let file = self.process.own_file(&owner, &request.file_id).await;
        reply(file.map(|file| self.process.describe_file(file, true)))
    }

    async fn delete_file(&self, request: Request<FileRequest>) -> Reply<Empty> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .delete_file(&owner, &request.file_id)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn submit(&self, request: Request<SubmitRequest>) -> Reply<SubmitReply> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .submit(&owner, request)
                .await
                .map(|result_id| SubmitReply { result_id }),
        )
    }

    async fn get_progress(&self, request: Request<ResultRequest>) -> Reply<ResultProgress> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .result_progress(&owner, &request.result_id)
                .await,
        )
    }

    async fn retry_check(&self, request: Request<FileRequest>) -> Reply<ModelCheckingReply> {
        let (owner, request) = signed_in(request)?;
        reply(
            self.process
                .retry_check(&owner, &request.file_id)
                .await
                .map(|file_id| ModelCheckingReply { file_id }),
        )
    }
}
