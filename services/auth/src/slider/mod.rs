//! The slider: puzzles whose answer stays here, and the tickets of those who solved one.

use std::sync::Arc;
use std::time::Duration;

use chassis::bus::Bus;
use chassis::{BusinessError, Cache, Clock, ServiceError};
use proto::auth::v1::SliderChallengeReply;
use puzzle::scratch::{Outcome, Shield};
use puzzle::track::Sample;
use puzzle::{picture, scratch, track};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::config::SliderConfig;
use crate::secret;

/// Life of a puzzle.
const LIFE: Duration = Duration::from_secs(120);
/// Life of a ticket, and of the permission to solve the other check.
const TICKET_LIFE: Duration = Duration::from_secs(300);
/// Pixels the piece may be off.
const TOLERANCE: f64 = 3.0;
/// Failures in a row after which an address is blocked.
const FAILURES: i64 = 6;
/// First block; every further failure doubles it.
const BLOCK_MS: i64 = 60_000;
const LONGEST_BLOCK_MS: i64 = 3_600_000;
const FAILURE_LIFE: Duration = Duration::from_secs(2 * 3600);
/// Puzzles an address gets per minute: drawing one takes a tenth of a second.
const PUZZLES_PER_MINUTE: i64 = 40;
/// Longest solution in bytes.
const SOLUTION_MAX: usize = 16 * 1024;

/// Result of a verification: the codes of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// The piece is elsewhere, or the shield is not uncovered.
    Missed,
    /// Right, but not the way a person does it: another check is wanted.
    Another,
    /// Too many failures from this address.
    Blocked,
    /// The puzzle is unknown, used or too old.
    Expired,
}

impl Verdict {
    pub fn code(self) -> i32 {
        match self {
            Self::Passed => 100,
            Self::Missed => 400,
            Self::Another => 600,
            Self::Blocked => 800,
            Self::Expired => 900,
        }
    }
}

/// What is remembered of a puzzle.
#[derive(Serialize, Deserialize)]
struct Kept {
    answer: Answer,
    expires_at: i64,
}

#[derive(Serialize, Deserialize)]
enum Answer {
    Slide { x: i32 },
    Scratch(Shield),
}

/// A pass that has not been redeemed.
#[derive(Serialize, Deserialize)]
struct Ticket {
    remote_addr: String,
    expires_at: i64,
}

#[derive(Deserialize)]
struct Solution {
    id: String,
    #[serde(default)]
    x: Option<f64>,
    #[serde(default)]
    track: Vec<Sample>,
    #[serde(default)]
    strokes: Vec<Vec<Sample>>,
}

/// Makes and judges puzzles. What it remembers lies in the cache: losing it costs a person one more puzzle.
#[derive(Clone)]
pub struct Slider {
    cache: Cache,
    clock: Clock,
    /// Where the answers are told, on installations for trying things out.
    reveal: Option<Bus>,
    drawing: Arc<Semaphore>,
}

impl Slider {
    pub fn new(cache: &Cache, clock: Clock, config: &SliderConfig, reveal: Option<Bus>) -> Self {
        Self {
            cache: cache.scoped("auth:slider"),
            clock,
            reveal,
            drawing: Arc::new(Semaphore::new(config.concurrent.clamp(1, 64))),
        }
    }

    /// Makes a puzzle. The kind scratch is made only after a slide was right but moved oddly (result 600); whoever asks
    /// for it without that gets a slide: it is the easier one for a script.
    pub async fn challenge(
        &self,
        kind: &str,
        remote_addr: &str,
    ) -> Result<SliderChallengeReply, ServiceError> {
        let wants_scratch = match kind {
            "" | "slide" => false,
            "scratch" => true,
            _ => return Err(BusinessError::invalid("验证类型不正确").into()),
        };
        let minute = Duration::from_secs(60);
        let name = format!("made:{remote_addr}");
        if self.cache.count(&name, minute).await? > PUZZLES_PER_MINUTE {
            return Err(BusinessError::invalid("操作太频繁，请稍后再试").into());
        }
        if wants_scratch && self.another_is_open(remote_addr).await? {
            return self.scratch_challenge().await;
        }
        self.slide_challenge().await
    }

    async fn slide_challenge(&self) -> Result<SliderChallengeReply, ServiceError> {
        let puzzle = self.draw(|| picture::draw(&mut rand::rng())).await?;
        let reply = SliderChallengeReply {
            id: secret::id(),
            kind: "slide".to_owned(),
            width: picture::WIDTH as i32,
            height: picture::HEIGHT as i32,
            background: puzzle.background,
            piece: puzzle.piece,
            piece_width: picture::PIECE_WIDTH as i32,
            piece_height: picture::PIECE_HEIGHT as i32,
            piece_y: puzzle.y,
            expires_at: self.clock.now_ms() + LIFE.as_millis() as i64,
        };
        self.keep(&reply, Answer::Slide { x: puzzle.x }).await?;
        self.tell(&reply, serde_json::json!({"x": puzzle.x}));
        Ok(reply)
    }

    async fn scratch_challenge(&self) -> Result<SliderChallengeReply, ServiceError> {
        let (shield, background) = self
            .draw(|| {
                let shield = Shield::random(&mut rand::rng());
                let background = scratch::draw(&mut rand::rng(), &shield)?;
                Ok((shield, background))
            })
            .await?;
        let reply = SliderChallengeReply {
            id: secret::id(),
            kind: "scratch".to_owned(),
            width: picture::WIDTH as i32,
            height: picture::HEIGHT as i32,
            background,
            expires_at: self.clock.now_ms() + LIFE.as_millis() as i64,
            ..SliderChallengeReply::default()
        };
        let strokes = shield.solution();
        self.keep(&reply, Answer::Scratch(shield)).await?;
        self.tell(&reply, serde_json::json!({"strokes": strokes}));
        Ok(reply)
    }

    async fn draw<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let turn = self.drawing.clone().acquire_owned().await;
        let turn = turn.map_err(|_| ServiceError::Unavailable("slider"))?;
        let task = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        let drawn = task
            .await
            .map_err(|error| ServiceError::Internal(error.into()))?;
        Ok(drawn?)
    }

    async fn keep(&self, reply: &SliderChallengeReply, answer: Answer) -> Result<(), ServiceError> {
        let kept = Kept {
            answer,
            expires_at: reply.expires_at,
        };
        self.put(&format!("puzzle:{}", reply.id), &kept, LIFE).await
    }

    fn tell(&self, reply: &SliderChallengeReply, answer: serde_json::Value) {
        let Some(bus) = &self.reveal else {
            return;
        };
        let mut message = serde_json::json!({
            "type": "SLIDER",
            "id": reply.id,
            "kind": reply.kind,
            "width": reply.width,
            "height": reply.height,
            "pieceY": reply.piece_y,
            "background": reply.background,
            "piece": reply.piece,
            "expiresAt": reply.expires_at,
        });
        if let (Some(message), Some(answer)) = (message.as_object_mut(), answer.as_object()) {
            for (name, value) in answer {
                message.insert(name.clone(), value.clone());
            }
        }
        bus.push("#sandbox", message.to_string());
    }

    /// Judges a solution. The puzzle is used up by it, whatever comes of it.
    pub async fn verify(&self, text: &str, remote_addr: &str) -> Result<Verdict, ServiceError> {
        if self.is_blocked(remote_addr).await? {
            return Ok(Verdict::Blocked);
        }
        let Some(solution) = parse(text) else {
            return Err(BusinessError::invalid("验证数据不正确，请重新验证").into());
        };
        let name = format!("puzzle:{}", solution.id);
        let Some(kept) = self.take::<Kept>(&name).await? else {
            return Ok(Verdict::Expired);
        };
        if kept.expires_at <= self.clock.now_ms() {
            return Ok(Verdict::Expired);
        }
        let verdict = match &kept.answer {
            Answer::Slide { x } => judge_slide(*x, &solution),
            Answer::Scratch(shield) => self.judge_scratch(shield, &solution, remote_addr).await?,
        };
        match verdict {
            Verdict::Passed => self.pass(&solution.id, remote_addr).await?,
            _ => self.failed(remote_addr).await?,
        }
        if verdict == Verdict::Another {
            self.open_another(remote_addr).await?;
        }
        Ok(verdict)
    }

    async fn judge_scratch(
        &self,
        shield: &Shield,
        solution: &Solution,
        remote_addr: &str,
    ) -> Result<Verdict, ServiceError> {
        match shield.judge(&solution.strokes) {
            Outcome::NotUncovered => Ok(Verdict::Missed),
            Outcome::TooFast => Ok(Verdict::Another),
            // The permission is good for one pass.
            Outcome::Uncovered => {
                let open = self.take::<i64>(&format!("another:{remote_addr}")).await?;
                match open {
                    Some(until) if until > self.clock.now_ms() => Ok(Verdict::Passed),
                    _ => Ok(Verdict::Expired),
                }
            }
        }
    }

    async fn another_is_open(&self, remote_addr: &str) -> Result<bool, ServiceError> {
        let until: Option<i64> = self.read(&format!("another:{remote_addr}")).await?;
        Ok(until.is_some_and(|until| until > self.clock.now_ms()))
    }

    async fn open_another(&self, remote_addr: &str) -> Result<(), ServiceError> {
        let until = self.clock.now_ms() + TICKET_LIFE.as_millis() as i64;
        self.put(&format!("another:{remote_addr}"), &until, TICKET_LIFE)
            .await
    }

    async fn pass(&self, id: &str, remote_addr: &str) -> Result<(), ServiceError> {
        let ticket = Ticket {
            remote_addr: remote_addr.to_owned(),
            expires_at: self.clock.now_ms() + TICKET_LIFE.as_millis() as i64,
        };
        self.put(&format!("ticket:{id}"), &ticket, TICKET_LIFE)
            .await?;
        self.put(&format!("pass:{remote_addr}"), &id, TICKET_LIFE)
            .await?;
        self.cache
            .remove(&format!("failures:{remote_addr}"))
            .await?;
        Ok(())
    }

    async fn failed(&self, remote_addr: &str) -> Result<(), ServiceError> {
        let name = format!("failures:{remote_addr}");
        let failures = self.cache.count(&name, FAILURE_LIFE).await?;
        if failures < FAILURES {
            return Ok(());
        }
        let doublings = (failures - FAILURES).clamp(0, 10);
        let length = (BLOCK_MS << doublings).min(LONGEST_BLOCK_MS);
        let until = self.clock.now_ms() + length;
        let life = Duration::from_millis(length.unsigned_abs());
        self.put(&format!("block:{remote_addr}"), &until, life)
            .await
    }

    async fn is_blocked(&self, remote_addr: &str) -> Result<bool, ServiceError> {
        let until: Option<i64> = self.read(&format!("block:{remote_addr}")).await?;
        Ok(until.is_some_and(|until| until > self.clock.now_ms()))
    }

    /// Uses up a ticket: of several callers at once one succeeds. It is good only for the address that solved the puzzle.
    pub async fn redeem(&self, ticket: &str, remote_addr: &str) -> Result<bool, ServiceError> {
        if ticket.is_empty() || ticket.len() > 64 {
            return Ok(false);
        }
        let name = format!("ticket:{ticket}");
        // Looked at first: a stranger who tries it does not use it up.
        let Some(found) = self.read::<Ticket>(&name).await? else {
            return Ok(false);
        };
        if found.remote_addr != remote_addr || found.expires_at <= self.clock.now_ms() {
            return Ok(false);
        }
        Ok(self.take::<Ticket>(&name).await?.is_some())
    }

    /// Uses up the address's last pass, for clients that cannot send a ticket.
    pub async fn redeem_pass(&self, remote_addr: &str) -> Result<bool, ServiceError> {
        match self.take::<String>(&format!("pass:{remote_addr}")).await? {
            Some(ticket) => self.redeem(&ticket, remote_addr).await,
            None => Ok(false),
        }
    }

    async fn put(
        &self,
        name: &str,
        value: &impl Serialize,
        life: Duration,
    ) -> Result<(), ServiceError> {
        let bytes = serde_json::to_vec(value).map_err(|e| ServiceError::Internal(e.into()))?;
        Ok(self.cache.put(name, &bytes, life).await?)
    }

    async fn read<T: for<'a> Deserialize<'a>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, ServiceError> {
        Ok(self
            .cache
            .get(name)
            .await?
            .and_then(|b| serde_json::from_slice(&b).ok()))
    }

    async fn take<T: for<'a> Deserialize<'a>>(
        &self,
        name: &str,
    ) -> Result<Option<T>, ServiceError> {
        Ok(self
            .cache
            .take(name)
            .await?
            .and_then(|b| serde_json::from_slice(&b).ok()))
    }
}

fn parse(text: &str) -> Option<Solution> {
    if text.len() > SOLUTION_MAX {
        return None;
    }
    let solution: Solution = serde_json::from_str(text).ok()?;
    (!solution.id.is_empty() && solution.id.len() <= 64).then_some(solution)
}

fn judge_slide(x: i32, solution: &Solution) -> Verdict {
    let Some(given) = solution.x else {
        return Verdict::Missed;
    };
    // Written so that NaN misses.
    let hits = (given - f64::from(x)).abs() <= TOLERANCE;
    if !hits {
        return Verdict::Missed;
    }
    if !track::is_plausible(&solution.track, given) {
        return Verdict::Another;
    }
    Verdict::Passed
}
