//! The user data that auth exports and erases: everything, so that the phone number is free again. An invitation is kept under
//! the pseudonym, for its other side.

use chassis::{Context, garbage};
use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use chassis::rights::export::{Area, cents, flag, number, person, source, text, time};
use chassis::rights::{Holding, Leaving, Rights, erased, renamed};
use objectstore::StoreError;
use proto::auth::v1::AccountErased;
use proto::common::v1::ExportObject;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::Query;
use sea_orm::{DatabaseTransaction, QueryOrder, QuerySelect};
use serde_json::{Map, Value};

use crate::certification::vault::{self, RecordKey, Vault, Wrapped};
use crate::certification::{DETAILS, look, pictures};
use crate::config::AuthConfig;
use crate::entity::{account, certification, certified_number, sms_code, sms_gate};
use crate::{export, rules, sms};

/// Why a column is not exported.
const INTERNAL: &str = "serves the work of the service alone";
const OPERATORS: &str = "names operators";
const SECRET: &str = "a secret, or made from one";

/// Most certifications whose pictures are exported.
const MOST_CERTIFICATIONS: u64 = 50;

/// The part of auth.
#[derive(Clone)]
pub struct Part {
    context: Context,
    vault: Arc<Vault>,
}

#[async_trait::async_trait]
impl Rights for Part {
    type Erased = AccountErased;
    const HOLDINGS: &'static [Holding] = &[
        erased("account_freeze", "login_id"),
        erased("certification", "login_id"),
        erased("data_export", "login_id"),
        erased("identity", "login_id"),
        renamed("invitation", "inviter"),
        renamed("invitation", "invitee"),
        erased("invite_code", "login_id"),
        erased("known_device", "login_id"),
        erased("mail_code", "login_id"),
        erased("password_failure", "login_id"),
        erased("recovery_code", "login_id"),
        erased("second_factor", "login_id"),
        erased("session", "login_id"),
        erased("sign_in", "login_id"),
        erased("account", "id"),
    ];
    const OTHERWISE: &'static [(&'static str, &'static str, &'static str)] = &[
        ("account", "phone", "goes with the row"),
        ("account", "email", "goes with the row"),
        ("mail_code", "email", "goes with the row"),
        ("sms_code", "phone", "removed by the number of the account"),
        ("closure", "login_id", "emptied when everybody has answered"),
    ];

    const AREAS: &'static [Area] = &[
        Area::new(
            "account",
            "账号",
            "account",
            "id",
            &[
                text("id", "用户编号"),
                text("phone", "手机号"),
                text("email", "邮箱"),
                time("email_verified_at", "邮箱验证时间"),
                text("username", "用户名"),
                text("account_number", "账号"),
                text("nickname", "昵称"),
                text("avatar", "头像"),
                text("profession_code", "职业"),
                number("uploader_type", "发布者类型"),
                text("interest", "兴趣"),
                text("register_purpose", "注册目的"),
                time("created_at", "注册时间"),
                time("updated_at", "更新时间"),
                time("first_upload_at", "首个模型通过体检的时间"),
            ],
        )
        .withheld(&[
            ("password_hash", SECRET),
            ("is_operator", INTERNAL),
            ("version", INTERNAL),
            ("profile_version", INTERNAL),
            ("modeler_version", INTERNAL),
        ]),
        Area::new(
            "account_freeze",
            "账号冻结",
            "account_freeze",
            "login_id",
            &[
                time("frozen_at", "冻结时间"),
                time("until", "冻结至"),
                text("reason", "原因"),
            ],
        )
        .key(&["login_id"]),
        Area::new(
            "certification",
            "认证",
            "certification",
            "login_id",
            &[
                text("id", "编号"),
                text("kind", "类型"),
                text("state", "状态"),
                text("name_shown", "展示的名称"),
                text("number_shown", "展示的号码"),
                text("cause", "未通过原因"),
                time("created_at", "创建时间"),
                time("submitted_at", "提交时间"),
                time("decided_at", "审核时间"),
                time("pictures_due", "图片删除时间"),
                source("key_id"),
                source("wrapped_key"),
                source("details"),
                source("login_id"),
            ],
        )
        .withheld(&[
            ("number_index", SECRET),
            ("claimed_by", OPERATORS),
            ("claimed_until", OPERATORS),
            ("decided_by", OPERATORS),
        ])
        .added(&[("stated", "填写的内容")]),
        Area::new(
            "third_party",
            "第三方账号",
            "identity",
            "login_id",
            &[
                text("id", "编号"),
                text("provider", "平台"),
                text("open_id", "平台上的编号"),
                text("union_id", "平台上的统一编号"),
                text("nickname", "平台昵称"),
                text("avatar", "平台头像"),
                time("created_at", "绑定时间"),
            ],
        )
        .withheld(&[("app_id", INTERNAL)]),
        Area::new(
            "invitations",
            "我邀请的人",
            "invitation",
            "inviter",
            &[
                text("id", "编号"),
                person("invitee", "受邀人"),
                text("state", "状态"),
                cents("inviter_cents", "我的奖励（云币）"),
                time("inviter_paid_at", "到账时间"),
                time("created_at", "邀请时间"),
                time("qualified_at", "达成时间"),
            ],
        )
        .withheld(&[
            ("suspicion", "keeps abuse away"),
            ("invitee_cents", "the other person's"),
            ("invitee_paid_at", "the other person's"),
            ("decided_by", OPERATORS),
        ]),
        Area::new(
            "invited_by",
            "邀请我的人",
            "invitation",
            "invitee",
            &[
                text("id", "编号"),
                person("inviter", "邀请人"),
                text("state", "状态"),
                cents("invitee_cents", "我的奖励（云币）"),
                time("invitee_paid_at", "到账时间"),
                time("created_at", "邀请时间"),
                time("qualified_at", "达成时间"),
            ],
        )
        .withheld(&[
            ("suspicion", "keeps abuse away"),
            ("inviter_cents", "the other person's"),
            ("inviter_paid_at", "the other person's"),
            ("decided_by", OPERATORS),
        ]),
        Area::new(
            "invite_code",
            "邀请码",
            "invite_code",
            "login_id",
            &[text("code", "邀请码"), time("created_at", "创建时间")],
        )
        .key(&["login_id"])
        .withheld(&[("version", INTERNAL)]),
        Area::new(
            "devices",
            "登录过的设备",
            "known_device",
            "login_id",
            &[time("last_seen_at", "最近使用时间")],
        )
        .withheld(&[("id", SECRET)]),
        Area::new(
            "mail_codes",
            "邮箱验证码",
            "mail_code",
            "login_id",
            &[
                text("email", "邮箱"),
                number("tries", "尝试次数"),
                time("expires_at", "失效时间"),
            ],
        )
        .withheld(&[("id", SECRET), ("code_hash", SECRET)]),
        Area::new(
            "sms_codes",
            "短信验证码",
            "sms_code",
            "phone",
            &[
                text("phone", "手机号"),
                text("purpose", "用途"),
                text("remote_addr", "IP地址"),
                number("tries", "尝试次数"),
                text("lane", "获取方式"),
                time("created_at", "发送时间"),
                time("expires_at", "失效时间"),
                time("ended_at", "使用时间"),
            ],
        )
        .withheld(&[
            ("id", SECRET),
            ("code_hash", SECRET),
            // Written by replicas of an earlier version only.
            ("of_owner", INTERNAL),
        ])
        .through("phone", ("account", "phone", "id")),
        Area::new(
            "wrong_passwords",
            "密码错误记录",
            "password_failure",
            "login_id",
            &[
                text("id", "编号"),
                text("remote_addr", "IP地址"),
                time("at", "时间"),
            ],
        )
        .withheld(&[("device", SECRET)]),
        Area::new(
            "second_factor",
            "二次验证",
            "second_factor",
            "login_id",
            &[
                time("created_at", "设置时间"),
                time("confirmed_at", "启用时间"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[
            ("key_id", SECRET),
            ("wrapped_key", SECRET),
            ("secret", SECRET),
            ("last_step", SECRET),
            ("failures", INTERNAL),
            ("failed_at", INTERNAL),
        ]),
        Area::new(
            "sessions",
            "登录状态",
            "session",
            "login_id",
            &[
                text("id", "编号"),
                text("kind", "设备类型"),
                text("method", "登录方式"),
                text("user_agent", "浏览器"),
                text("remote_addr", "IP地址"),
                time("created_at", "登录时间"),
                time("last_seen_at", "最近使用时间"),
                time("expires_at", "失效时间"),
                time("confirmed_until", "身份确认有效至"),
            ],
        )
        .withheld(&[("token_hash", SECRET), ("device", SECRET)]),
        Area::new(
            "sign_ins",
            "登录记录",
            "sign_in",
            "login_id",
            &[
                text("id", "编号"),
                time("at", "时间"),
                text("method", "登录方式"),
                text("outcome", "结果"),
                text("kind", "设备类型"),
                text("device", "设备"),
                text("remote_addr", "IP地址"),
                flag("new_device", "是否新设备"),
            ],
        ),
        Area::new(
            "closure",
            "注销申请",
            "closure",
            "login_id",
            &[
                text("state", "状态"),
                time("requested_at", "申请时间"),
                time("due_at", "注销时间"),
                time("finished_at", "完成时间"),
            ],
        )
        .withheld(&[
            ("id", "nothing is to lead back from what is kept"),
            ("pseudonym", "nothing is to lead back from what is kept"),
            ("round", INTERNAL),
            ("next_at", INTERNAL),
        ]),
        Area::new(
            "data_exports",
            "数据导出",
            "data_export",
            "login_id",
            &[
                text("state", "状态"),
                time("requested_at", "申请时间"),
                time("ready_at", "完成时间"),
                time("expires_at", "删除时间"),
                number("bytes", "字节数"),
            ],
        )
        .key(&["login_id"])
        .withheld(&[
            ("id", INTERNAL),
            ("object_key", INTERNAL),
            ("tries", INTERNAL),
            ("due_at", INTERNAL),
        ]),
    ];
    const NOT_TAKEN: &'static [(&'static str, &'static str)] =
        &[("recovery_code", "hashes of secrets and nothing else")];

    fn answer(closure_id: String, round: i32) -> AccountErased {
        AccountErased { closure_id, round }
    }

    /// Masked phone numbers, as pages show invitees.
    async fn names(&self, ids: &[String]) -> anyhow::Result<HashMap<String, String>> {
        let accounts = account::Entity::find()
            .filter(account::Column::Id.is_in(ids))
            .all(&self.context.db)
            .await?;
        let named = accounts
            .into_iter()
            .map(|of| (of.id, rules::masked(&of.phone)));
        Ok(named.collect())
    }

    /// What was stated belongs to the user: it is exported in clear.
    fn present(&self, area: &Area, row: &mut Map<String, Value>) {
        if area.table == "certification" {
            let stated = self.stated(row).unwrap_or_default();
            row.insert("stated".to_owned(), stated);
        }
    }

    /// Pictures of certifications, which are stored encrypted: [`Part::open`].
    async fn takes(&self, login_id: &str) -> anyhow::Result<Vec<ExportObject>> {
        let records = certification::Entity::find_own(login_id)
            .order_by_desc(certification::Column::SubmittedAt)
            .limit(MOST_CERTIFICATIONS)
            .all(&self.context.db)
            .await?;
        let objects = records.iter().flat_map(|record| {
            let object = |part: &&str| ExportObject {
                key: format!("{}{part}", pictures::prefix(&record.id)),
                path: format!("certification/{}-{part}.jpg", record.id),
            };
            look::pictures_of(record.kind).iter().map(object)
        });
        Ok(objects.collect())
    }

    /// Pictures of certifications, and the archive of the person's data.
    async fn prefixes(&self, leaving: Leaving<'_>) -> anyhow::Result<Vec<String>> {
        let ids: Vec<String> = certification::Entity::find_own(leaving.login_id)
            .select_only()
            .column(certification::Column::Id)
            .into_tuple()
            .all(&self.context.db)
            .await?;
        let mut prefixes = vec![export::prefix(leaving.login_id)];
        prefixes.extend(ids.iter().map(|id| pictures::prefix(id)));
        Ok(prefixes)
    }

    async fn erase(
        &self,
        transaction: &DatabaseTransaction,
        leaving: Leaving<'_>,
    ) -> anyhow::Result<()> {
        forget_numbers(transaction, leaving.login_id).await?;
        garbage::forget_below(transaction, &export::prefix(leaving.login_id)).await?;
        let own = account::Entity::find_by_id(leaving.login_id)
            .one(transaction)
            .await?;
        let Some(own) = own else {
            return Ok(());
        };
        sms_code::Entity::delete_many()
            .filter(sms_code::Column::Phone.eq(&own.phone))
            .exec(transaction)
            .await?;
        sms_gate::Entity::delete_by_id(sms::gate_of_phone(&own.phone))
            .exec(transaction)
            .await?;
        Ok(())
    }
}

impl Part {
    /// Errors: keys are missing or invalid.
    pub fn of(context: &Context) -> anyhow::Result<Self> {
        let config: AuthConfig = context.settings.section("auth")?;
        Ok(Self {
            vault: Arc::new(vault::load(&context.settings, &config.certification)?),
            context: context.clone(),
        })
    }

    fn key_of(
        &self,
        login_id: &str,
        record: &str,
        (key_id, wrapped_key): (String, String),
    ) -> anyhow::Result<RecordKey> {
        let wrapped = Wrapped {
            key_id,
            wrapped_key,
        };
        self.vault.open_record(&wrapped, login_id, record)
    }

    /// None if it cannot be decrypted.
    fn stated(&self, row: &Map<String, Value>) -> Option<Value> {
        let text = |name: &str| row.get(name).and_then(Value::as_str).map(str::to_owned);
        let (login_id, record) = (text("loginId")?, text("id")?);
        let key = (text("keyId")?, text("wrappedKey")?);
        let key = self.key_of(&login_id, &record, key).ok()?;
        let sealed = STANDARD_NO_PAD.decode(text("details")?).ok()?;
        serde_json::from_slice(&key.open(DETAILS, &sealed).ok()?).ok()
    }

    /// A picture that [`Rights::takes`] named; none when it is removed already.
    pub async fn open(&self, key: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let mut parts = key.split('/').skip(1);
        let (Some(id), Some(part)) = (parts.next(), parts.next()) else {
            return Ok(None);
        };
        let record = certification::Entity::find_any_by_id(id)
            .one(&self.context.db)
            .await?;
        let Some(record) = record else {
            return Ok(None);
        };
        let all = objectstore::ByteRange {
            start: 0,
            end: None,
        };
        let sealed = match self.context.objects.get_range(key, all).await {
            Ok(sealed) => sealed,
            Err(StoreError::NoSuchKey(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let wrapped = (record.key_id, record.wrapped_key);
        // One that cannot be decrypted is left out.
        let opened = self
            .key_of(&record.login_id, id, wrapped)
            .and_then(|key| key.open(part, &sealed));
        Ok(opened.ok())
    }
}

/// Deletes the marks of certified numbers that only this account has stated.
async fn forget_numbers(
    transaction: &DatabaseTransaction,
    login_id: &str,
) -> Result<(), sea_orm::DbErr> {
    let numbers = |own: bool| {
        let column = certification::Column::LoginId;
        Query::select()
            .column(certification::Column::NumberIndex)
            .from(certification::Entity)
            .and_where(if own {
                column.eq(login_id)
            } else {
                column.ne(login_id)
            })
            .to_owned()
    };
    let mark = certified_number::Column::NumberIndex;
    certified_number::Entity::delete_many()
        .filter(mark.in_subquery(numbers(true)))
        .filter(mark.not_in_subquery(numbers(false)))
        .exec(transaction)
        .await?;
    Ok(())
}
