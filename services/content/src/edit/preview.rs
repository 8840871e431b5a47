//! Links that show a draft to anyone for an hour. Only the digest of the ticket is stored.

use chassis::audit::Deed;
use chassis::{Operator, ServiceError, db};
use proto::content::v1::{ArticlePreviewReply, ArticlePreviewRequest};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::hold;
use crate::Library;
use crate::address;
use crate::entity::preview;

const LIFE_MS: i64 = 3_600_000;

/// Lower-case hex SHA-256 of a ticket.
pub(crate) fn ticket_hash(ticket: &str) -> String {
    hex::encode(Sha256::digest(ticket))
}

impl Library {
    pub(super) async fn make_preview(
        &self,
        operator: &Operator,
        form: &ArticlePreviewRequest,
    ) -> Result<ArticlePreviewReply, ServiceError> {
        let now = self.now();
        let ticket = hex::encode(rand::random::<[u8; 24]>());
        let expires_at = now + LIFE_MS;
        let transaction = db::begin_write(&self.context.db).await?;
        let of = hold(&transaction, &form.id, now).await?;
        let row = preview::Model {
            ticket_hash: ticket_hash(&ticket),
            article_id: of.id.clone(),
            revision: of.latest_revision,
            expires_at,
        };
        db::insert(row, &transaction).await?;
        let deed = Deed {
            target: &of.id,
            after: json!({"revision": of.latest_revision, "expiresAt": expires_at}),
            ..Deed::default()
        };
        self.audit(&transaction, operator, deed).await?;
        transaction.commit().await?;
        self.outbox.wake();
        let path = address::of(of.kind, &of.slug, &of.id);
        let sign = if path.contains('?') { '&' } else { '?' };
        Ok(ArticlePreviewReply {
            path: format!("{path}{sign}preview={ticket}"),
            ticket,
            expires_at,
        })
    }
}
