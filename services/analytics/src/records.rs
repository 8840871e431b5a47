//! What a visitor did with controls of the site, as reported by the site's own call.

use std::time::Duration;

use chassis::{BusinessError, Origin, ServiceError, db, ids};
use proto::analytics::v1::{AnalyticsCalls, UserVisitRecord};
use proto::code;

use crate::Analytics;
use crate::entity::user_visit;

/// Characters of a text column.
pub(crate) const TEXT: usize = 64;

/// Whether the text has the form of an id that browsers generate.
pub(crate) fn is_visitor(text: &str) -> bool {
    text.len() == 32
        && text
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The first `characters` of a text, without control characters: what a page claims is never refused for its length.
pub(crate) fn shortened(text: &str, characters: usize) -> String {
    let plain = text.chars().filter(|one| !one.is_control());
    plain.take(characters).collect()
}

impl AnalyticsCalls<ServiceError> for Analytics {
    async fn save_user_visit_record(
        &self,
        from: &Origin,
        record: UserVisitRecord,
    ) -> Result<String, ServiceError> {
        self.save_user_visit(from.remote_addr(), record).await
    }
}

impl Analytics {
    /// Returns the visitor's id; one without an id gets one.
    /// Errors: the id is malformed, the times are no period, or the address sent too many.
    pub(crate) async fn save_user_visit(
        &self,
        remote_addr: &str,
        record: UserVisitRecord,
    ) -> Result<String, ServiceError> {
        let visitor = match record.visitor_id.as_str() {
            "" => ids::new_id(),
            known if is_visitor(known) => known.to_owned(),
            _ => return Err(BusinessError::new(code::INVALID, "访客编号格式不正确").into()),
        };
        if record.start_time < 0 || record.end_time < record.start_time {
            return Err(BusinessError::new(code::INVALID, "结束时间不能早于开始时间").into());
        }
        // Each record is a row: an address may send as many as it may send beacons.
        let most = i64::from(self.config.beacons.per_minute);
        let records = self.context.cache.scoped("analytics:records");
        let who = remote_addr.parse().map_or_else(
            |_| remote_addr.to_owned(),
            |address| peers::subscriber(address).to_string(),
        );
        let sent = records.count(&who, Duration::from_secs(60)).await;
        // As for beacons: if the cache is unavailable, every record is accepted.
        if most > 0 && sent.is_ok_and(|sent| sent > most) {
            return Err(BusinessError::new(429, "发送过于频繁，请稍后再试").into());
        }
        let row = user_visit::Model {
            id: ids::new_id(),
            visitor: visitor.clone(),
            start_time: record.start_time,
            end_time: record.end_time,
            button_name: shortened(&record.button_name, TEXT),
            event_type: shortened(&record.event_type, TEXT),
            operation_type: shortened(&record.operation_type, TEXT),
            process_type: shortened(&record.process_type, TEXT),
            website_module: shortened(&record.website_module, TEXT),
            task_id: shortened(&record.task_id, TEXT),
            at: self.now(),
        };
        db::insert(row, &self.context.db).await?;
        Ok(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_one_form_and_texts_a_length() {
        assert!(is_visitor("0123456789abcdef0123456789abcdef"));
        for wrong in ["", "0123456789ABCDEF0123456789ABCDEF", "x", "' OR 1=1 --"] {
            assert!(!is_visitor(wrong), "{wrong}");
        }
        assert_eq!(shortened("玄览\u{0}云\n台", 3), "玄览云");
    }
}
