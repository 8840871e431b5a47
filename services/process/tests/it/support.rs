//! Shared by the tests: a running service, a caller, and models to upload.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use bytes::Bytes;
use chassis::testing::{self, Proxy, Shape, TestParts, eventually};
use proto::process::v1::job_console_api_client::JobConsoleApiClient;
use proto::process::v1::process_api_client::ProcessApiClient;
use proto::process::v1::result_console_api_client::ResultConsoleApiClient;
use proto::process::v1::*;
use sea_orm::DatabaseConnection;
use tonic::Status;
use tonic::transport::Channel;

/// The `modelkit` command beside this test's own binary; `cargo build --workspace` makes it.
pub fn engine() -> PathBuf {
    let test = std::env::current_exe().expect("own path");
    let engine = test
        .ancestors()
        .nth(2)
        .expect("target folder")
        .join("modelkit");
    assert!(
        engine.exists(),
        "build the engine first: cargo build -p modelkit"
    );
    engine
}

/// A script in place of the engine, which reports the engine's version. Its text may contain `$ENGINE`.
pub fn engine_script(folder: &Path, text: &str) -> PathBuf {
    let script = folder.join("engine");
    let engine = engine().display().to_string();
    let tells = "[ \"$1\" = --version ] && exec $ENGINE --version";
    let text = format!("#!/bin/sh\n{tells}\n{text}\n").replace("$ENGINE", &engine);
    std::fs::write(&script, text).expect("written");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("executable");
    script
}

fn usual(settings: &mut chassis::Settings) {
    settings.set("process", "engine", engine().display().to_string());
    // It costs seconds per file; its own tests enable it.
    settings.set("process", "turntable_frames", 0);
    // Otherwise every other process on the machine goes first.
    settings.set("process", "most_nice", 0);
}

pub struct Running {
    base: testing::Running,
}

impl std::ops::Deref for Running {
    type Target = testing::Running;

    fn deref(&self) -> &Self::Target {
        &self.base
    }
}

impl Running {
    pub async fn start(shape: Shape) -> Self {
        Self::start_with(shape, |_| {}).await
    }

    pub async fn start_with(shape: Shape, change: impl FnOnce(&mut chassis::Settings)) -> Self {
        let change = |settings: &mut chassis::Settings| {
            usual(settings);
            change(settings);
        };
        Self::on(TestParts::open(shape, &[xl_process::DEFAULTS], change).await).await
    }

    /// On a database whose connections can go silent. None without servers.
    pub async fn behind_proxy(
        change: impl FnOnce(&mut chassis::Settings),
    ) -> Option<(Self, Proxy)> {
        let change = |settings: &mut chassis::Settings| {
            usual(settings);
            change(settings);
        };
        let (test, proxy) = TestParts::behind_proxy(&[xl_process::DEFAULTS], change).await?;
        Some((Self::on(test).await, proxy))
    }

    async fn on(test: TestParts) -> Self {
        // Engines use system time, and the store dates objects by it.
        test.parts.clock.reset();
        let service = &xl_process::Module;
        let base = testing::Running::on::<xl_process::Migrator>(service, test).await;
        Self { base }
    }

    pub fn into_test(self) -> TestParts {
        self.base.test
    }

    pub fn console(&self) -> JobConsoleApiClient<Channel> {
        JobConsoleApiClient::new(self.channel())
    }

    pub fn results_console(&self) -> ResultConsoleApiClient<Channel> {
        ResultConsoleApiClient::new(self.channel())
    }

    pub fn client(&self) -> ProcessApiClient<Channel> {
        ProcessApiClient::new(self.channel())
    }

    /// Stores an object where the user's browser would; returns the request that takes it in.
    pub async fn upload(&self, user: &str, name: &str, content: Vec<u8>) -> ModelCheckingRequest {
        let objects = &self.test.parts.objects;
        let key = format!("u/{user}/20261121/{}/{name}", uuid::Uuid::now_v7().simple());
        let size = content.len() as i64;
        objects
            .put_bytes(&key, Bytes::from(content), "application/octet-stream")
            .await
            .expect("stored");
        ModelCheckingRequest {
            user_id: user.to_owned(),
            file_name: name.to_owned(),
            file_size: size,
            file_url: format!("{}/{key}", objects.bucket()),
            format: name.rsplit_once('.').map_or("", |(_, e)| e).to_owned(),
            bucket_name: objects.bucket().to_owned(),
            model_type: 1,
            ..Default::default()
        }
    }

    /// Uploads a file and takes it in; returns the file id.
    pub async fn take_in(&self, user: &str, name: &str, content: Vec<u8>) -> String {
        let request = self.upload(user, name, content).await;
        let reply = self
            .client()
            .model_checking(self.by(user, request))
            .await
            .expect("taken in");
        reply.into_inner().file_id
    }

    pub async fn detail(&self, user: &str, file_id: &str) -> Result<SourceFile, Status> {
        let request = FileRequest {
            user_id: user.to_owned(),
            file_id: file_id.to_owned(),
        };
        self.client()
            .file_detail(self.by(user, request))
            .await
            .map(tonic::Response::into_inner)
    }

    /// Waits until the check-up has ended.
    pub async fn checked(&self, user: &str, file_id: &str) -> SourceFile {
        eventually("the check-up ends", || async {
            let file = self.detail(user, file_id).await.expect("own file");
            (file.status != "checking").then_some(file)
        })
        .await
    }

    /// Waits until the file has its thumbnail, which is drawn after the check-up.
    pub async fn pictured(&self, user: &str, file_id: &str) -> SourceFile {
        eventually("the thumbnail is drawn", || async {
            let file = self.detail(user, file_id).await.expect("own file");
            file.thumb_url.is_some().then_some(file)
        })
        .await
    }

    /// The service's own database.
    pub async fn database(&self) -> DatabaseConnection {
        let context = self.test.parts.context(xl_process::NAME).await;
        context.expect("a context").db
    }

    pub async fn submit(
        &self,
        user: &str,
        file_id: &str,
        service: &str,
        params: &str,
    ) -> Result<String, Status> {
        let request = SubmitRequest {
            user_id: user.to_owned(),
            file_id: file_id.to_owned(),
            service_type: service.to_owned(),
            params: params.to_owned(),
        };
        self.client()
            .submit(self.by(user, request))
            .await
            .map(|reply| reply.into_inner().result_id)
    }

    pub async fn result(&self, user: &str, result_id: &str) -> Result<ServiceResult, Status> {
        let request = ResultRequest {
            user_id: user.to_owned(),
            result_id: result_id.to_owned(),
        };
        self.client()
            .service_detail(self.by(user, request))
            .await
            .map(tonic::Response::into_inner)
    }

    /// Waits until the service has ended.
    pub async fn made(&self, user: &str, result_id: &str) -> ServiceResult {
        eventually("the service ends", || async {
            let result = self.result(user, result_id).await.expect("own result");
            matches!(result.status.as_str(), "done" | "failed").then_some(result)
        })
        .await
    }
}

/// A model made by our own generator.
pub fn sample(extension: &str, triangles: u32) -> Vec<u8> {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let path = folder.path().join(format!("model.{extension}"));
    let made = Command::new(engine())
        .args(["sample", "gears"])
        .arg(&path)
        .args(["--triangles", &triangles.to_string()])
        .status()
        .expect("engine runs");
    assert!(made.success(), "sample gears {extension}");
    std::fs::read(path).expect("sample written")
}

/// A delivery of oblique photography as a ZIP.
pub fn delivery(triangles: u32) -> Vec<u8> {
    let folder = tempfile::TempDir::new().expect("a temporary folder");
    let path = folder.path().join("city.zip");
    let made = Command::new(engine())
        .args(["sample", "oblique-city"])
        .arg(&path)
        .args(["--triangles", &triangles.to_string()])
        .status()
        .expect("engine runs");
    assert!(made.success(), "sample oblique-city");
    std::fs::read(path).expect("sample written")
}

/// The object a signed address leads to.
pub fn key_of(url: &str) -> String {
    let path = url.split('?').next().unwrap_or(url);
    let at = path.find("/d/").expect("an address below d/");
    path[at + 1..].to_owned()
}

/// A single triangle as ascii STL.
pub fn triangle_stl() -> Vec<u8> {
    b"solid t\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 10 0 0\nvertex 0 10 0\nendloop\nendfacet\nendsolid t\n"
        .to_vec()
}
