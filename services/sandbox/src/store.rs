//! The messages received by the sandbox, in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};

use proto::auth::v1::{CaptchaMade, MailCaught, SmsCaught};
use proto::json::JsonError;
use proto::pushes;
use serde::Serialize;

/// Most messages kept.
const SMS_MAX: usize = 1000;
/// Most mails kept.
const MAIL_MAX: usize = 200;
/// Most solutions kept.
const PUZZLES_MAX: usize = 1000;
/// Most images kept: each takes about 100 KB.
const PICTURES_MAX: usize = 60;

/// A message that would have reached a phone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sms {
    pub phone: String,
    pub purpose: String,
    pub code: String,
    pub text: String,
    /// Unix time in milliseconds.
    pub time: i64,
}

/// A mail that would have been delivered.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Mail {
    /// Lower case.
    pub to: String,
    pub subject: String,
    pub text: String,
    pub purpose: String,
    /// Empty without one.
    pub code: String,
    /// Unix time in milliseconds.
    pub time: i64,
}

/// A puzzle with its solution.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Puzzle {
    pub id: String,
    /// slide, scratch or question.
    pub kind: String,
    pub width: i32,
    pub height: i32,
    /// Left edge of the gap, for the kind slide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<i32>,
    /// Where the piece rests over its gap, and its side.
    pub piece_y: i32,
    pub piece_width: i32,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub question: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub answer: String,
    /// Strokes that pass, for the kind scratch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strokes: Option<Vec<Vec<(f64, f64, f64)>>>,
    /// Unix time in milliseconds.
    pub expires_at: i64,
    /// Data URIs; empty for older puzzles.
    #[serde(skip_serializing)]
    pub background: String,
    #[serde(skip_serializing)]
    pub piece: String,
}

impl From<SmsCaught> for Sms {
    fn from(caught: SmsCaught) -> Self {
        Self {
            phone: caught.phone,
            purpose: caught.purpose,
            code: caught.code,
            text: caught.text,
            time: caught.time,
        }
    }
}

impl From<MailCaught> for Mail {
    fn from(caught: MailCaught) -> Self {
        Self {
            to: caught.to,
            subject: caught.subject,
            text: caught.text,
            purpose: caught.purpose,
            code: caught.code,
            time: caught.time,
        }
    }
}

impl From<CaptchaMade> for Puzzle {
    fn from(made: CaptchaMade) -> Self {
        let strokes = made.strokes.iter().map(|stroke| {
            let points = stroke.points.iter();
            points.map(|point| (point.x, point.y, point.at)).collect()
        });
        let strokes: Vec<_> = strokes.collect();
        Self {
            id: made.id,
            kind: made.kind,
            width: made.width,
            height: made.height,
            x: made.x,
            piece_y: made.piece_y,
            piece_width: made.piece_width,
            question: made.question,
            answer: made.answer,
            strokes: (!strokes.is_empty()).then_some(strokes),
            expires_at: made.expires_at,
            background: made.background,
            piece: made.piece,
        }
    }
}

#[derive(Default)]
struct Received {
    /// Newest first.
    sms: VecDeque<Sms>,
    /// Newest first.
    mail: VecDeque<Mail>,
    /// Newest first.
    puzzles: VecDeque<Puzzle>,
}

/// All received messages; clones share them.
#[derive(Clone, Default)]
pub struct Store {
    received: Arc<Mutex<Received>>,
}

impl Store {
    fn received(&self) -> MutexGuard<'_, Received> {
        // A poisoned lock still holds complete entries.
        self.received
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Stores a push; an unknown one is dropped.
    pub fn receive(&self, json: &str) {
        if let Err(error) = self.read(json) {
            tracing::warn!(%error, "the sandbox does not understand a push");
        }
    }

    fn read(&self, json: &str) -> Result<(), JsonError> {
        if let Some(caught) = pushes::read::<SmsCaught>(json)? {
            self.add_sms(caught.into());
        } else if let Some(caught) = pushes::read::<MailCaught>(json)? {
            self.add_mail(caught.into());
        } else if let Some(made) = pushes::read::<CaptchaMade>(json)? {
            self.add_puzzle(made.into());
        }
        Ok(())
    }

    pub fn add_sms(&self, sms: Sms) {
        let mut received = self.received();
        received.sms.push_front(sms);
        received.sms.truncate(SMS_MAX);
    }

    pub fn add_mail(&self, mail: Mail) {
        let mut received = self.received();
        received.mail.push_front(mail);
        received.mail.truncate(MAIL_MAX);
    }

    fn add_puzzle(&self, puzzle: Puzzle) {
        let mut received = self.received();
        received.puzzles.push_front(puzzle);
        received.puzzles.truncate(PUZZLES_MAX);
        if let Some(old) = received.puzzles.get_mut(PICTURES_MAX) {
            old.background = String::new();
            old.piece = String::new();
        }
    }

    /// Messages, newest first; of one number if given.
    pub fn sms(&self, phone: &str) -> Vec<Sms> {
        let received = self.received();
        let wanted = received
            .sms
            .iter()
            .filter(|sms| phone.is_empty() || sms.phone == phone);
        wanted.cloned().collect()
    }

    /// Mails, newest first; of one address if given.
    pub fn mail(&self, to: &str) -> Vec<Mail> {
        let received = self.received();
        let wanted = received.mail.iter();
        let wanted = wanted.filter(|mail| to.is_empty() || mail.to == to);
        wanted.cloned().collect()
    }

    pub fn puzzle(&self, id: &str) -> Option<Puzzle> {
        self.received()
            .puzzles
            .iter()
            .find(|puzzle| puzzle.id == id)
            .cloned()
    }

    /// The newest puzzles whose images are kept.
    pub fn latest_puzzles(&self, count: usize) -> Vec<Puzzle> {
        self.received()
            .puzzles
            .iter()
            .take(count)
            .cloned()
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go() {
        let store = Store::default();
        for number in 0..SMS_MAX + 5 {
            store.receive(&format!(
                r#"{{"type":"SMS","phone":"13800138000","purpose":"login","code":"{number:06}","text":"t","time":1}}"#
            ));
        }
        let kept = store.sms("13800138000");
        assert_eq!(kept.len(), SMS_MAX);
        assert_eq!(kept[0].code, format!("{:06}", SMS_MAX + 4));
        assert!(store.sms("13900139000").is_empty());
        store.receive("not json");
        store.receive(r#"{"type":"OTHER"}"#);
        assert_eq!(store.sms("").len(), SMS_MAX);
    }

    #[test]
    fn old_images_are_dropped_before_their_solutions() {
        let store = Store::default();
        for number in 0..PICTURES_MAX + 1 {
            store.receive(&format!(
                r#"{{"type":"SLIDER","id":"p{number}","kind":"slide","width":1,"height":1,"x":7,"expiresAt":1,"background":"data:","piece":"data:"}}"#
            ));
        }
        let oldest = store.puzzle("p0").unwrap();
        assert_eq!((oldest.x, oldest.background.as_str()), (Some(7), ""));
        assert_eq!(store.puzzle("p1").unwrap().background, "data:");
    }
}
