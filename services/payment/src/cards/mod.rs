//! Bank cards of those who withdraw their income. Number and holder are kept encrypted; pages see the last four digits.

pub(crate) mod number;
mod rewrap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chassis::ids::new_id;
use chassis::vault::Wrapped;
use chassis::{BusinessError, ServiceError, db};
use proto::auth::v1::{AuthCommands, CertifiedAsRequest};
use proto::code;
use proto::payment::v1::{BankCard, CardList, ModifyBankRequest};
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::OnConflict;
use sea_orm::{DatabaseTransaction, QueryOrder, Set};
use serde::{Deserialize, Serialize};

use crate::Payment;
use crate::entity::account::Kind;
use crate::entity::bank_card::{ActiveModel, Column, Entity, Model};
use crate::entity::withdrawal;
use crate::ledger::{self, Account};

/// The part of a card's record that is encrypted.
const DETAILS: &str = "card";
const LONGEST_HOLDER: usize = 100;
const BUSY: &str = "该银行卡有未完成的提现，请等提现结束后再操作";
const KNOWN: &str = "您已绑定过这张银行卡";

/// What is encrypted of a card.
#[derive(Serialize, Deserialize)]
pub(crate) struct Details {
    pub number: String,
    pub holder: String,
}

pub(crate) fn conflict(message: impl Into<String>) -> ServiceError {
    BusinessError::new(code::CONFLICT, message).into()
}

fn no_such_card() -> ServiceError {
    BusinessError::not_found("银行卡不存在或已被删除").into()
}

/// As it is shown: the last four digits alone.
pub fn masked(last4: &str) -> String {
    format!("**** **** **** {last4}")
}

/// An enterprise's name is public; of a person's only the first character stays.
pub fn shown_holder(name: &str, enterprise: bool) -> String {
    if enterprise {
        return name.to_owned();
    }
    let mut characters = name.chars();
    let first = characters.next().map(String::from).unwrap_or_default();
    first + &"*".repeat(characters.count())
}

fn shown(row: Model) -> BankCard {
    BankCard {
        id: row.id,
        bank_name: row.bank_name,
        card_no: masked(&row.last4),
        holder: row.holder,
        branch: row.branch,
        create_time: row.created_at,
    }
}

pub(crate) fn wrapped(row: &Model) -> Wrapped {
    Wrapped {
        key_id: row.key_id.clone(),
        wrapped_key: row.wrapped_key.clone(),
    }
}

/// A form that was checked.
struct Form {
    details: Details,
    branch: String,
    enterprise: bool,
}

fn checked(request: &ModifyBankRequest) -> Result<Form, BusinessError> {
    let digits = number::digits_of(&request.card_no)
        .ok_or_else(|| BusinessError::invalid("请输入正确的银行卡号"))?;
    let holder: String = request.holder.split_whitespace().collect();
    let length = holder.chars().count();
    if !(2..=LONGEST_HOLDER).contains(&length) || holder.chars().any(char::is_control) {
        return Err(BusinessError::invalid("请输入持卡人姓名"));
    }
    if request.branch.chars().any(char::is_control) {
        return Err(BusinessError::invalid("开户支行不能超过 60 个字"));
    }
    Ok(Form {
        branch: request.branch.clone(),
        enterprise: false,
        details: Details {
            number: digits,
            holder,
        },
    })
}

impl Payment {
    pub(crate) async fn cards(&self, owner: &str) -> Result<CardList, ServiceError> {
        let rows = Entity::find_own(owner)
            .order_by_asc(Column::CreatedAt)
            .order_by_asc(Column::Id)
            .all(&self.context.db)
            .await?;
        Ok(CardList {
            results: rows.into_iter().map(shown).collect(),
            most: i32::try_from(self.config.cards.most).unwrap_or(i32::MAX),
        })
    }

    pub(crate) async fn modify_card(
        &self,
        owner: &str,
        request: &ModifyBankRequest,
    ) -> Result<BankCard, ServiceError> {
        let update = match request.suffix.as_str() {
            "add" => false,
            "update" => true,
            _ => return Err(BusinessError::invalid("操作应为 add 或 update").into()),
        };
        self.vault()?;
        let mut form = checked(request)?;
        if update && self.card(owner, &request.card_id).await?.is_none() {
            return Err(no_such_card());
        }
        form.enterprise = self.is_holder(owner, &form.details.holder).await?;
        match update {
            true => self.update_card(owner, &request.card_id, &form).await,
            false => self.add_card(owner, &form).await,
        }
    }

    /// Whether the name is an enterprise's. Errors: the caller is not certified under it.
    async fn is_holder(&self, owner: &str, holder: &str) -> Result<bool, ServiceError> {
        let request = CertifiedAsRequest {
            login_id: owner.to_owned(),
            name: holder.to_owned(),
        };
        let answer = AuthCommands::certified_as(&self.context.bus, &request).await?;
        match (answer.certified, answer.same) {
            (_, true) => Ok(answer.enterprise),
            (false, _) => Err(conflict("请先完成实名认证，再绑定银行卡")),
            (true, false) => Err(conflict("持卡人须与实名认证的姓名或企业名称一致")),
        }
    }

    async fn card(&self, owner: &str, id: &str) -> Result<Option<Model>, DbErr> {
        Entity::find_own_by_id(owner, id)
            .one(&self.context.db)
            .await
    }

    /// The columns that follow from a number and its holder.
    fn sealed(&self, owner: &str, id: &str, form: &Form) -> Result<ActiveModel, ServiceError> {
        let vault = self.vault()?;
        let Form {
            details,
            branch,
            enterprise,
        } = form;
        let (wrapped, key) = vault.new_record(owner, id)?;
        let plain = serde_json::to_vec(details).map_err(anyhow::Error::from)?;
        Ok(ActiveModel {
            key_id: Set(wrapped.key_id),
            wrapped_key: Set(wrapped.wrapped_key),
            details: Set(STANDARD_NO_PAD.encode(key.seal(DETAILS, &plain)?)),
            number_index: Set(vault.index_of("card", &details.number)?),
            bank_name: Set(number::bank_of(&details.number).to_owned()),
            last4: Set(number::last4(&details.number).to_owned()),
            holder: Set(shown_holder(&details.holder, *enterprise)),
            branch: Set(branch.clone()),
            updated_at: Set(self.now()),
            ..Default::default()
        })
    }

    async fn add_card(&self, owner: &str, form: &Form) -> Result<BankCard, ServiceError> {
        let id = new_id();
        let row = ActiveModel {
            id: Set(id.clone()),
            owner: Set(owner.to_owned()),
            created_at: Set(self.now()),
            ..self.sealed(owner, &id, form)?
        };
        let transaction = db::begin_write(&self.context.db).await?;
        // Held while cards are counted.
        ledger::lock(&transaction, &Account::of(Kind::Income, owner)).await?;
        let has = Entity::find_own(owner).count(&transaction).await?;
        if has >= self.config.cards.most {
            let message = format!("最多绑定 {} 张银行卡", self.config.cards.most);
            return Err(BusinessError::new(code::QUOTA, message).into());
        }
        let inserted = Entity::insert(row)
            .on_conflict(OnConflict::new().do_nothing().to_owned())
            .exec_without_returning(&transaction)
            .await?;
        if inserted == 0 {
            return Err(conflict(KNOWN));
        }
        transaction.commit().await?;
        let row = self.card(owner, &id).await?;
        row.map(shown).ok_or_else(no_such_card)
    }

    async fn update_card(
        &self,
        owner: &str,
        id: &str,
        form: &Form,
    ) -> Result<BankCard, ServiceError> {
        let columns = self.sealed(owner, id, form)?;
        let index = columns.number_index.clone().take().unwrap_or_default();
        let transaction = db::begin_write(&self.context.db).await?;
        hold_idle(&transaction, owner, id, self.now()).await?;
        // As when one is added: of two changes to the same number the second sees the first. The card is held before the
        // account everywhere.
        ledger::lock(&transaction, &Account::of(Kind::Income, owner)).await?;
        let other = Entity::find_own(owner)
            .filter(Column::NumberIndex.eq(index))
            .filter(Column::Id.ne(id))
            .count(&transaction)
            .await?;
        if other > 0 {
            return Err(conflict(KNOWN));
        }
        let rows = Entity::update_own(owner)
            .set(columns)
            .filter(Column::Id.eq(id))
            .exec_with_returning(&transaction)
            .await?;
        transaction.commit().await?;
        rows.into_iter().next().map(shown).ok_or_else(no_such_card)
    }

    pub(crate) async fn delete_card(&self, owner: &str, id: &str) -> Result<(), ServiceError> {
        let transaction = db::begin_write(&self.context.db).await?;
        hold_idle(&transaction, owner, id, self.now()).await?;
        Entity::delete_own(owner)
            .filter(Column::Id.eq(id))
            .exec(&transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Number, holder and branch in clear: for the operator who pays to it.
    pub(crate) async fn opened(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
        id: &str,
    ) -> Result<(Details, String), ServiceError> {
        let row = Entity::find_own_by_id(owner, id).one(transaction).await?;
        let row = row.ok_or_else(no_such_card)?;
        let key = self
            .vault()?
            .open_record(&wrapped(&row), &row.owner, &row.id)?;
        let sealed = STANDARD_NO_PAD
            .decode(&row.details)
            .map_err(anyhow::Error::from)?;
        let plain = key.open(DETAILS, &sealed)?;
        // The error would repeat what it read.
        let details = serde_json::from_slice(&plain)
            .map_err(|_| anyhow::anyhow!("card {} cannot be read", row.id))?;
        Ok((details, row.branch))
    }
}

/// Holds a card until the end of the transaction; none when the owner has no such card.
pub(crate) async fn hold(
    transaction: &DatabaseTransaction,
    owner: &str,
    id: &str,
    now: i64,
) -> Result<Option<Model>, DbErr> {
    let held = Entity::update_own(owner)
        .set(ActiveModel {
            updated_at: Set(now),
            ..Default::default()
        })
        .filter(Column::Id.eq(id))
        .exec_with_returning(transaction)
        .await?;
    Ok(held.into_iter().next())
}

/// The same; errors: it is not there, or a withdrawal to it is open. A request for a withdrawal holds the card too.
async fn hold_idle(
    transaction: &DatabaseTransaction,
    owner: &str,
    id: &str,
    now: i64,
) -> Result<(), ServiceError> {
    hold(transaction, owner, id, now)
        .await?
        .ok_or_else(no_such_card)?;
    let open = withdrawal::Entity::find_own(owner)
        .filter(withdrawal::Column::CardId.eq(id))
        .filter(withdrawal::Column::State.is_in(withdrawal::State::OPEN))
        .count(transaction)
        .await?;
    match open {
        0 => Ok(()),
        _ => Err(conflict(BUSY)),
    }
}

/// The row of a card for a new key of its own.
pub(crate) fn rewrapped(new: Wrapped) -> ActiveModel {
    ActiveModel {
        key_id: Set(new.key_id),
        wrapped_key: Set(new.wrapped_key),
        ..Default::default()
    }
}
