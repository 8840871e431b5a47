//! What a user states for a certification.

use chassis::ServiceError;
use proto::auth::v1::{AuthDeveloperRequest, AuthEnterpriseRequest, AuthPersonalRequest};
use serde::{Deserialize, Serialize};

use super::rules;
use crate::entity::certification::Kind;

/// Pictures of a record, by their names in the store.
pub const ID_FRONT: &str = "front";
pub const ID_BACK: &str = "back";
pub const LICENSE: &str = "license";

/// The encrypted content of a record.
#[derive(Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Details {
    Personal {
        real_name: String,
        id_card: String,
    },
    Enterprise {
        company_name: String,
        credit_code: String,
        legal_person: String,
        contact_phone: String,
    },
    Developer {
        direction: String,
        introduce: String,
        website: String,
    },
}

impl Details {
    pub fn kind(&self) -> Kind {
        match self {
            Self::Personal { .. } => Kind::Personal,
            Self::Enterprise { .. } => Kind::Enterprise,
            Self::Developer { .. } => Kind::Developer,
        }
    }

    /// The number that only a few accounts may be certified with.
    pub fn number(&self) -> Option<&str> {
        match self {
            Self::Personal { id_card, .. } => Some(id_card),
            Self::Enterprise { credit_code, .. } => Some(credit_code),
            Self::Developer { .. } => None,
        }
    }

    pub fn name_shown(&self) -> String {
        match self {
            Self::Personal { real_name, .. } => rules::masked_name(real_name),
            Self::Enterprise { company_name, .. } => company_name.clone(),
            Self::Developer { .. } => String::new(),
        }
    }

    pub fn number_shown(&self) -> String {
        self.number().map(rules::masked_number).unwrap_or_default()
    }
}

/// Validated details, and the uploads that prove them: the part each becomes, and its name in the form.
pub struct Form {
    pub details: Details,
    pub pictures: Vec<(&'static str, String)>,
}

impl Form {
    pub fn personal(request: &AuthPersonalRequest, now_ms: i64) -> Result<Self, ServiceError> {
        let real_name = rules::real_name(&request.real_name)?;
        let id_card = rules::id_card(&request.id_card, now_ms)?;
        Ok(Self {
            details: Details::Personal { real_name, id_card },
            pictures: vec![
                (ID_FRONT, request.id_card_front.clone()),
                (ID_BACK, request.id_card_back.clone()),
            ],
        })
    }

    pub fn enterprise(request: &AuthEnterpriseRequest) -> Result<Self, ServiceError> {
        Ok(Self {
            details: Details::Enterprise {
                company_name: rules::company_name(&request.company_name)?,
                credit_code: rules::credit_code(&request.credit_code)?,
                legal_person: rules::legal_person(&request.legal_person)?,
                contact_phone: rules::contact_phone(&request.contact_phone)?,
            },
            pictures: vec![(LICENSE, request.business_license.clone())],
        })
    }

    pub fn developer(request: &AuthDeveloperRequest) -> Result<Self, ServiceError> {
        Ok(Self {
            details: Details::Developer {
                direction: rules::direction(&request.direction)?.to_owned(),
                introduce: rules::introduce(&request.introduce)?,
                website: rules::website(&request.website)?,
            },
            pictures: Vec::new(),
        })
    }
}
