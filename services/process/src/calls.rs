//! The users' calls; each is implemented in the module of its subject.

use chassis::{ServiceError, SignedIn, grantee};
use facts::MB;
use proto::process::v1::*;

use crate::entity::file;
use crate::{Process, labels};

impl ProcessCalls<ServiceError> for Process {
    async fn get_file_max_size(
        &self,
        caller: &SignedIn,
        request: GetFileMaxSizeRequest,
    ) -> Result<FileSizes, ServiceError> {
        let scene = request.model_type == file::SCENE;
        let max_size = self.size_limit(caller.login_id(), scene).await? / MB;
        let size = |extension: &str| FormatSize {
            model_format: extension.to_owned(),
            max_size,
        };
        let sizes = self.uploads.accepted(scene).map(size).collect();
        Ok(FileSizes { max_size, sizes })
    }

    async fn storage(
        &self,
        caller: &SignedIn,
        _: StorageRequest,
    ) -> Result<StorageReply, ServiceError> {
        let owner = caller.login_id();
        Ok(StorageReply {
            used_bytes: self.used_bytes(owner).await?,
            limit_bytes: self.storage_gb(owner).await? * 1024 * MB,
            unlimited: self.uploads.is_unlimited(owner),
        })
    }

    async fn model_checking(
        &self,
        caller: &SignedIn,
        request: ModelCheckingRequest,
    ) -> Result<String, ServiceError> {
        self.check_model(caller.login_id(), request).await
    }

    async fn update_model_file(
        &self,
        caller: &SignedIn,
        request: UpdateModelFileRequest,
    ) -> Result<(), ServiceError> {
        self.update_file(caller.login_id(), request).await
    }

    async fn model_release(
        &self,
        caller: &SignedIn,
        request: ModelReleaseRequest,
    ) -> Result<String, ServiceError> {
        self.release(caller.login_id(), request).await
    }

    async fn get_label_cate_list_by_cate_type(
        &self,
        _: &SignedIn,
        _: LabelCateRequest,
    ) -> Result<Vec<Label>, ServiceError> {
        Ok(labels::categories())
    }

    async fn get_label_object_list_by_parent_id(
        &self,
        _: &SignedIn,
        request: LabelObjectRequest,
    ) -> Result<Vec<Label>, ServiceError> {
        Ok(labels::of_category(&request.parent_id))
    }

    async fn get_model_status(
        &self,
        caller: &SignedIn,
        request: GetModelStatusRequest,
    ) -> Result<ModelStatus, ServiceError> {
        self.model_status(caller.login_id(), &request.id, request.after_seq)
            .await
    }

    async fn card_list(
        &self,
        caller: &SignedIn,
        request: CardListRequest,
    ) -> Result<CardListReply, ServiceError> {
        self.list_results(&grantee(caller), request).await
    }

    async fn service_detail(
        &self,
        caller: &SignedIn,
        request: ResultRequest,
    ) -> Result<ServiceResult, ServiceError> {
        self.result_detail(&grantee(caller), &request.result_id)
            .await
    }

    async fn delete_result(
        &self,
        caller: &SignedIn,
        request: ResultRequest,
    ) -> Result<(), ServiceError> {
        Process::delete_result(self, caller.login_id(), &request.result_id).await
    }

    async fn download_model_file(
        &self,
        caller: &SignedIn,
        request: DownloadRequest,
    ) -> Result<String, ServiceError> {
        self.download(&grantee(caller), request).await
    }

    async fn has_been_submitted_feedback(
        &self,
        caller: &SignedIn,
        request: ResultRequest,
    ) -> Result<bool, ServiceError> {
        self.has_feedback(caller.login_id(), &request.result_id)
            .await
    }

    async fn save_or_update_user_feedback(
        &self,
        caller: &SignedIn,
        request: ResultFeedbackForm,
    ) -> Result<(), ServiceError> {
        self.save_feedback(caller.login_id(), &request).await
    }

    async fn my_result_feedback(
        &self,
        caller: &SignedIn,
        request: ResultRequest,
    ) -> Result<ResultFeedback, ServiceError> {
        self.my_feedback(caller.login_id(), &request.result_id)
            .await
    }

    async fn list_files(
        &self,
        caller: &SignedIn,
        request: ListFilesRequest,
    ) -> Result<ListFilesReply, ServiceError> {
        Process::list_files(self, &grantee(caller), request).await
    }

    async fn file_detail(
        &self,
        caller: &SignedIn,
        request: FileRequest,
    ) -> Result<SourceFile, ServiceError> {
        let file = self.own_file(caller.login_id(), &request.file_id).await?;
        Ok(self.describe_file(&grantee(caller), file, true))
    }

    async fn delete_file(
        &self,
        caller: &SignedIn,
        request: FileRequest,
    ) -> Result<(), ServiceError> {
        Process::delete_file(self, caller.login_id(), &request.file_id).await
    }

    async fn submit(
        &self,
        caller: &SignedIn,
        request: SubmitRequest,
    ) -> Result<String, ServiceError> {
        Process::submit(self, caller.login_id(), request).await
    }

    async fn get_progress(
        &self,
        caller: &SignedIn,
        request: ResultRequest,
    ) -> Result<ResultProgress, ServiceError> {
        self.result_progress(caller.login_id(), &request.result_id)
            .await
    }

    async fn retry_check(
        &self,
        caller: &SignedIn,
        request: FileRequest,
    ) -> Result<String, ServiceError> {
        Process::retry_check(self, caller.login_id(), &request.file_id).await
    }
}
