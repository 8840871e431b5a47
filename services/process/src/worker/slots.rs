//! The jobs of this process, and which of them is stopped for a job of a higher priority.
//!
//! Pictures, and all jobs of an owner who gives way, are stopped for any job of a higher priority. Of the services the last started
//! gives way to a check-up, one at a time: however long services take, check-ups find a slot. Where one owner's check-ups fill all
//! slots, the last started gives way to another owner's. A process claims the waiting job before it stops anything, so that only one
//! of several processes stops a job for it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

use crate::entity::job::{self, Kind, Priority};
use crate::offer::Offer;

/// A picture is stopped for a job that has waited this long: until then a process with a free slot takes it.
const PICTURE_PATIENCE: Duration = Duration::from_millis(40);
/// A service is stopped for a check-up that has waited this long, longer the longer it has run: of several processes the one that
/// loses least acts first.
const SERVICE_PATIENCE: Duration = Duration::from_secs(1);
const MOST_MORE_PATIENCE: Duration = Duration::from_secs(2);
/// A service that was stopped this often runs to its end, one at a time.
const MOST_YIELDS: i32 = 3;

/// Polling period for jobs that may replace a running one.
const WATCHFUL: Duration = Duration::from_millis(250);
/// Polling period for any job, which grows while there are none: a queued job wakes the processes.
pub(super) const PERIOD: Duration = Duration::from_secs(1);

/// Job slots of this process; clones share them.
#[derive(Clone)]
pub(crate) struct Slots {
    all: usize,
    inside: Arc<Mutex<Vec<Inside>>>,
    /// A job that replaces another starts when that one has ended.
    places: Arc<Semaphore>,
}

struct Inside {
    id: String,
    owner: String,
    kind: Kind,
    priority: Priority,
    yields: i32,
    is_long: bool,
    since: Instant,
    stop: Stop,
}

impl Inside {
    /// Stopped at once. A thumbnail that was moved up among the services is still a picture.
    fn gives_way(&self) -> bool {
        self.priority.gives_way() || self.kind == Kind::Thumbnail
    }
}

/// The job that is stopped for another one, of those that fill all slots.
fn replaceable(inside: &[Inside]) -> Option<&Inside> {
    // One at a time: the next job is stopped when the last one has left.
    if inside.iter().any(|one| one.stop.yielding.is_cancelled()) {
        return None;
    }
    let last = |of: &dyn Fn(&Inside) -> bool| {
        let found = inside.iter().filter(|one| of(one));
        found.max_by_key(|one| one.since)
    };
    if let Some(picture) = last(&Inside::gives_way) {
        return Some(picture);
    }
    let is_check = |one: &Inside| one.kind == Kind::Check;
    if inside.iter().any(is_check) {
        // Where one owner has several, all but the first give way to another owner's; services are left alone.
        return last(&|one| {
            let mut checks = inside.iter().filter(|other| is_check(other));
            is_check(one) && checks.any(|first| first.owner == one.owner && first.since < one.since)
        });
    }
    // One that was stopped often runs to its end; if several were, the first of them.
    let tired = inside.iter().filter(|one| one.yields >= MOST_YIELDS);
    let spared = tired.min_by_key(|one| one.since).map(|one| one.id.as_str());
    last(&|one| Some(one.id.as_str()) != spared)
}

/// Asks a running job to stop.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    /// The job is lost, the process is shutting down, or another job goes first.
    pub any: CancellationToken,
    /// Another job goes first.
    pub yielding: CancellationToken,
}

/// What to ask the queue for, which running job to replace, and when to ask again if there is nothing.
#[derive(Debug, PartialEq)]
pub(crate) struct Vacancy {
    pub offer: Option<Offer>,
    pub instead_of: Option<String>,
    /// `None`: after the ordinary period.
    pub again: Option<Duration>,
    /// How long to leave a newly queued job to other processes.
    pub pause: Duration,
}

/// A job's slot; freed when dropped.
pub(crate) struct Place {
    slots: Slots,
    id: String,
}

impl Slots {
    pub(crate) fn new(workers: usize) -> Self {
        let all = workers.max(1);
        Self {
            all,
            inside: Arc::default(),
            places: Arc::new(Semaphore::new(all)),
        }
    }

    fn inside(&self) -> MutexGuard<'_, Vec<Inside>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn vacancy(&self, now: Instant) -> Vacancy {
        let inside = self.inside();
        if inside.len() < self.all {
            return Vacancy {
                offer: Some(self.free_offer(&inside)),
                instead_of: None,
                again: None,
                pause: Duration::ZERO,
            };
        }
        let Some(least) = replaceable(&inside) else {
            return Vacancy {
                offer: None,
                instead_of: None,
                again: None,
                pause: Duration::ZERO,
            };
        };
        let is_check = least.kind == Kind::Check;
        let waited = match least.gives_way() {
            true => PICTURE_PATIENCE,
            false => {
                let ran = now.saturating_duration_since(least.since);
                SERVICE_PATIENCE + (ran / 10).min(MOST_MORE_PATIENCE)
            }
        };
        let others = inside.iter().filter(|one| one.id != least.id);
        Vacancy {
            offer: Some(Offer {
                before: Some(if is_check {
                    Priority::Service
                } else {
                    least.priority
                }),
                waited,
                without_long: self.keeps_last(others),
                not_of: is_check.then(|| least.owner.clone()),
            }),
            instead_of: Some(least.id.clone()),
            again: Some(WATCHFUL),
            pause: match least.gives_way() {
                true => PICTURE_PATIENCE,
                false => Duration::ZERO,
            },
        }
    }

    /// Whether one more job that may take an hour would hold the last slot: one is kept for quick jobs.
    fn keeps_last<'a>(&self, inside: impl Iterator<Item = &'a Inside>) -> bool {
        self.all > 1 && inside.filter(|one| one.is_long).count() + 1 >= self.all
    }

    fn free_offer(&self, inside: &[Inside]) -> Offer {
        let count = |which: fn(&Inside) -> bool| inside.iter().filter(|one| which(one)).count();
        // One picture at a time: it uses all cores.
        let drawing = count(|one| one.priority.is_preview() || one.kind == Kind::Thumbnail) > 0;
        // The same for jobs that give way to all others, so that a slot stays free for those.
        let last = count(|one| one.priority == Priority::Last) > 0;
        Offer {
            before: match drawing {
                true => Some(Priority::Thumbnail),
                false => last.then_some(Priority::Last),
            },
            waited: Duration::ZERO,
            without_long: self.keeps_last(inside.iter()),
            not_of: None,
        }
    }

    /// Registers a claimed job; stops the one it replaces.
    pub(crate) fn enter(&self, job: &job::Model, instead_of: Option<&str>, stop: Stop) -> Place {
        let mut inside = self.inside();
        if let Some(one) = inside
            .iter()
            .find(|one| Some(one.id.as_str()) == instead_of)
        {
            one.stop.yielding.cancel();
            one.stop.any.cancel();
        }
        inside.push(Inside {
            id: job.id.clone(),
            owner: job.owner.clone(),
            kind: job.kind,
            priority: job.priority,
            yields: job.yields,
            is_long: job.is_long,
            since: Instant::now(),
            stop,
        });
        Place {
            slots: self.clone(),
            id: job.id.clone(),
        }
    }

    /// Waits for a free slot.
    pub(crate) async fn begin(&self) -> Option<SemaphorePermit<'_>> {
        self.places.acquire().await.ok()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.slots.inside().retain(|one| one.id != self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entity::job::State;

    fn job(id: &str, kind: Kind, yields: i32) -> job::Model {
        job::Model {
            id: id.to_owned(),
            kind,
            owner: "u1".to_owned(),
            file_id: "f1".to_owned(),
            result_id: String::new(),
            state: State::Running,
            attempts: 1,
            lease: "l1".to_owned(),
            lease_until: 0,
            created_at: 0,
            updated_at: 0,
            traceparent: String::new(),
            priority: kind.priority(),
            turn: 0,
            ready_at: 0,
            put_off_at: 0,
            yields,
            error: String::new(),
            is_long: kind == Kind::Tile,
        }
    }

    /// Registers a job; it leaves when the result is dropped.
    fn enter(slots: &Slots, id: &str, kind: Kind) -> Place {
        slots.enter(&job(id, kind, 0), None, Stop::default())
    }

    fn looks_for(slots: &Slots) -> (Option<Priority>, Option<String>) {
        let found = slots.vacancy(Instant::now());
        (found.offer.and_then(|o| o.before), found.instead_of)
    }

    #[test]
    fn pictures_give_way_to_everything_and_are_drawn_one_at_a_time() {
        let slots = Slots::new(2);
        let _turning = enter(&slots, "t", Kind::Turntable);
        assert_eq!(looks_for(&slots), (Some(Priority::Thumbnail), None));
        let _service = enter(&slots, "s", Kind::Lightweight);
        let instead = Some("t".to_owned());
        assert_eq!(looks_for(&slots), (Some(Priority::Turntable), instead));
        let one = Slots::new(1);
        let _picture = enter(&one, "p", Kind::Thumbnail);
        let instead = Some("p".to_owned());
        assert_eq!(looks_for(&one), (Some(Priority::Thumbnail), instead));
    }

    #[test]
    fn who_gives_way_leaves_a_place_and_is_stopped_for_everything() {
        let last = |id: &str| job::Model {
            priority: Kind::Showcase.priority().of_last(),
            ..job(id, Kind::Showcase, MOST_YIELDS)
        };
        let slots = Slots::new(2);
        let _making = slots.enter(&last("l"), None, Stop::default());
        assert_eq!(looks_for(&slots), (Some(Priority::Last), None));
        let _turning = enter(&slots, "t", Kind::Turntable);
        let instead = Some("l".to_owned());
        // A long showcase would never end if each picture stopped it.
        let picture = Some("t".to_owned());
        assert_eq!(looks_for(&slots), (Some(Priority::Turntable), picture));
        let one = Slots::new(1);
        let _making = one.enter(&last("l"), None, Stop::default());
        assert_eq!(looks_for(&one), (Some(Priority::Last), instead));
        let vacancy = one.vacancy(Instant::now());
        assert_eq!(vacancy.offer.unwrap().waited, PICTURE_PATIENCE);
    }

    #[test]
    fn the_service_that_began_last_gives_way_to_one_check_up() {
        let slots = Slots::new(2);
        let _first = enter(&slots, "s1", Kind::Lightweight);
        let second = enter(&slots, "s2", Kind::Convert);
        let vacancy = slots.vacancy(Instant::now());
        assert_eq!(vacancy.instead_of.as_deref(), Some("s2"));
        let offer = vacancy.offer.unwrap();
        assert_eq!(offer.before, Some(Priority::Service));
        assert!(offer.waited >= SERVICE_PATIENCE);
        // The longer a job has run, the longer it is spared.
        let later = slots.vacancy(Instant::now() + Duration::from_secs(3600));
        let most = SERVICE_PATIENCE + MOST_MORE_PATIENCE;
        assert_eq!(later.offer.unwrap().waited, most);
        let stop = slots.inside()[1].stop.clone();
        let check = job("c1", Kind::Check, 0);
        let _check = slots.enter(&check, Some("s2"), Stop::default());
        assert!(stop.yielding.is_cancelled() && stop.any.is_cancelled());
        assert_eq!(slots.vacancy(Instant::now()).offer, None, "one is leaving");
        drop(second);
        assert_eq!(slots.vacancy(Instant::now()).offer, None, "a check-up runs");
    }

    #[test]
    fn a_service_that_was_stopped_often_and_a_check_up_run_to_their_end() {
        let slots = Slots::new(1);
        let tired = job("s", Kind::Lightweight, MOST_YIELDS);
        let place = slots.enter(&tired, None, Stop::default());
        assert_eq!(slots.vacancy(Instant::now()).offer, None);
        drop(place);
        let _check = enter(&slots, "c", Kind::Check);
        assert_eq!(slots.vacancy(Instant::now()).offer, None);
    }

    #[test]
    fn of_services_that_were_stopped_often_one_is_spared() {
        let slots = Slots::new(2);
        let tired = |id: &str| job(id, Kind::Lightweight, MOST_YIELDS);
        let first = slots.enter(&tired("s1"), None, Stop::default());
        let _second = slots.enter(&tired("s2"), None, Stop::default());
        assert_eq!(looks_for(&slots).1.as_deref(), Some("s2"));
        drop(first);
        let _third = enter(&slots, "s3", Kind::Convert);
        assert_eq!(looks_for(&slots).1.as_deref(), Some("s3"));
    }

    #[test]
    fn check_ups_of_one_owner_leave_a_slot_to_those_of_others() {
        let slots = Slots::new(2);
        let first = enter(&slots, "c1", Kind::Check);
        let second = enter(&slots, "c2", Kind::Check);
        let vacancy = slots.vacancy(Instant::now());
        assert_eq!(vacancy.instead_of.as_deref(), Some("c2"));
        let offer = vacancy.offer.unwrap();
        assert_eq!(offer.not_of.as_deref(), Some("u1"));
        assert_eq!(offer.before, Some(Priority::Service));
        assert!(offer.waited >= SERVICE_PATIENCE);
        drop(second);
        let other = job::Model {
            owner: "u2".to_owned(),
            ..job("c3", Kind::Check, 0)
        };
        let _other = slots.enter(&other, None, Stop::default());
        assert_eq!(slots.vacancy(Instant::now()).offer, None, "one of each");
        drop(first);
        let _service = enter(&slots, "s", Kind::Lightweight);
        assert_eq!(slots.vacancy(Instant::now()).offer, None);
    }

    #[test]
    fn no_second_long_job_takes_the_place_of_one_that_is_stopped() {
        let slots = Slots::new(2);
        let _long = enter(&slots, "t", Kind::Tile);
        let _service = enter(&slots, "s", Kind::Lightweight);
        let vacancy = slots.vacancy(Instant::now());
        assert_eq!(vacancy.instead_of.as_deref(), Some("s"));
        assert!(vacancy.offer.unwrap().without_long);
    }

    #[test]
    fn a_thumbnail_that_was_moved_up_gives_way_to_a_check_up() {
        let moved = job::Model {
            priority: Priority::Service,
            ..job("t", Kind::Thumbnail, MOST_YIELDS)
        };
        let slots = Slots::new(1);
        let _drawn = slots.enter(&moved, None, Stop::default());
        let vacancy = slots.vacancy(Instant::now());
        assert_eq!(vacancy.instead_of.as_deref(), Some("t"));
        let offer = vacancy.offer.unwrap();
        assert_eq!(offer.before, Some(Priority::Service));
        assert_eq!(offer.waited, PICTURE_PATIENCE);
    }

    #[test]
    fn a_check_up_among_the_services_is_not_stopped() {
        let further = job::Model {
            priority: Priority::Service,
            ..job("c", Kind::Check, 0)
        };
        let slots = Slots::new(1);
        let _checking = slots.enter(&further, None, Stop::default());
        assert_eq!(slots.vacancy(Instant::now()).offer, None);
    }

    #[test]
    fn long_jobs_leave_one_place_free() {
        let slots = Slots::new(2);
        let free = |slots: &Slots| slots.vacancy(Instant::now()).offer.unwrap();
        assert!(!free(&slots).without_long);
        let scene = job::Model {
            is_long: true,
            ..job("c", Kind::Check, 0)
        };
        let _scene = slots.enter(&scene, None, Stop::default());
        assert!(free(&slots).without_long);
        assert!(!free(&Slots::new(1)).without_long);
    }
}
