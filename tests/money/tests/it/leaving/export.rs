//! A user exports all data: the archive contains everything in rows that identify the user, nothing of others, and
//! no secret. The expected content is read from the tables, not from the list used to create the archive.

use std::collections::{HashMap, HashSet};
use std::io::{Cursor, Read};

use chassis::failpoint::Failure;
use chassis::rights::export::{Area, Kind, Whose, member};
use chassis::testing::eventually;
use objectstore::ByteRange;
use proto::auth::v1::export_api_client::ExportApiClient;
use proto::auth::v1::{
    DataExport, DataExportLink, ExportLinkRequest, ExportStateRequest, StartExportRequest,
};
use sea_orm::{ConnectionTrait, DatabaseConnection, Statement};
use serde_json::Value;

use super::schema::{Column, columns, fill};
use super::{All, Person, Says};
use money::code_of;

/// Every fail point of creating an archive.
const STEPS: [&str; 3] = [
    "auth.export.pages",
    "auth.export.stored",
    "auth.export.finished",
];
const OTHER: &str = "吕洞宾";
const DAY_MS: i64 = 24 * 3_600_000;

/// Every identifying column belongs to an area, and each column of an area is declared.
pub fn covers(service: &str, says: &Says, known: &[Column]) {
    let answer = |table: &str| {
        says.not_taken
            .iter()
            .any(|of| of.0 == table && !of.1.is_empty())
    };
    for holding in says.holdings {
        let own = |area: &Area| {
            let by = matches!(area.whose, Whose::Column(column) if column == holding.column);
            area.table == holding.table && by
        };
        assert!(
            says.areas.iter().any(own) || answer(holding.table),
            "{service}: nobody can take along what {holding:?} names"
        );
    }
    for (table, ..) in says.otherwise {
        let shown = says.areas.iter().any(|area| area.table == *table);
        assert!(shown || answer(table), "{service}: {table} is in no area");
    }
    let names: HashSet<&str> = says.areas.iter().map(|area| area.name).collect();
    assert_eq!(names.len(), says.areas.len(), "{service}: names of areas");
    for area in says.areas {
        let own: Vec<&Column> = known.iter().filter(|of| of.table == area.table).collect();
        for column in &own {
            assert!(
                area.says(&column.name),
                "{service}: {}.{} is neither shown in {} nor withheld with a reason (rights.rs)",
                area.table,
                column.name,
                area.name
            );
        }
        let fields = area.fields.iter().map(|field| field.column);
        let withheld = area.withheld.iter().map(|of| of.0);
        for name in fields.chain(withheld).chain(area.key.iter().copied()) {
            let stands = own.iter().any(|column| column.name == name);
            assert!(stands, "{service}: {}.{name} is no column", area.table);
        }
    }
}

pub async fn state(all: &All, who: &Person) -> DataExport {
    let request = all.request(Some(who), ExportStateRequest::default());
    let reply = ExportApiClient::new(all.routes())
        .export_state(request)
        .await;
    reply.unwrap().into_inner()
}

async fn start(all: &All, who: &Person) -> Result<DataExport, i32> {
    let request = all.request(Some(who), StartExportRequest::default());
    let reply = ExportApiClient::new(all.routes())
        .start_export(request)
        .await;
    reply
        .map(|reply| reply.into_inner())
        .map_err(|status| code_of(&status))
}

async fn link(all: &All, who: &Person) -> Result<DataExportLink, i32> {
    let request = all.request(Some(who), ExportLinkRequest::default());
    let reply = ExportApiClient::new(all.routes())
        .export_link(request)
        .await;
    reply
        .map(|reply| reply.into_inner())
        .map_err(|status| code_of(&status))
}

async fn until(all: &All, who: &Person, wanted: &str) -> DataExport {
    eventually(wanted, || async {
        all.test.world.parts.clock.advance_ms(1000);
        let now = state(all, who).await;
        (now.state == wanted).then_some(now)
    })
    .await
}

/// Texts of one column of a query.
async fn texts(db: &DatabaseConnection, question: &str) -> Vec<Option<String>> {
    let statement = Statement::from_string(db.get_database_backend(), question);
    let rows = db.query_all_raw(statement).await.unwrap();
    rows.iter()
        .map(|row| row.try_get_by_index(0).unwrap())
        .collect()
}

async fn key_of(all: &All, who: &Person) -> String {
    let question = format!(
        "SELECT object_key FROM data_export WHERE login_id = '{}'",
        who.login_id
    );
    let found = texts(&all.context("auth").db, &question).await;
    found.into_iter().flatten().next().unwrap()
}

/// The texts of a column in the user's rows.
async fn of_person(
    db: &DatabaseConnection,
    area: &Area,
    column: &str,
    login_id: &str,
) -> Vec<Option<String>> {
    let whose = match area.whose {
        Whose::Column(own) => format!("\"{own}\" = '{login_id}'"),
        Whose::Through {
            column,
            table,
            key,
            owner,
        } => format!(
            "\"{column}\" IN (SELECT \"{key}\" FROM \"{table}\" WHERE \"{owner}\" = '{login_id}')"
        ),
    };
    let table = area.table;
    let question = format!("SELECT CAST(\"{column}\" AS TEXT) FROM \"{table}\" WHERE {whose}");
    texts(db, &question).await
}

/// Files of the archive that are text.
fn unpack(archive: &[u8]) -> HashMap<String, String> {
    let mut zip = zip::ZipArchive::new(Cursor::new(archive)).unwrap();
    let mut files = HashMap::new();
    for at in 0..zip.len() {
        let mut entry = zip.by_index(at).unwrap();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).unwrap();
        files.insert(
            entry.name().unwrap().into_owned(),
            String::from_utf8_lossy(&bytes).into_owned(),
        );
    }
    files
}

/// Creates related users, so that there is data that must not be shown.
async fn meet(all: &All, who: &Person, stranger: &Person) {
    let personal = &all.context("personal").db;
    let named = format!(
        "UPDATE profile SET nickname = '{OTHER}' WHERE login_id = '{}'",
        stranger.login_id
    );
    personal.execute_unprepared(&named).await.unwrap();
    let (own, other) = (who.login_id.as_str(), stranger.login_id.as_str());
    fill(
        personal,
        "attention",
        &[("login_id", own), ("target_id", other)],
    )
    .await;
    fill(
        personal,
        "attention",
        &[("login_id", other), ("target_id", own)],
    )
    .await;
    let params = format!("{{\"name\":\"{OTHER}\"}}");
    let event = format!("follow:{other}");
    let followed = [
        ("login_id", own),
        ("event", event.as_str()),
        ("kind", "followed"),
        ("params", params.as_str()),
    ];
    fill(personal, "message", &followed).await;
    let chat = [("login_id", own), ("content", "=HYPERLINK(1)")];
    fill(personal, "chat_line", &chat).await;
    let auth = &all.context("auth").db;
    fill(auth, "invitation", &[("inviter", own), ("invitee", other)]).await;
}

/// Requests the archive, twice at once and with every step failing once, and checks its content.
pub async fn whole(all: &All, who: &Person, stranger: &Person) -> String {
    meet(all, who, stranger).await;
    let fail = &all.test.world.parts.fail;
    for step in STEPS {
        fail.arm(step, Failure::Error, 1);
    }
    assert_eq!(state(all, who).await.state, "none");
    assert_eq!(link(all, who).await, Err(60105));
    let (one, two) = futures::join!(start(all, who), start(all, who));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.requested_at, two.requested_at, "one request");
    let ready = until(all, who, "ready").await;
    assert_eq!(ready.expires_at - ready.ready_at, 7 * DAY_MS);
    assert_eq!(ready.next_at - ready.requested_at, DAY_MS);
    for step in STEPS {
        assert_eq!(fail.left(step), 0, "{step} was passed");
    }
    let again = start(all, who).await.unwrap();
    assert_eq!(
        (again.state.as_str(), again.requested_at),
        ("ready", one.requested_at)
    );
    // No other user has it, and a link is valid for one object.
    assert_eq!(state(all, stranger).await.state, "none");
    all.confirm(stranger).await;
    assert_eq!(link(all, stranger).await, Err(60105));
    let key = key_of(all, who).await;
    assert!(key.starts_with(&format!("e/{}/", who.login_id)), "{key}");
    let fetched = link(all, who).await.unwrap();
    assert!(fetched.url.contains(&key) && fetched.file_name.ends_with(".zip"));
    let objects = &all.context("auth").objects;
    let listed = objects.list("e/", None).await.unwrap().objects;
    assert_eq!(
        listed.len(),
        1,
        "tries that failed leave nothing: {listed:?}"
    );
    let range = ByteRange {
        start: 0,
        end: None,
    };
    let archive = objects.get_range(&key, range).await.unwrap();
    assert_eq!(archive.len() as i64, ready.bytes);
    let files = unpack(&archive);
    holds_all_of(all, &files, &who.login_id).await;
    holds_nothing_else(all, &files, who, stranger).await;
    // The owner gets a message.
    let answer = format!(
        "SELECT kind FROM message WHERE login_id = '{}' AND kind = 'exportReady'",
        who.login_id
    );
    eventually("the message", || async {
        let found = texts(&all.context("personal").db, &answer).await;
        (found.len() == 1).then_some(())
    })
    .await;
    key
}

async fn holds_all_of(all: &All, files: &HashMap<String, String>, login_id: &str) {
    let mut seen = 0;
    for (context, says) in &all.contexts {
        for area in says.areas {
            let name = format!("{}/{}", context.service, area.name);
            let json = files.get(&format!("{name}.json"));
            let rows: Vec<Value> = json.map_or_else(Vec::new, |text| {
                serde_json::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"))
            });
            for field in area.fields {
                if matches!(field.kind, Kind::Source | Kind::Person) {
                    continue;
                }
                for text in of_person(&context.db, area, field.column, login_id).await {
                    let shown = field.shown(text);
                    let of = member(field.column);
                    // Written after the archive was created.
                    let later = ["data_export", "message"].contains(&area.table)
                        || ["updated_at", "last_seen_at"].contains(&field.column);
                    let found = rows.iter().any(|row| row[&of] == shown);
                    assert!(found || later, "{name} has no {of} {shown}: {rows:?}");
                    seen += 1;
                }
            }
            assert_eq!(
                rows.is_empty(),
                !files.contains_key(&format!("{name}.csv")),
                "{name}"
            );
            assert!(files["index.html"].contains(area.title), "{name}");
        }
    }
    assert!(seen > 300, "{seen} values");
}

async fn holds_nothing_else(
    all: &All,
    files: &HashMap<String, String>,
    who: &Person,
    stranger: &Person,
) {
    let text: String = files
        .iter()
        .map(|(name, text)| format!("{name}\n{text}\n"))
        .collect();
    for other in [
        stranger.login_id.as_str(),
        "13900000002",
        OTHER,
        &who.token_hash,
        "$argon2",
    ] {
        assert!(!text.contains(other), "{other}");
    }
    // Masked as on pages.
    assert!(files["personal/following.json"].contains("吕**"));
    assert!(files["personal/messages.json"].contains("吕** 关注了您"));
    assert!(files["auth/invitations.json"].contains("139****0002"));
    assert!(files["personal/support_chat_lines.csv"].contains("\"'=HYPERLINK(1)\""));
    for (context, says) in &all.contexts {
        let known = columns(&context.db).await;
        for area in says.areas {
            let secrets = area.withheld.iter().map(|of| of.0);
            let sources = area
                .fields
                .iter()
                .filter(|field| field.kind == Kind::Source);
            for column in secrets.chain(sources.map(|field| field.column)) {
                let is_text =
                    |of: &Column| of.table == area.table && of.name == column && of.is_text();
                // The values created by `fill` are unique; the own login id is not.
                if !known.iter().any(is_text) {
                    continue;
                }
                for value in of_person(&context.db, area, column, &who.login_id).await {
                    let Some(value) = value.filter(|value| value.starts_with('t')) else {
                        continue;
                    };
                    let quoted = format!("\"{value}\"");
                    assert!(!text.contains(&quoted), "{}.{column}: {value}", area.table);
                }
            }
        }
    }
    assert!(
        files.contains_key("personal/feedback/own/1.png"),
        "{:?}",
        files.keys()
    );
}

/// The archive expires: it is deleted, and a new one can be requested.
pub async fn ends_with_its_days(all: &All, phone: &str) {
    let who = all.sign_in(phone).await.unwrap();
    assert_eq!(start(all, &who).await.unwrap().state, "making");
    until(all, &who, "ready").await;
    let key = key_of(all, &who).await;
    all.test.later(11);
    assert_eq!(link(all, &who).await, Err(60207));
    assert_eq!(start(all, &who).await, Err(60207));
    all.test.later(7 * 24 * 60);
    assert_eq!(state(all, &who).await.state, "expired");
    let objects = &all.context("auth").objects;
    eventually("the archive is gone", || async {
        objects.head(&key).await.unwrap().is_none().then_some(())
    })
    .await;
    all.confirm(&who).await;
    assert_eq!(link(all, &who).await, Err(60105));
    assert_eq!(start(all, &who).await.unwrap().state, "making");
    until(all, &who, "ready").await;
}
