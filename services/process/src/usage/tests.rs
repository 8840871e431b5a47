//! Figures of users.

use bytes::Bytes;
use chassis::Settings;
use chassis::testing::{Shape, TestParts, shapes};
use proto::process::v1::{ModelCheckingRequest, ModelReleaseRequest, SubmitRequest};

use super::*;

struct World {
    test: TestParts,
    process: Process,
}

impl World {
    async fn start(shape: Shape) -> Self {
        Self::start_with(shape, |_| {}).await
    }

    async fn start_with(shape: Shape, change: impl FnOnce(&mut Settings)) -> Self {
        let test = TestParts::open(shape, &[crate::DEFAULTS], change).await;
        let context = test.migrated::<crate::Migrator>(crate::NAME).await;
        crate::migrate(&context).await.unwrap();
        let process = Process::new(context).unwrap();
        // Equal requests are one result only with a known engine.
        process.engine_version.set("1".to_owned()).unwrap();
        Self { test, process }
    }

    /// A checked file of u1, of as many bytes as its name.
    async fn file(&self, name: &str, model_type: i32) -> String {
        let objects = &self.process.context.objects;
        let key = format!("u/u1/{name}");
        let bytes = Bytes::from(name.to_owned());
        objects.put_bytes(&key, bytes, "").await.unwrap();
        let request = ModelCheckingRequest {
            file_name: name.to_owned(),
            file_size: name.len() as i64,
            file_url: format!("{}/{key}", objects.bucket()),
            model_type,
            ..Default::default()
        };
        let id = self.process.check_model("u1", request).await.unwrap();
        self.sql("UPDATE source_file SET status = 'ready'").await;
        id
    }

    async fn sql(&self, text: &str) {
        let db = &self.process.context.db;
        db.execute_unprepared(text).await.unwrap();
    }

    /// The kept figures: what there is, by the rows.
    async fn kept(&self) -> Usage {
        let db = &self.process.context.db;
        let row = user_counter::Entity::find_by_id("u1").one(db).await;
        let kept = Usage::kept(&row.unwrap().unwrap()).expect("true figures");
        let counted = Usage::counted("u1", kept.version, db).await.unwrap();
        assert_eq!(kept, counted);
        kept
    }

    async fn delete(&self, id: &str) {
        self.process.delete_file("u1", id).await.unwrap();
    }

    async fn convert(&self, file: &str, format: &str) -> Result<String, ServiceError> {
        let request = SubmitRequest {
            file_id: file.to_owned(),
            service_type: "convert".to_owned(),
            params: format!(r#"{{"format":"{format}"}}"#),
            ..Default::default()
        };
        self.process.submit("u1", request).await
    }

    /// Ends a result with so many bytes, as a worker does.
    async fn finish(&self, id: &str, bytes: i64) {
        let db = &self.process.context.db;
        let transaction = chassis::db::begin_write(db).await.unwrap();
        let added = self.process.add_result_bytes(&transaction, "u1", bytes);
        added.await.unwrap();
        let done = format!(
            "UPDATE service_result SET status = 'done', file_size = {bytes} WHERE id = '{id}'"
        );
        transaction.execute_unprepared(&done).await.unwrap();
        transaction.commit().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_in_the_kept_figures() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let process = &world.process;
        let first = world.file("a.stl", file::MODEL).await;
        let second = world.file("second.stl", file::MODEL).await;
        world.file("scene.zip", file::SCENE).await;
        let release = || ModelReleaseRequest {
            file_id: first.clone(),
            model_name: "齿轮".to_owned(),
            ..Default::default()
        };
        // Twice: it is one model.
        process.release("u1", release()).await.unwrap();
        process.release("u1", release()).await.unwrap();
        let submit = async |format| world.convert(&second, format).await.unwrap();
        let failed = submit("glb").await;
        world
            .sql("UPDATE service_result SET status = 'failed'")
            .await;
        // It takes the place of the failed one.
        let again = submit("glb").await;
        assert_ne!(failed, again);
        let deleted = submit("obj").await;
        process.delete_result("u1", &deleted).await.unwrap();
        let kept = world.kept().await;
        assert_eq!((kept.files, kept.scenes, kept.released), (3, 1, 1));
        assert_eq!(kept.bytes, 5 + 10 + 9);
        assert_eq!(kept.results, BTreeMap::from([("convert".to_owned(), 1)]));
        world.delete(&first).await;
        world.delete(&first).await;
        let kept = world.kept().await;
        assert_eq!((kept.files, kept.released, kept.bytes), (2, 0, 10 + 9));
        assert_eq!(process.used_bytes("u1").await.unwrap(), 10 + 9);
        assert_eq!(process.used_bytes("u2").await.unwrap(), 0);
        world.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_takes_the_kept_figures_and_the_audit_corrects_them() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let process = &world.process;
        world.file("a.stl", file::MODEL).await;
        world
            .sql("UPDATE user_counter SET bytes = bytes + 1000")
            .await;
        // Nothing is summed up.
        let id = world.file("second.stl", file::MODEL).await;
        assert_eq!(process.used_bytes("u1").await.unwrap(), 1015);
        assert_eq!(process.audit_usage(None).await.unwrap(), (1, None));
        assert_eq!(process.used_bytes("u1").await.unwrap(), 15);
        assert_eq!(process.audit_usage(None).await.unwrap(), (0, None));
        world.delete(&id).await;
        assert_eq!(world.kept().await.bytes, 5);
        world.test.finish().await;
    }
}

/// The previous version counts the version up and knows nothing of the figures.
#[tokio::test(flavor = "multi_thread")]
async fn changes_of_the_previous_version_are_counted() {
    for shape in shapes() {
        let world = World::start(shape).await;
        let process = &world.process;
        let first = world.file("a.stl", file::MODEL).await;
        world.file("second.stl", file::MODEL).await;
        let text = format!("UPDATE source_file SET deleted = TRUE WHERE id = '{first}'");
        world.sql(&text).await;
        world
            .sql("UPDATE user_counter SET version = version + 1")
            .await;
        assert_eq!(process.used_bytes("u1").await.unwrap(), 10);
        assert_eq!(process.audit_usage(None).await.unwrap(), (0, None));
        let transaction = chassis::db::begin_write(&process.context.db).await.unwrap();
        // A lock for no change makes nothing true.
        process.lock_user(&transaction, "u1").await.unwrap();
        transaction.commit().await.unwrap();
        world.file("third.stl", file::MODEL).await;
        assert_eq!(world.kept().await.bytes, 10 + 9);
        world.test.finish().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn results_that_fill_their_share_of_the_disk_are_the_last() {
    const GB: i64 = 1024 * facts::MB;
    for shape in shapes() {
        let world = World::start_with(shape, |settings| {
            settings.set("uploads", "storage_gb", 1);
            settings.set("process", "results_per_storage", 2);
        })
        .await;
        let file = world.file("a.stl", file::MODEL).await;
        let first = world.convert(&file, "glb").await.unwrap();
        let second = world.convert(&file, "obj").await.unwrap();
        // Of a version that did not keep the figure.
        world.sql("UPDATE user_counter SET counted_at = -1").await;
        world.finish(&first, 2 * GB - 1).await;
        assert_eq!(world.kept().await.result_bytes, 2 * GB - 1);
        let third = world.convert(&file, "ply").await.unwrap();
        world.finish(&second, 1).await;
        assert_eq!(world.kept().await.result_bytes, 2 * GB);
        let refused = world.convert(&file, "stl").await.unwrap_err().to_string();
        assert!(refused.contains("处理结果已占满 2 GB"), "{refused}");
        assert_eq!(world.kept().await.results["convert"], 3);
        // What was asked for before is found again.
        assert_eq!(world.convert(&file, "ply").await.unwrap(), third);
        world.process.delete_result("u1", &first).await.unwrap();
        assert_eq!(world.kept().await.result_bytes, 1);
        world.convert(&file, "stl").await.unwrap();
        world.test.finish().await;
    }
}
