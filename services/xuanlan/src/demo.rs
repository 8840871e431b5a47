//! Demo accounts, and models made at the first start by our own generator and processed like any upload. Idempotent: what
//! exists is kept.

pub mod accounts;
mod makers;
pub mod mall;
mod manifest;
mod plan;
mod sales;
mod sold;
mod works;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use chassis::{Context, Parts, Service};
use objectstore::user_prefix;
use proto::common::v1::Principal;
use proto::process::v1::process_api_client::ProcessApiClient;
use proto::process::v1::{ModelCheckingRequest, ModelReleaseRequest};
use tonic::Request;

struct Model {
    kind: &'static str,
    name: &'static str,
    format: &'static str,
    triangles: u32,
}

/// Models of the first account.
const MODELS: &[Model] = &[
    Model {
        kind: "gears",
        name: "行星齿轮组",
        format: "glb",
        triangles: 120_000,
    },
    Model {
        kind: "vase",
        name: "青花瓷瓶",
        format: "glb",
        triangles: 60_000,
    },
    Model {
        kind: "robot-arm",
        name: "六轴机械臂",
        format: "glb",
        triangles: 80_000,
    },
    Model {
        kind: "pagoda",
        name: "七层宝塔",
        format: "zip",
        triangles: 60_000,
    },
    Model {
        kind: "turbine",
        name: "涡扇发动机",
        format: "stl",
        triangles: 150_000,
    },
];

/// Models shown by the site itself, below /demo/.
const SHOWN: &[(&str, &str, u32)] = &[
    ("lens-cube", "hero.glb", 20_000),
    ("gears", "gears.glb", 40_000),
];

/// Makes the models shown by the site.
pub async fn make_shown(folder: &Path) -> anyhow::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    for (kind, name, triangles) in SHOWN {
        let path = folder.join(name);
        if !path.exists() {
            generate(kind, &path, &sized(*triangles)).await?;
        }
    }
    Ok(())
}

/// The parts needed to make the demo.
pub struct Demo {
    pub parts: Parts,
    pub jobs: Context,
    pub process: Service,
}

impl Demo {
    /// Makes the models of `owner`; `marker` exists from then on.
    pub async fn seed(&self, owner: &str, marker: &Path) -> anyhow::Result<()> {
        // While these are checked, jobs of other users go first.
        xl_process::admin::give_way(&self.jobs, owner, true).await?;
        let folder = tempfile::TempDir::new()?;
        for model in MODELS {
            let path = folder
                .path()
                .join(format!("{}.{}", model.name, model.format));
            generate(model.kind, &path, &sized(model.triangles)).await?;
            take_in(&self.parts, &self.process, owner, model, &path).await?;
        }
        xl_process::admin::give_way(&self.jobs, owner, false).await?;
        tokio::fs::write(marker, b"").await?;
        tracing::info!(models = MODELS.len(), "demo models made");
        Ok(())
    }
}

fn sized(triangles: u32) -> Vec<String> {
    vec!["--triangles".to_owned(), triangles.to_string()]
}

async fn generate(kind: &str, path: &Path, words: &[String]) -> anyhow::Result<()> {
    // Written under another name until complete: a kill in the middle must not leave half a model.
    let name = path
        .file_name()
        .context("a file name")?
        .to_string_lossy()
        .into_owned();
    let parts: PathBuf = path.with_file_name(format!("new-{name}"));
    let status = tokio::process::Command::new(xl_process::own_program()?)
        .args(["modelkit", "sample", kind])
        .arg(&parts)
        .args(words)
        .stdout(std::process::Stdio::null())
        .kill_on_drop(true)
        .status()
        .await?;
    ensure!(status.success(), "the generator failed on {kind}");
    tokio::fs::rename(&parts, path).await?;
    Ok(())
}

async fn take_in(
    parts: &Parts,
    process: &Service,
    owner: &str,
    model: &Model,
    path: &Path,
) -> anyhow::Result<()> {
    let name = format!("{}.{}", model.name, model.format);
    let key = format!("{}demo/{}/{name}", user_prefix(owner)?, model.kind);
    let meta = parts
        .objects
        .put_file(&key, path, "application/octet-stream")
        .await?;
    let bucket = parts.objects.bucket().to_owned();
    let checking = ModelCheckingRequest {
        file_name: name,
        file_size: meta.size as i64,
        file_url: format!("{bucket}/{key}"),
        format: model.format.to_owned(),
        bucket_name: bucket,
        model_type: 1,
        ..Default::default()
    };
    let mut client = ProcessApiClient::new(process.routes.clone().prepare());
    let reply = client.model_checking(by(parts, owner, checking)?).await?;
    let release = ModelReleaseRequest {
        file_id: reply.into_inner().file_id,
        model_name: model.name.to_owned(),
        model_type: 1,
        ..Default::default()
    };
    client.model_release(by(parts, owner, release)?).await?;
    Ok(())
}

/// A request in the name of the demo account.
fn by<T>(parts: &Parts, owner: &str, message: T) -> anyhow::Result<Request<T>> {
    let mut request = Request::new(message);
    let principal = Principal {
        login_id: owner.to_owned(),
        audience: xl_process::NAME.to_owned(),
        ..Default::default()
    };
    parts.principals.attach(principal, request.metadata_mut())?;
    Ok(request)
}
