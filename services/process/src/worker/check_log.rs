//! Log lines of a running check-up: the first is stored at once, later ones in batches, so that a quick check-up costs a few
//! transactions and not one per line.

use std::time::Duration;

use chassis::{ServiceError, db};
use sea_orm::DatabaseTransaction;
use tokio::sync::mpsc;

use crate::Process;
use crate::engine::Line;
use crate::entity::check_message::CheckStatus;
use crate::entity::{check_message, file, job};

/// Lines are batched for this long.
const GATHER: Duration = Duration::from_millis(50);

/// Writes the log of one check-up. While the worker holds the job, no one else numbers the messages of its file.
pub(super) struct CheckLog<'a> {
    process: &'a Process,
    job: &'a job::Model,
    file: &'a file::Model,
    /// Number of the next message, once it was read.
    next: Option<i64>,
    gathered: Vec<check_message::Model>,
}

impl<'a> CheckLog<'a> {
    pub(super) fn new(process: &'a Process, job: &'a job::Model, file: &'a file::Model) -> Self {
        Self {
            process,
            job,
            file,
            next: None,
            gathered: Vec::new(),
        }
    }

    /// Stores lines until the sender is gone; the last batch is left to [`CheckLog::close`].
    pub(super) async fn listen(&mut self, lines: &mut mpsc::Receiver<Line>) {
        let mut began = false;
        while let Some(line) = lines.recv().await {
            self.gather(line);
            if began && self.gather_more(lines).await {
                return;
            }
            began |= !self.gathered.is_empty();
            self.flush().await;
        }
    }

    /// Returns whether the sender is gone.
    async fn gather_more(&mut self, lines: &mut mpsc::Receiver<Line>) -> bool {
        let end = tokio::time::Instant::now() + GATHER;
        loop {
            match tokio::time::timeout_at(end, lines.recv()).await {
                Ok(Some(line)) => self.gather(line),
                Ok(None) => return true,
                Err(_) => return false,
            }
        }
    }

    fn gather(&mut self, line: Line) {
        let Line::Log { message } = line else { return };
        let line = self
            .process
            .message_of(self.file, CheckStatus::Normal, &message);
        self.gathered.push(line);
    }

    /// Stores the batch and pushes it.
    pub(super) async fn flush(&mut self) {
        if self.gathered.is_empty() {
            return;
        }
        let process = self.process;
        let kept = async {
            let transaction = db::begin_write(&process.context.db).await?;
            if !process.holds_job(&transaction, self.job).await? {
                transaction.rollback().await?;
                return Ok::<_, ServiceError>(Vec::new());
            }
            let kept = self.write(&transaction).await?;
            transaction.commit().await?;
            Ok(kept)
        };
        let kept = process
            .context
            .ask_database("log of a check-up", kept)
            .await;
        match kept.flatten() {
            Ok(kept) => self.push(kept),
            Err(error) => {
                tracing::warn!(%error, "log lines not kept");
                self.next = None;
            }
        }
    }

    /// Writes the batch.
    async fn write(
        &mut self,
        transaction: &DatabaseTransaction,
    ) -> Result<Vec<check_message::Model>, ServiceError> {
        let next = match self.next {
            Some(next) => next,
            None => self.process.next_seq(transaction, &self.file.id).await?,
        };
        let gathered = std::mem::take(&mut self.gathered);
        let kept = self
            .process
            .add_numbered(transaction, gathered, next)
            .await?;
        self.next = Some(next + kept.len() as i64);
        Ok(kept)
    }

    fn push(&self, messages: Vec<check_message::Model>) {
        for message in messages {
            self.process.push_message(&self.file.owner, Some(message));
        }
    }

    /// Writes the last batch and the final message in the transaction that ends the check-up. The caller pushes them after the
    /// commit.
    pub(super) async fn close(
        mut self,
        transaction: &DatabaseTransaction,
        last: check_message::Model,
    ) -> Result<Vec<check_message::Model>, ServiceError> {
        self.gathered.push(last);
        self.write(transaction).await
    }
}
