//! Operator commands `xuanlan personal …`: review queues, and publishing.

use std::path::PathBuf;

use anyhow::Context as _;
use chassis::ids::new_id;
use chassis::process::one_line;
use clap::{Args, Subcommand, ValueEnum};
use proto::personal::v1::{ChatAnswerRequest, FeedbackAnswerRequest, PublicationSaveRequest};
use proto::rules::checked;
use sea_orm::entity::prelude::*;
use sea_orm::{QueryOrder, QuerySelect};

use crate::Personal;
use crate::console::Actor;
use crate::entity::{chat, chat_line, feedback, publication, suspect_text, word};
use crate::publication::{Kind, Saved};
use crate::review::Decision;
use crate::words::NewWord;

/// Rows shown at once, oldest first.
const PAGE: u64 = 200;

#[derive(Subcommand)]
pub enum Command {
    /// Feedback: what is open, and its answers.
    #[command(subcommand)]
    Feedback(FeedbackCommand),
    /// Conversations with the support.
    #[command(subcommand)]
    Chat(ChatCommand),
    /// Pictures that the checks could not decide.
    #[command(subcommand)]
    Picture(PictureCommand),
    /// Published texts with words to be reviewed.
    #[command(subcommand)]
    Text(TextCommand),
    /// The lists of words.
    #[command(subcommand)]
    Word(WordCommand),
    /// Announcements, popups, friend links, client versions.
    #[command(subcommand)]
    Publication(PublicationCommand),
}

#[derive(Subcommand)]
pub enum FeedbackCommand {
    /// List what is not closed.
    List,
    /// Answer; the author gets a message.
    Answer {
        id: String,
        text: String,
        #[command(flatten)]
        by: By,
    },
    Close {
        id: String,
        #[command(flatten)]
        by: By,
    },
}

#[derive(Subcommand)]
pub enum ChatCommand {
    /// List users waiting for an answer.
    List,
    /// Show the newest lines of a user's conversation.
    Show { user: String },
    Answer {
        user: String,
        text: String,
        #[command(flatten)]
        by: By,
    },
    /// End a conversation until the user writes again.
    Close {
        user: String,
        #[command(flatten)]
        by: By,
    },
}

#[derive(Subcommand)]
pub enum PictureCommand {
    /// List undecided pictures, with their objects.
    List,
    Pass {
        id: String,
        #[command(flatten)]
        by: By,
    },
    Refuse {
        id: String,
        /// Refuse similar pictures from now on.
        #[arg(long)]
        ban: bool,
        /// Shown to the user.
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        by: By,
    },
}

#[derive(Subcommand)]
pub enum TextCommand {
    /// List undecided texts.
    List,
    /// Keep it.
    Keep {
        id: String,
        #[command(flatten)]
        by: By,
    },
    /// Take it down where it is still shown.
    Refuse {
        id: String,
        /// Shown to the user.
        #[arg(long, default_value = "")]
        reason: String,
        #[command(flatten)]
        by: By,
    },
}

#[derive(Subcommand)]
pub enum WordCommand {
    List,
    Put {
        word: String,
        #[arg(long, value_enum, default_value = "refuse")]
        action: WordAction,
        /// For `replace`; asterisks without it.
        #[arg(long, default_value = "")]
        replacement: String,
        #[arg(long, default_value = "")]
        note: String,
        #[command(flatten)]
        by: By,
    },
    Remove {
        word: String,
        #[command(flatten)]
        by: By,
    },
}

#[derive(Clone, Copy, ValueEnum)]
pub enum WordAction {
    Refuse,
    Review,
    Replace,
}

#[derive(Subcommand)]
pub enum PublicationCommand {
    List,
    /// Save the JSON of a file and show it; docs/operations.md says what each kind holds.
    Publish {
        /// announcement, popup, memberPopup, friendLink or clientVersion.
        kind: String,
        file: PathBuf,
        /// A correction of what is there.
        #[arg(long)]
        id: Option<String>,
        /// Unix time in milliseconds; at once without it.
        #[arg(long, default_value_t = 0)]
        from: i64,
        /// Unix time in milliseconds; no end without it.
        #[arg(long, default_value_t = 0)]
        until: i64,
        /// Sort key, ascending.
        #[arg(long, default_value_t = 0)]
        position: i32,
        #[command(flatten)]
        by: By,
    },
    /// Show an older revision again.
    Back {
        id: String,
        version: i64,
        #[command(flatten)]
        by: By,
    },
    Withdraw {
        id: String,
        #[command(flatten)]
        by: By,
    },
}

#[derive(Args)]
pub struct By {
    /// Name of the operator.
    #[arg(long)]
    pub by: String,
}

impl By {
    fn with<'a>(&'a self, command: &'a str) -> Actor<'a> {
        let by = &self.by;
        Actor::Command { command, by }
    }
}

fn line<const N: usize>(values: [&str; N]) {
    println!("{}", values.map(one_line).join("\t"));
}

/// Runs one of the commands.
pub async fn operate(personal: &Personal, command: Command) -> anyhow::Result<()> {
    let personal = &personal.beside();
    match command {
        Command::Feedback(command) => feedback(personal, command).await,
        Command::Chat(command) => chat(personal, command).await,
        Command::Picture(command) => picture(personal, command).await,
        Command::Text(command) => text(personal, command).await,
        Command::Word(command) => word(personal, command).await,
        Command::Publication(command) => publication(personal, command).await,
    }
}

async fn feedback(personal: &Personal, command: FeedbackCommand) -> anyhow::Result<()> {
    let db = &personal.context.db;
    match command {
        FeedbackCommand::List => {
            let open = feedback::Entity::find_any()
                .filter(feedback::Column::State.ne(feedback::State::Closed))
                .order_by_asc(feedback::Column::Id)
                .limit(PAGE);
            for row in open.all(db).await? {
                let objects = format!("{} {}", row.pictures, row.annex_key);
                let state = row.state.name();
                line([&row.id, state, &row.login_id, &row.content, &objects]);
            }
        }
        FeedbackCommand::Answer { id, text, by } => {
            let form = checked(FeedbackAnswerRequest {
                id,
                content: text,
                ..Default::default()
            })?;
            let actor = by.with("feedback answer");
            personal
                .answer_feedback(&form.id, &form.content, None, &actor)
                .await?;
        }
        FeedbackCommand::Close { id, by } => {
            let actor = by.with("feedback close");
            personal.close_feedback(&id, "", &actor).await?;
        }
    }
    Ok(())
}

async fn chat(personal: &Personal, command: ChatCommand) -> anyhow::Result<()> {
    let db = &personal.context.db;
    match command {
        ChatCommand::List => {
            let waiting = chat::Entity::find()
                .filter(chat::Column::WaitingSince.gt(0))
                .order_by_asc(chat::Column::WaitingSince)
                .limit(PAGE);
            for row in waiting.all(db).await? {
                line([&row.login_id, &row.waiting_since.to_string()]);
            }
        }
        ChatCommand::Show { user } => {
            let newest = chat_line::Entity::find_own(&user)
                .order_by_desc(chat_line::Column::Id)
                .limit(PAGE);
            for row in newest.all(db).await?.iter().rev() {
                let said = if row.operator.is_empty() {
                    "user"
                } else {
                    &row.operator
                };
                line([&row.created_at.to_string(), said, &row.content]);
            }
        }
        ChatCommand::Answer { user, text, by } => {
            let form = checked(ChatAnswerRequest {
                login_id: user,
                content: text,
                client_id: new_id(),
            })?;
            let actor = by.with("chat answer");
            personal
                .answer_chat(&form.login_id, &form.content, &form.client_id, &actor)
                .await?;
        }
        ChatCommand::Close { user, by } => {
            personal.close_chat(&user, &by.with("chat close")).await?;
        }
    }
    Ok(())
}

async fn picture(personal: &Personal, command: PictureCommand) -> anyhow::Result<()> {
    let (id, accept, ban, reason, by) = match command {
        PictureCommand::List => {
            let (_, waiting) = personal.waiting_pictures(1, 100).await?;
            for row in waiting {
                line([&row.id, &row.login_id, &row.cause, &row.object_key]);
            }
            return Ok(());
        }
        PictureCommand::Pass { id, by } => (id, true, false, String::new(), by),
        PictureCommand::Refuse {
            id,
            ban,
            reason,
            by,
        } => (id, false, ban, reason, by),
    };
    let reason = &reason;
    let decision = Decision {
        accept,
        ban,
        reason,
    };
    let actor = by.with("picture decide");
    Ok(personal.decide_case(&id, &decision, &actor).await?)
}

async fn text(personal: &Personal, command: TextCommand) -> anyhow::Result<()> {
    let (id, accept, reason, by) = match command {
        TextCommand::List => {
            let waiting = suspect_text::Entity::find_any()
                .filter(suspect_text::Column::State.eq(suspect_text::State::Waiting))
                .order_by_asc(suspect_text::Column::Id)
                .limit(PAGE);
            for row in waiting.all(&personal.context.db).await? {
                line([&row.id, &row.login_id, &row.place, &row.words, &row.content]);
            }
            return Ok(());
        }
        TextCommand::Keep { id, by } => (id, true, String::new(), by),
        TextCommand::Refuse { id, reason, by } => (id, false, reason, by),
    };
    let decision = Decision {
        accept,
        ban: false,
        reason: &reason,
    };
    let actor = by.with("text decide");
    Ok(personal.decide_case(&id, &decision, &actor).await?)
}

async fn word(personal: &Personal, command: WordCommand) -> anyhow::Result<()> {
    match command {
        WordCommand::List => {
            let all = word::Entity::find().order_by_asc(word::Column::Word);
            for row in all.all(&personal.context.db).await? {
                line([&row.word, row.action.name(), &row.replacement, &row.note]);
            }
        }
        WordCommand::Put {
            word,
            action,
            replacement,
            note,
            by,
        } => {
            let action = match action {
                WordAction::Refuse => "refuse",
                WordAction::Review => "review",
                WordAction::Replace => "replace",
            };
            let new = NewWord {
                word: &word,
                action,
                replacement: &replacement,
                note: &note,
            };
            personal.put_word(&new, false, &by.with("word put")).await?;
        }
        WordCommand::Remove { word, by } => {
            let actor = by.with("word remove");
            personal.remove_word(&word, "", &actor).await?;
        }
    }
    Ok(())
}

async fn publication(personal: &Personal, command: PublicationCommand) -> anyhow::Result<()> {
    match command {
        PublicationCommand::List => {
            let all = publication::Entity::find().order_by_asc(publication::Column::Id);
            for row in all.all(&personal.context.db).await? {
                let (kind, state) = (row.kind.name(), row.state.name());
                let version = row.version.to_string();
                line([&row.id, kind, state, &version, &row.content]);
            }
        }
        PublicationCommand::Publish {
            kind,
            file,
            id,
            from,
            until,
            position,
            by,
        } => {
            let of = Kind::of(&kind);
            let of = of.with_context(|| format!("{kind} is no kind of publication"))?;
            let form = checked(PublicationSaveRequest {
                starts_at: from,
                ends_at: until,
                position,
                ..Default::default()
            })?;
            let saved = Saved {
                content: std::fs::read_to_string(&file)?,
                starts_at: form.starts_at,
                ends_at: form.ends_at,
                position: form.position,
            };
            let actor = by.with("publication publish");
            let id = id.as_deref();
            let draft = personal
                .save_publication(id, None, of, saved, &actor)
                .await?;
            personal
                .publish(&draft.publication_id, draft.version, &actor)
                .await?;
            println!("{}\t{}", draft.publication_id, draft.version);
        }
        PublicationCommand::Back { id, version, by } => {
            let actor = by.with("publication back");
            personal
                .restore_publication(&id, version, "", &actor)
                .await?;
        }
        PublicationCommand::Withdraw { id, by } => {
            let actor = by.with("publication withdraw");
            personal.withdraw(&id, "", &actor).await?;
        }
    }
    Ok(())
}
