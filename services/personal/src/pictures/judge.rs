//! Judges what a picture shows. The local judge uses banned look-alikes and the text of QR codes; an external one can be added.

use chassis::ServiceError;
use contentscan::Scanner;
use picturescan::{ALIKE, Clean, Fingerprint, SAME};
use sea_orm::{DatabaseConnection, EntityTrait, QuerySelect};

use crate::entity::picture_rule;

/// The verdict on a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// The reason, for the user.
    Refused(String),
    /// Needs a reviewer; the reason, for the reviewer.
    Undecided(String),
}

impl Verdict {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Refused(_) => "refused",
            Self::Undecided(_) => "undecided",
        }
    }

    /// The stricter of two verdicts.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (refused @ Self::Refused(_), _) | (_, refused @ Self::Refused(_)) => refused,
            (undecided @ Self::Undecided(_), _) | (_, undecided @ Self::Undecided(_)) => undecided,
            _ => Self::Passed,
        }
    }
}

/// Judges a re-encoded picture.
#[async_trait::async_trait]
pub(crate) trait PictureJudge: Send + Sync {
    /// `scanner`: for the texts in it.
    async fn judge(
        &self,
        picture: &Clean,
        db: &DatabaseConnection,
        scanner: &Scanner,
    ) -> Result<Verdict, ServiceError>;
}

pub(crate) struct LocalJudge;

#[async_trait::async_trait]
impl PictureJudge for LocalJudge {
    async fn judge(
        &self,
        picture: &Clean,
        db: &DatabaseConnection,
        scanner: &Scanner,
    ) -> Result<Verdict, ServiceError> {
        let alike = look_alike(&picture.fingerprint, db).await?;
        Ok(alike.and(judge_codes(picture, scanner)))
    }
}

async fn look_alike(print: &Fingerprint, db: &DatabaseConnection) -> Result<Verdict, ServiceError> {
    // Plain pictures all look alike, so they cannot match a rule.
    if print.is_plain() {
        return Ok(Verdict::Passed);
    }
    let rules: Vec<String> = picture_rule::Entity::find()
        .select_only()
        .column(picture_rule::Column::Fingerprint)
        .into_tuple()
        .all(db)
        .await?;
    let known = rules.iter().filter_map(|text| Fingerprint::parse(text));
    let nearest = known.map(|known| known.distance(print)).min();
    Ok(match nearest {
        Some(..=SAME) => Verdict::Refused("图片内容不符合规范，请更换图片".into()),
        Some(distance) if distance <= ALIKE => {
            Verdict::Undecided(format!("与禁用图片相近（相差 {distance} / 256）"))
        }
        _ => Verdict::Passed,
    })
}

fn judge_codes(picture: &Clean, scanner: &Scanner) -> Verdict {
    let mut verdict = Verdict::Passed;
    for text in &picture.codes.texts {
        let judged = scanner.judge(text);
        let of_text = if judged.refused.is_some() {
            Verdict::Refused("图片中的二维码含有不允许发布的内容".into())
        } else if leads_away(text) || !judged.review.is_empty() {
            Verdict::Undecided(format!(
                "二维码：{}",
                text.chars().take(200).collect::<String>()
            ))
        } else {
            Verdict::Passed
        };
        verdict = verdict.and(of_text);
    }
    if picture.codes.unreadable {
        verdict = verdict.and(Verdict::Undecided("含有无法识别的二维码".into()));
    }
    verdict
}

/// Whether a code opens an address, an application or a payment.
pub fn leads_away(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    let scheme = text.split_once(':').is_some_and(|(scheme, _)| {
        !scheme.is_empty()
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    });
    scheme || text.contains("://") || text.starts_with("www.")
}
