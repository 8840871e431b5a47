//! The generated trait: request → domain → reply.

use chassis::{Caller, ServiceError};
use facts::MB;
use proto::common::v1::Empty;
use proto::process::v1::process_api_server::ProcessApi;
use proto::process::v1::*;
use tonic::{Request, Response, Status};

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

/// The verified caller's id and the message.
fn parts<T>(request: Request<T>) -> Result<(String, T), Status> {
    let owner = Caller::of(&request)?
        .login_id()
        .map_err(Status::from)?
        .to_owned();
    Ok((owner, request.into_inner()))
}

fn answer<T>(value: Result<T, ServiceError>) -> Result<Response<T>, Status> {
    value.map(Response::new).map_err(Status::from)
}

#[tonic::async_trait]
impl ProcessApi for Api {
    async fn get_file_max_size(
        &self,
        request: Request<GetFileMaxSizeRequest>,
    ) -> Result<Response<FileSizes>, Status> {
        let (owner, request) = parts(request)?;
        let scene = request.model_type == file::SCENE;
        let max_size = self.process.size_limit(&owner, scene).await? / MB;
        let size = |extension: &str| FormatSize {
            model_format: extension.to_owned(),
            max_size,
        };
        let sizes = self.process.uploads.accepted(scene).map(size).collect();
        answer(Ok(FileSizes { max_size, sizes }))
    }

    async fn model_checking(
        &self,
        request: Request<ModelCheckingRequest>,
    ) -> Result<Response<ModelCheckingReply>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .check_model(&owner, request)
                .await
                .map(|file_id| ModelCheckingReply { file_id }),
        )
    }

    async fn update_model_file(
        &self,
        request: Request<UpdateModelFileRequest>,
    ) -> Result<Response<Empty>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .update_file(&owner, request)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn model_release(
        &self,
        request: Request<ModelReleaseRequest>,
    ) -> Result<Response<ModelCheckingReply>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .release(&owner, request)
                .await
                .map(|file_id| ModelCheckingReply { file_id }),
        )
    }

    async fn get_label_cate_list_by_cate_type(
        &self,
        request: Request<LabelCateRequest>,
    ) -> Result<Response<Labels>, Status> {
        parts(request)?;
        answer(Ok(Labels {
            labels: labels::categories(),
        }))
    }

    async fn get_label_object_list_by_parent_id(
        &self,
        request: Request<LabelObjectRequest>,
    ) -> Result<Response<Labels>, Status> {
        let (_, request) = parts(request)?;
        answer(Ok(Labels {
            labels: labels::of_category(&request.parent_id),
        }))
    }

    async fn get_model_status(
        &self,
        request: Request<GetModelStatusRequest>,
    ) -> Result<Response<ModelStatus>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .model_status(&owner, &request.id, request.after_seq)
                .await,
        )
    }

    async fn card_list(
        &self,
        request: Request<CardListRequest>,
    ) -> Result<Response<CardListReply>, Status> {
        let (owner, request) = parts(request)?;
        answer(self.process.list_results(&owner, request).await)
    }

    async fn service_detail(
        &self,
        request: Request<ResultRequest>,
    ) -> Result<Response<ServiceResult>, Status> {
        let (owner, request) = parts(request)?;
        answer(self.process.result_detail(&owner, &request.result_id).await)
    }

    async fn delete_result(
        &self,
        request: Request<ResultRequest>,
    ) -> Result<Response<Empty>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .delete_result(&owner, &request.result_id)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn download_model_file(
        &self,
        request: Request<DownloadRequest>,
    ) -> Result<Response<DownloadReply>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .download(&owner, request)
                .await
                .map(|url| DownloadReply { url }),
        )
    }

    async fn list_files(
        &self,
        request: Request<ListFilesRequest>,
    ) -> Result<Response<ListFilesReply>, Status> {
        let (owner, request) = parts(request)?;
        answer(self.process.list_files(&owner, request).await)
    }

    async fn file_detail(
        &self,
        request: Request<FileRequest>,
    ) -> Result<Response<SourceFile>, Status> {
        let (owner, request) = parts(request)?;
        let file = self.process.own_file(&owner, &request.file_id).await;
        answer(file.map(|file| self.process.describe_file(file, true)))
    }

    async fn delete_file(&self, request: Request<FileRequest>) -> Result<Response<Empty>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .delete_file(&owner, &request.file_id)
                .await
                .map(|()| Empty {}),
        )
    }

    async fn submit(
        &self,
        request: Request<SubmitRequest>,
    ) -> Result<Response<SubmitReply>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .submit(&owner, request)
                .await
                .map(|result_id| SubmitReply { result_id }),
        )
    }

    async fn get_progress(
        &self,
        request: Request<ResultRequest>,
    ) -> Result<Response<ResultProgress>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .result_progress(&owner, &request.result_id)
                .await,
        )
    }

    async fn retry_check(
        &self,
        request: Request<FileRequest>,
    ) -> Result<Response<ModelCheckingReply>, Status> {
        let (owner, request) = parts(request)?;
        answer(
            self.process
                .retry_check(&owner, &request.file_id)
                .await
                .map(|file_id| ModelCheckingReply { file_id }),
        )
    }
}

/// JSON text as a protobuf object; `None` for empty text or anything but an object.
pub(crate) fn json_object(text: &str) -> Option<prost_types::Struct> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    match to_proto(value).kind? {
        prost_types::value::Kind::StructValue(object) => Some(object),
        _ => None,
    }
}

fn to_proto(value: serde_json::Value) -> prost_types::Value {
    use prost_types::value::Kind;
    let kind = match value {
        serde_json::Value::Null => Kind::NullValue(0),
        serde_json::Value::Bool(value) => Kind::BoolValue(value),
        serde_json::Value::Number(value) => Kind::NumberValue(value.as_f64().unwrap_or_default()),
        serde_json::Value::String(value) => Kind::StringValue(value),
        serde_json::Value::Array(values) => {
            let values = values.into_iter().map(to_proto).collect();
            Kind::ListValue(prost_types::ListValue { values })
        }
        serde_json::Value::Object(fields) => {
            let fields = fields
                .into_iter()
                .map(|(name, value)| (name, to_proto(value)))
                .collect();
            Kind::StructValue(prost_types::Struct { fields })
        }
    };
    prost_types::Value { kind: Some(kind) }
}
