//! The order of jobs.
//!
//! Check-ups go before services (an owner's first ones of a minute), services before pictures, and jobs of owners who give way (makers of a new site's first listings)
//! last. Within a priority the owners take turns: a queued job gets the number of its round, which is the round being served or, if
//! its owner has open jobs, the one after the last of them. The next job is the first entry of one index, however many wait.

use chassis::db::states::Transition;
use chassis::ids::new_id;
use chassis::{BusinessError, ServiceError, db};
use proto::code;
use sea_orm::entity::prelude::*;
use sea_orm::sea_query::{ExprTrait, LockBehavior, LockType};
use sea_orm::{
    Condition, ConnectionTrait, DatabaseTransaction, FromQueryResult, QueryOrder, QuerySelect,
    QueryTrait, Set, Statement,
};

use crate::Process;
use crate::entity::job::{self, Kind, Priority, State};
use crate::entity::{file, user_counter};
use crate::offer::Offer;

/// See `process.prompt_checks`.
const MINUTE_MS: i64 = 60_000;
/// Maximum number of thumbnails moved up per round.
const MOVED_UP: u64 = 16;

/// Rounds of the queue when a job is added.
#[derive(FromQueryResult)]
struct Rounds {
    /// The latest round in progress.
    running: Option<i64>,
    /// The first waiting round.
    waiting: Option<i64>,
    /// The owner's last round.
    own: Option<i64>,
}

const ROUNDS: &str = "SELECT \
    (SELECT MAX(turn) FROM job WHERE state = 'running' AND priority = $1) AS running, \
    (SELECT MIN(turn) FROM job WHERE state = 'queued' AND priority = $1) AS waiting, \
    (SELECT MAX(turn) FROM job WHERE owner = $2 AND state IN ('queued', 'running') AND priority = $1) AS own";

impl Rounds {
    fn next(&self) -> i64 {
        let current = self.running.or(self.waiting).unwrap_or(0);
        match self.own {
            Some(own) if own >= current => own + 1,
            _ => current,
        }
    }
}

impl Process {
    /// Queues a job; returns its id. Refused if the owner has too many open jobs; the count is exact if the caller has locked the
    /// owner's counter.
    pub(crate) async fn queue_job(
        &self,
        transaction: &DatabaseTransaction,
        kind: Kind,
        owner: &str,
        file_id: &str,
        result_id: &str,
    ) -> Result<String, ServiceError> {
        if !kind.priority().is_preview() {
            self.check_open_jobs(transaction, owner).await?;
        }
        let priority = self.priority_of(transaction, kind, owner).await?;
        let now = self.now();
        let id = new_id();
        let row = job::Model {
            id: id.clone(),
            kind,
            owner: owner.to_owned(),
            file_id: file_id.to_owned(),
            result_id: result_id.to_owned(),
            state: State::Queued,
            attempts: 0,
            lease: String::new(),
            lease_until: 0,
            created_at: now,
            updated_at: now,
            traceparent: chassis::telemetry::traceparent(),
            priority,
            turn: self.next_turn(transaction, priority, owner).await?,
            ready_at: 0,
            put_off_at: 0,
            yields: 0,
            error: String::new(),
            is_long: self.is_long(transaction, kind, owner, file_id).await?,
        };
        db::insert(row, transaction).await?;
        Ok(id)
    }

    /// Whether a job may take an hour: the tiling and the check-up of a scene.
    async fn is_long(
        &self,
        transaction: &DatabaseTransaction,
        kind: Kind,
        owner: &str,
        file_id: &str,
    ) -> Result<bool, DbErr> {
        if kind != Kind::Check {
            return Ok(kind == Kind::Tile);
        }
        let scene = file::Entity::find_own_by_id(owner, file_id)
            .filter(file::Column::ModelType.eq(file::SCENE));
        Ok(scene.count(transaction).await? > 0)
    }

    /// An owner's first check-ups of a minute go before all services; further ones take turns with them, or whoever uploads without
    /// end would keep the services of all others waiting.
    async fn priority_of(
        &self,
        transaction: &DatabaseTransaction,
        kind: Kind,
        owner: &str,
    ) -> Result<Priority, DbErr> {
        let giving_way = user_counter::Entity::find_by_id(owner)
            .filter(user_counter::Column::GivesWay.eq(true))
            .one(transaction)
            .await?;
        Ok(match giving_way {
            Some(_) => kind.priority().of_last(),
            None if kind == Kind::Check && self.has_prompt(transaction, owner).await? => {
                Priority::Service
            }
            None => kind.priority(),
        })
    }

    /// Whether the owner's share of check-ups that go first is taken: by those that are open or of the last minute.
    async fn has_prompt(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<bool, DbErr> {
        let lately = Condition::any()
            .add(job::Column::CreatedAt.gt(self.now() - MINUTE_MS))
            .add(job::Column::State.is_in([State::Queued, State::Running]));
        let prompt = job::Entity::find_own(owner)
            .filter(job::Column::Kind.eq(Kind::Check))
            .filter(job::Column::Priority.eq(Priority::Check))
            .filter(lately)
            .count(transaction)
            .await?;
        Ok(prompt >= self.config.prompt_checks)
    }

    async fn next_turn(
        &self,
        connection: &impl ConnectionTrait,
        priority: Priority,
        owner: &str,
    ) -> Result<i64, DbErr> {
        let backend = connection.get_database_backend();
        let values = [priority.into(), owner.into()];
        let query = Statement::from_sql_and_values(backend, ROUNDS, values);
        let rounds = Rounds::find_by_statement(query).one(connection).await?;
        Ok(rounds.map_or(0, |rounds| rounds.next()))
    }

    async fn check_open_jobs(
        &self,
        transaction: &DatabaseTransaction,
        owner: &str,
    ) -> Result<(), ServiceError> {
        let most = self.config.open_jobs_per_user;
        let open = job::Entity::find_own(owner)
            .filter(job::Column::State.is_in([State::Queued, State::Running]))
            .filter(job::Column::Kind.is_not_in([Kind::Thumbnail, Kind::Turntable]))
            .count(transaction)
            .await?;
        if open >= most {
            let text = format!("同时排队和处理的任务最多 {most} 个，请等部分任务完成后再提交");
            return Err(BusinessError::new(code::CONFLICT, text).into());
        }
        Ok(())
    }

    /// Claims the next matching job; `None` if there is none.
    pub(crate) async fn claim_job(&self, offer: Offer) -> Result<Option<job::Model>, ServiceError> {
        let now = self.now();
        let waited = i64::try_from(offer.waited.as_millis()).unwrap_or(i64::MAX);
        let mut next = job::Entity::find_any()
            .select_only()
            .column(job::Column::Id)
            .filter(job::Column::State.eq(State::Queued))
            // Kinds added by a later version are left to it.
            .filter(job::Column::Kind.is_in(Kind::ALL.iter().copied()))
            .filter(job::Column::ReadyAt.lte(now))
            // The sum keeps the databases from choosing the index by time, which would require a sort.
            .filter(Expr::col(job::Column::CreatedAt).add(waited).lte(now));
        if let Some(before) = offer.before {
            next = next.filter(job::Column::Priority.lt(before));
        }
        if offer.without_long {
            next = next.filter(job::Column::IsLong.eq(false));
        }
        if let Some(owner) = &offer.not_of {
            next = next.filter(job::Column::Owner.ne(owner));
        }
        let next = next
            .order_by_asc(job::Column::Priority)
            .order_by_asc(job::Column::Turn)
            .order_by_asc(job::Column::CreatedAt)
            .order_by_asc(job::Column::Id)
            .limit(1)
            // Skips rows that another worker is claiming; SQLite has a single writer anyway.
            .lock_with_behavior(LockType::Update, LockBehavior::SkipLocked)
            .into_query();
        let taken = Transition::to(State::Running)
            .set(job::ActiveModel {
                lease: Set(new_id()),
                lease_until: Set(self.lease_end()),
                updated_at: Set(now),
                ..Default::default()
            })
            .count_up(job::Column::Attempts)
            .only(Expr::col(job::Column::Id).eq(Expr::from(next)))
            .take(&self.context.db);
        Ok(taken.await?.pop())
    }

    /// Requeues the jobs of silent workers; the attempt counts.
    pub(crate) async fn take_back_silent(&self) -> Result<u64, DbErr> {
        Transition::to(State::Queued)
            .set(job::ActiveModel {
                lease: Set(String::new()),
                lease_until: Set(0),
                ..Default::default()
            })
            .only(job::Column::LeaseUntil.lt(self.now()))
            .count(&self.context.db)
            .await
    }

    /// Moves thumbnails that have waited long up among the services, each in its owner's turn: a list must not stay without
    /// pictures while another user runs a hundred services. Whether there were any.
    pub(crate) async fn move_thumbnails_up(&self) -> Result<bool, DbErr> {
        let late = job::Entity::find_any()
            .filter(job::Column::State.eq(State::Queued))
            .filter(job::Column::Priority.eq(Priority::Thumbnail))
            .filter(
                Expr::col(job::Column::CreatedAt)
                    .add(self.config.thumbnail_wait_seconds * 1000)
                    .lt(self.now()),
            )
            .order_by_asc(job::Column::Turn)
            .limit(MOVED_UP)
            .all(&self.context.db)
            .await?;
        let found = !late.is_empty();
        for job in late {
            let db = &self.context.db;
            let turn = self.next_turn(db, Priority::Service, &job.owner).await?;
            job::Entity::update_any()
                .set(job::ActiveModel {
                    priority: Set(Priority::Service),
                    turn: Set(turn),
                    ..Default::default()
                })
                .filter(job::Column::Id.eq(job.id))
                .filter(job::Column::State.eq(State::Queued))
                .exec(db)
                .await?;
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use std::time::Instant;

    use chassis::testing::{TestParts, shapes};
    use sea_orm::DbBackend;

    use super::*;

    #[test]
    fn a_newcomer_joins_the_round_being_served_and_everybody_else_goes_on() {
        let rounds = |running, waiting, own| Rounds {
            running,
            waiting,
            own,
        };
        assert_eq!(rounds(None, None, None).next(), 0);
        assert_eq!(rounds(Some(16), Some(17), None).next(), 16);
        assert_eq!(rounds(None, Some(17), None).next(), 17);
        assert_eq!(rounds(Some(16), Some(17), Some(60)).next(), 61);
        // An owner served long ago has gained no credit.
        assert_eq!(rounds(Some(16), Some(17), Some(3)).next(), 16);
    }

    /// A process without running workers, on its own tables.
    async fn idle(test: &TestParts) -> Process {
        let context = test.migrated::<crate::Migrator>(crate::NAME).await;
        crate::migrate(&context).await.unwrap();
        Process::new(context).unwrap()
    }

    async fn queue(process: &Process, kind: Kind, owner: &str) {
        let db = &process.context.db;
        let transaction = chassis::db::begin_write(db).await.unwrap();
        let queued = process.queue_job(&transaction, kind, owner, "f1", "");
        queued.await.unwrap();
        transaction.commit().await.unwrap();
    }

    async fn claim(process: &Process, offer: Offer) -> Option<job::Model> {
        process.claim_job(offer).await.unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_job_that_is_put_off_comes_less_and_less_often() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let process = idle(&test).await;
            for (kind, expected) in [
                (Kind::Check, [5, 5, 10, 20, 40, 60, 60, 60, 60, 60]),
                (Kind::Turntable, [5, 5, 10, 20, 40, 80, 160, 320, 600, 600]),
            ] {
                queue(&process, kind, "u1").await;
                let mut delays = Vec::new();
                for _ in expected {
                    let taken = claim(&process, Offer::default()).await.expect("a job");
                    assert_eq!((taken.kind, taken.attempts), (kind, 1));
                    process.put_back_later(&taken).await.unwrap();
                    assert_eq!(claim(&process, Offer::default()).await, None);
                    let row = job::Entity::find_any_by_id(&taken.id);
                    let row = row.one(&process.context.db).await.unwrap().unwrap();
                    let delay = row.ready_at - process.now();
                    process.context.clock.advance_ms(delay);
                    delays.push(delay / 1000);
                }
                let cleared = process.context.db.execute_unprepared("DELETE FROM job");
                cleared.await.unwrap();
                assert_eq!(delays, expected, "{shape:?}");
            }
            test.finish().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn check_ups_go_before_services_and_pictures_after_them() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let process = idle(&test).await;
            let kinds = [
                Kind::Turntable,
                Kind::Thumbnail,
                Kind::Tile,
                Kind::Convert,
                Kind::Check,
            ];
            for kind in kinds {
                queue(&process, kind, "u1").await;
            }
            let before = |priority| Offer {
                before: Some(priority),
                ..Offer::default()
            };
            let checks = before(Priority::Service);
            let waited = Offer {
                waited: Duration::from_secs(60),
                ..checks.clone()
            };
            let of_others = Offer {
                not_of: Some("u1".to_owned()),
                ..checks.clone()
            };
            assert_eq!(claim(&process, waited).await, None);
            assert_eq!(claim(&process, of_others).await, None);
            let taken = claim(&process, checks.clone()).await.unwrap();
            assert_eq!((taken.kind, taken.attempts), (Kind::Check, 1));
            assert_eq!(claim(&process, checks).await, None);
            let quick = Offer {
                without_long: true,
                ..Offer::default()
            };
            assert_eq!(claim(&process, quick).await.unwrap().kind, Kind::Convert);
            for kind in [Kind::Tile, Kind::Thumbnail, Kind::Turntable] {
                let next = claim(&process, Offer::default()).await.unwrap();
                assert_eq!(next.kind, kind);
            }
            assert_eq!(claim(&process, Offer::default()).await, None);
            test.finish().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_uploads_without_end_keeps_no_service_waiting() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |settings| {
                settings.set("process", "prompt_checks", 2);
            })
            .await;
            let process = idle(&test).await;
            for _ in 0..4 {
                queue(&process, Kind::Check, "u1").await;
            }
            queue(&process, Kind::Convert, "u2").await;
            let next = async || {
                let next = claim(&process, Offer::default()).await.unwrap();
                (next.owner, next.priority)
            };
            let (own, other) = ("u1".to_owned(), "u2".to_owned());
            assert_eq!(next().await, (own.clone(), Priority::Check));
            assert_eq!(next().await, (own.clone(), Priority::Check));
            // Its share is taken while they run, and for a minute.
            queue(&process, Kind::Check, "u1").await;
            assert_eq!(next().await, (own.clone(), Priority::Service));
            assert_eq!(next().await, (other, Priority::Service));
            let ended = "UPDATE job SET state = 'done'";
            process.context.db.execute_unprepared(ended).await.unwrap();
            queue(&process, Kind::Check, "u1").await;
            assert_eq!(next().await, (own.clone(), Priority::Service));
            test.parts.clock.advance_ms(60_000);
            queue(&process, Kind::Check, "u1").await;
            assert_eq!(next().await, (own, Priority::Check));
            test.finish().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_gives_way_comes_after_everybody_else() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let process = idle(&test).await;
            crate::admin::give_way(&process.context, "seed", true)
                .await
                .unwrap();
            for kind in [Kind::Thumbnail, Kind::Showcase, Kind::Check] {
                queue(&process, kind, "seed").await;
            }
            queue(&process, Kind::Turntable, "u1").await;
            let next = || async { claim(&process, Offer::default()).await.unwrap() };
            assert_eq!(next().await.owner, "u1");
            crate::admin::give_way(&process.context, "seed", false)
                .await
                .unwrap();
            queue(&process, Kind::Convert, "seed").await;
            let kinds = [Kind::Convert, Kind::Showcase, Kind::Check, Kind::Thumbnail];
            for kind in kinds {
                assert_eq!(next().await.kind, kind);
            }
            test.finish().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_thumbnail_that_waits_for_long_takes_its_turn_among_the_services() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let process = idle(&test).await;
            for _ in 0..3 {
                queue(&process, Kind::Convert, "u1").await;
            }
            queue(&process, Kind::Thumbnail, "u2").await;
            process.move_thumbnails_up().await.unwrap();
            let aged = job::Entity::update_any()
                .set(job::ActiveModel {
                    created_at: Set(process.now() - 16_000),
                    ..Default::default()
                })
                .filter(job::Column::Kind.eq(Kind::Thumbnail));
            assert_eq!(claim(&process, Offer::default()).await.unwrap().owner, "u1");
            aged.exec(&process.context.db).await.unwrap();
            process.move_thumbnails_up().await.unwrap();
            assert_eq!(claim(&process, Offer::default()).await.unwrap().owner, "u2");
            test.finish().await;
        }
    }

    /// The cost of a claim does not depend on the number of waiting jobs.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_hundred_thousand_jobs_do_not_slow_a_claim_down() {
        for shape in shapes() {
            let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
            let process = idle(&test).await;
            let db = &process.context.db;
            let numbers = match db.get_database_backend() {
                DbBackend::Sqlite => {
                    "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000)"
                }
                _ => "WITH numbers (n) AS (SELECT generate_series(1, 100000))",
            };
            let fill = format!(
                "INSERT INTO job (id, kind, owner, file_id, result_id, state, attempts, lease, lease_until, \
                 created_at, updated_at, turn) {numbers} \
                 SELECT 'j' || n, 'convert', 'u' || (n % 50), 'f', '', 'queued', 0, '', 0, n, n, n / 50 FROM numbers"
            );
            db.execute_unprepared(&fill).await.unwrap();
            if db.get_database_backend() != DbBackend::Sqlite {
                // Autovacuum would do this after a while; a real queue does not receive thousands of rows at once.
                db.execute_unprepared("ANALYZE job").await.unwrap();
            }
            let began = Instant::now();
            let mut owners = std::collections::HashSet::new();
            for _ in 0..50 {
                owners.insert(claim(&process, Offer::default()).await.unwrap().owner);
            }
            let spent = began.elapsed();
            assert!(spent < Duration::from_secs(2), "{shape:?}: {spent:?}");
            assert!(owners.len() >= 49, "{}", owners.len());
            let began = Instant::now();
            for _ in 0..20 {
                queue(&process, Kind::Convert, "newcomer").await;
            }
            let spent = began.elapsed();
            assert!(spent < Duration::from_secs(2), "{shape:?}: {spent:?}");
            let none = Offer {
                before: Some(Priority::Service),
                ..Offer::default()
            };
            assert_eq!(claim(&process, none).await, None);
            test.finish().await;
        }
    }
}
