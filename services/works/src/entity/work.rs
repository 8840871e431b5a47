//! A published or draft work. Its columns are what is published; the author's changes are in `draft`.

use chassis::db::states::StateMachine;
use sea_orm::entity::prelude::*;
use serde::{Deserialize, Serialize};

chassis::column_enum! {
    /// Publication state.
    pub enum State {
        /// Never published.
        Draft = "draft",
        Published = "published",
        /// By its author.
        Withdrawn = "withdrawn",
        /// By an operator.
        Hidden = "hidden",
    }
}

impl StateMachine for State {
    type Entity = Entity;
    const COLUMN: Column = Column::State;
    const VERSION: Option<Column> = Some(Column::Revision);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::Draft => &[],
            Self::Published => &[Self::Draft, Self::Withdrawn, Self::Hidden],
            Self::Withdrawn => &[Self::Published],
            Self::Hidden => &[Self::Published, Self::Withdrawn],
        }
    }
}

chassis::column_enum! {
    /// State of the draft.
    pub enum Edit {
        /// The draft equals what is published.
        None = "none",
        Editing = "editing",
        /// Waits for an operator.
        Review = "review",
        Refused = "refused",
    }
}

impl StateMachine for Edit {
    type Entity = Entity;
    const COLUMN: Column = Column::EditState;
    const VERSION: Option<Column> = Some(Column::Revision);

    fn predecessors(self) -> &'static [Self] {
        match self {
            Self::None | Self::Refused => &[Self::Review],
            Self::Editing => &[Self::None, Self::Editing, Self::Review, Self::Refused],
            Self::Review => &[Self::Editing, Self::Refused],
        }
    }
}

chassis::column_enum! {
    /// Who may view it once published.
    pub enum Visibility {
        Public = "public",
        /// Everyone who knows its id.
        Unlisted = "unlisted",
        /// Only its owner.
        Private = "private",
    }
}

/// The part of a work that is reviewed before publication.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Content {
    pub name: String,
    pub description: String,
    pub category_id: String,
    pub industry_id: String,
    pub labels: Vec<String>,
    pub work_type: i32,
    /// JSON text of an xlscene/1 document; empty: the viewer's default.
    pub scene: String,
    /// Number of the bundle.
    pub bundle: i32,
}

#[derive(Clone, Debug, PartialEq, DeriveEntityModel)]
#[sea_orm(table_name = "work")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: String,
    /// Login id of the author.
    pub owner: String,
    pub state: State,
    pub edit_state: Edit,
    /// Incremented by changes of the author and of operators.
    pub revision: i64,
    pub visibility: Visibility,
    /// Published and public, so shown in lists. Derived from the two columns, as the first column of an index.
    pub listed: bool,
    pub comments_allowed: bool,
    pub download_allowed: bool,
    pub name: String,
    pub description: String,
    pub category_id: String,
    pub industry_id: String,
    /// Each label enclosed by commas.
    pub labels: String,
    /// 0 and 3 a single model, 1 a full scene, 2 a customer case.
    pub work_type: i32,
    pub scene: String,
    /// Number of the published bundle; 0: none was ever approved.
    pub bundle: i32,
    /// JSON text of a [`Content`].
    pub draft: String,
    /// Name in the draft, for the author's search.
    pub draft_name: String,
    /// Number of the newest bundle.
    pub newest_bundle: i32,
    /// Of the published bundle, or else of the draft's.
    pub poster_key: String,
    pub turntable_key: String,
    pub browse: i64,
    pub likes: i64,
    pub collects: i64,
    pub comments: i64,
    /// Sort key of `hot`: weighted views, likes, collections and comments.
    pub heat: i64,
    /// Number of open reports.
    pub reports: i32,
    /// When operators recommended it; 0: not recommended.
    pub recommended_at: i64,
    /// The operator's latest reason.
    pub reason: String,
    pub submitted_at: i64,
    /// When it was first published; 0: never.
    pub published_at: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

chassis::owned!(Owner);

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    pub fn content(&self) -> Content {
        serde_json::from_str(&self.draft).unwrap_or_default()
    }

    /// Whether the user, or an anonymous visitor (empty), may view it.
    pub fn open_to(&self, login_id: &str) -> bool {
        self.owner == login_id
            || (self.state == State::Published && self.visibility != Visibility::Private)
    }

    /// Whether lists show works of this state and visibility.
    pub fn lists(state: State, visibility: Visibility) -> bool {
        state == State::Published && visibility == Visibility::Public
    }

    /// The published name, or else the draft's.
    pub fn known_name(&self) -> String {
        match self.name.is_empty() {
            true => self.draft_name.clone(),
            false => self.name.clone(),
        }
    }

    /// Path of the page that shows it: a full scene by `id`, others by `worksId`.
    pub fn page(&self) -> String {
        page(self.work_type, &self.id)
    }

    /// State as reported to authors and operators.
    pub fn told_state(&self) -> &'static str {
        match (self.state, self.edit_state) {
            (State::Draft, Edit::Review) => "review",
            (State::Draft, Edit::Refused) => "refused",
            (state, _) => state.name(),
        }
    }

    /// State of the changes to a published work.
    pub fn told_edit(&self) -> &'static str {
        match (self.state, self.edit_state) {
            (State::Draft, _) | (_, Edit::None) => "",
            (_, edit) => edit.name(),
        }
    }
}

pub fn page(work_type: i32, id: &str) -> String {
    let field = if work_type == 1 { "id" } else { "worksId" };
    format!("/production/detail?{field}={id}")
}
