//! The slider: puzzles whose answer stays on the server, and tickets for those solved.

use std::sync::Arc;
use std::time::Duration;

use chassis::bus::Bus;
use chassis::{BusinessError, Cache, Clock, ServiceError};
use proto::auth::v1::{CaptchaMade, CaptchaPoint, CaptchaStroke, SliderChallengeReply};
use puzzle::scratch::{Outcome, Shield};
use puzzle::track::Sample;
use puzzle::{picture, scratch, track};
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use crate::config::SliderConfig;
use crate::entity::sms_code::Purpose;
use crate::secret;

pub(crate) mod questions;
mod verdict;

/// Life of a puzzle.
const LIFE: Duration = Duration::from_secs(120);
/// Life of a question: a screen reader reads it out, maybe twice.
const QUESTION_LIFE: Duration = Duration::from_secs(300);
/// Life of a ticket, and of the permission to solve the other check.
const TICKET_LIFE: Duration = Duration::from_secs(300);
/// Life of a ticket from its first code on: a registration or recovery waits for the SMS and the form.
const FLOW_LIFE: Duration = Duration::from_secs(900);
/// Further codes and forms that a ticket serves in the same registration or recovery.
const FLOW_USES: u8 = 6;
/// Pixels the piece may be off.
const TOLERANCE: f64 = 4.0;
/// Failures in a row after which an address is blocked.
const FAILURES: i64 = 6;
/// First block; every further failure doubles it.
const BLOCK_MS: i64 = 60_000;
const LONGEST_BLOCK_MS: i64 = 3_600_000;
const HOUR: Duration = Duration::from_secs(3600);
const FAILURE_LIFE: Duration = Duration::from_secs(2 * 3600);
/// Puzzles an address gets per minute: drawing one takes a tenth of a second.
const PUZZLES_PER_MINUTE: i64 = 40;
/// Longest solution in bytes.
const SOLUTION_MAX: usize = 16 * 1024;

/// Result of a verification: the codes of the contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Passed,
    /// The piece is misplaced, or the shield is not uncovered.
    Missed,
    /// Right, but not moved as by a person: another check is required.
    Another,
    /// Too many failures from this address, or passes.
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

/// The stored state of a puzzle.
#[derive(Serialize, Deserialize)]
struct Kept {
    answer: Answer,
    expires_at: i64,
}

#[derive(Serialize, Deserialize)]
enum Answer {
    Slide { x: i32 },
    Scratch(Shield),
    Question { answer: String },
}

/// What a ticket is redeemed for.
#[derive(Debug, Clone, Copy)]
pub enum Use<'a> {
    Password,
    /// Asking whether an account exists.
    Lookup,
    Code {
        purpose: Purpose,
        phone: &'a str,
    },
    /// The form of a recovery.
    Rebuild {
        phone: &'a str,
    },
}

impl Use<'_> {
    /// Name of the registration or recovery it belongs to: one pass is valid for the whole of it.
    fn flow(&self) -> Option<String> {
        match self {
            Self::Code { purpose, phone } => match purpose {
                Purpose::Register | Purpose::Rebuild => Some(format!("{}:{phone}", purpose.name())),
                Purpose::Login | Purpose::BindPhone | Purpose::Confirm => None,
            },
            Self::Rebuild { phone } => Some(format!("{}:{phone}", Purpose::Rebuild.name())),
            Self::Password | Self::Lookup => None,
        }
    }
}

/// A pass that can be redeemed.
#[derive(Serialize, Deserialize)]
struct Ticket {
    remote_addr: String,
    expires_at: i64,
    /// The registration or recovery it was first redeemed in; it is valid for no other.
    #[serde(default)]
    flow: Option<String>,
    #[serde(default)]
    left: u8,
}

impl Ticket {
    fn serves(&self, remote_addr: &str, what: &Use<'_>, now_ms: i64) -> bool {
        let fits = self.flow.is_none() || (self.flow == what.flow() && self.left > 0);
        fits && self.remote_addr == remote_addr && self.expires_at > now_ms
    }
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
    #[serde(default)]
    answer: String,
}

/// What a page sends before a form.
#[derive(Deserialize)]
#[serde(tag = "scene", rename_all = "lowercase")]
enum Scene {
    Password {
        account: String,
        #[serde(default)]
        device: String,
    },
    Code(CodeForm),
}

/// A form that requests a code.
#[derive(Deserialize)]
pub(crate) struct CodeForm {
    pub phone: String,
    #[serde(default)]
    pub r#type: String,
    #[serde(default)]
    pub ticket: String,
    #[serde(default)]
    pub device: String,
    /// Whether the call will show the account's password, after 60208.
    #[serde(default, rename = "showsPassword")]
    pub shows_password: bool,
}

/// Makes and judges puzzles. Their state is in the cache: losing it costs a user one more puzzle.
#[derive(Clone)]
pub struct Slider {
    cache: Cache,
    clock: Clock,
    /// Where the answers are shown, on trial installations.
    revealed_on: Option<Bus>,
    drawing: Arc<Semaphore>,
    passes_per_address_hour: i64,
    questions_per_address_hour: i64,
    questions_hour: i64,
}

/// What the sandbox shows of all kinds.
fn of(reply: &SliderChallengeReply) -> CaptchaMade {
    CaptchaMade {
        id: reply.id.clone(),
        kind: reply.kind.clone(),
        width: reply.width,
        height: reply.height,
        piece_y: reply.piece_y,
        piece_width: reply.piece_width,
        question: reply.question.clone(),
        background: reply.background.clone(),
        piece: reply.piece.clone(),
        expires_at: reply.expires_at,
        ..CaptchaMade::default()
    }
}

fn stroke(samples: Vec<Sample>) -> CaptchaStroke {
    let points = samples.into_iter();
    CaptchaStroke {
        points: points.map(|(x, y, at)| CaptchaPoint { x, y, at }).collect(),
    }
}

impl Slider {
    pub fn new(cache: &Cache, clock: Clock, config: &SliderConfig, reveal: Option<Bus>) -> Self {
        Self {
            cache: cache.scoped("auth:slider"),
            clock,
            revealed_on: reveal,
            drawing: Arc::new(Semaphore::new(config.concurrent.clamp(1, 64))),
            passes_per_address_hour: config.passes_per_address_hour,
            questions_per_address_hour: config.questions_per_address_hour,
            questions_hour: config.questions_hour,
        }
    }

    /// Makes a puzzle. The kind scratch is made only after a slide was right but moved oddly (result 600); otherwise a slide
    /// is made instead: scratch is easier for a script.
    pub async fn challenge(
        &self,
        kind: &str,
        remote_addr: &str,
    ) -> Result<SliderChallengeReply, ServiceError> {
        let wants_scratch = match kind {
            "" | "slide" => false,
            "scratch" => true,
            "question" => return self.question_challenge(remote_addr).await,
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
            piece_width: picture::PIECE as i32,
            piece_height: picture::PIECE as i32,
            piece_y: picture::height_on(&puzzle.path, 0.0) as i32,
            path: puzzle.path.iter().flat_map(|(x, y)| [*x, *y]).collect(),
            expires_at: self.clock.now_ms() + LIFE.as_millis() as i64,
            question: String::new(),
        };
        self.keep(&reply, Answer::Slide { x: puzzle.x }).await?;
        self.reveal(CaptchaMade {
            x: Some(puzzle.x),
            piece_y: picture::height_on(&puzzle.path, puzzle.x as f32) as i32,
            ..of(&reply)
        });
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
        let strokes = strokes.into_iter().map(stroke).collect();
        self.reveal(CaptchaMade {
            strokes,
            ..of(&reply)
        });
        Ok(reply)
    }

    /// A question in words. The number of questions is what limits programs.
    async fn question_challenge(
        &self,
        remote_addr: &str,
    ) -> Result<SliderChallengeReply, ServiceError> {
        let own = format!("questions:{remote_addr}");
        if self.cache.count(&own, HOUR).await? > self.questions_per_address_hour {
            let message = "文字验证1小时内次数过多，请改用拼图，或1小时后再试";
            return Err(BusinessError::invalid(message).into());
        }
        if self.cache.count("questions", HOUR).await? > self.questions_hour {
            let message = "文字验证暂时用的人太多，请改用拼图，或1小时后再试";
            return Err(BusinessError::invalid(message).into());
        }
        let question = questions::ask(&mut rand::rng());
        let reply = SliderChallengeReply {
            id: secret::id(),
            kind: "question".to_owned(),
            question: question.text,
            expires_at: self.clock.now_ms() + QUESTION_LIFE.as_millis() as i64,
            ..SliderChallengeReply::default()
        };
        let answer = question.answer;
        self.reveal(CaptchaMade {
            answer: answer.clone(),
            ..of(&reply)
        });
        self.keep(&reply, Answer::Question { answer }).await?;
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
        let life = LIFE.max(QUESTION_LIFE);
        self.put(&format!("puzzle:{}", reply.id), &kept, life).await
    }

    fn reveal(&self, made: CaptchaMade) {
        if let Some(bus) = &self.revealed_on {
            bus.notify(&made);
        }
    }

    /// Judges a solution. The puzzle is used up in any case.
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
            Answer::Question { answer } if questions::is_right(answer, &solution.answer) => {
                Verdict::Passed
            }
            Answer::Question { .. } => Verdict::Missed,
            Answer::Scratch(shield) => self.judge_scratch(shield, &solution, remote_addr).await?,
        };
        match verdict {
            Verdict::Passed if self.is_one_too_many(remote_addr).await? => {
                return Ok(Verdict::Blocked);
            }
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
            // The permission is valid for one pass.
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
            flow: None,
            left: FLOW_USES,
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

    /// Counts a pass; the last one of the hour blocks the address. Also of solutions sent all at once no more pass.
    async fn is_one_too_many(&self, remote_addr: &str) -> Result<bool, ServiceError> {
        let name = format!("passed:{remote_addr}");
        let passes = self.cache.count(&name, HOUR).await?;
        if passes >= self.passes_per_address_hour {
            self.block(remote_addr, LONGEST_BLOCK_MS).await?;
        }
        Ok(passes > self.passes_per_address_hour)
    }

    async fn failed(&self, remote_addr: &str) -> Result<(), ServiceError> {
        let name = format!("failures:{remote_addr}");
        let failures = self.cache.count(&name, FAILURE_LIFE).await?;
        if failures < FAILURES {
            return Ok(());
        }
        let doublings = (failures - FAILURES).clamp(0, 10);
        let length = (BLOCK_MS << doublings).min(LONGEST_BLOCK_MS);
        self.block(remote_addr, length).await
    }

    async fn block(&self, remote_addr: &str, length: i64) -> Result<(), ServiceError> {
        let until = self.clock.now_ms() + length;
        let life = Duration::from_millis(length.unsigned_abs());
        self.put(&format!("block:{remote_addr}"), &until, life)
            .await
    }

    pub async fn is_blocked(&self, remote_addr: &str) -> Result<bool, ServiceError> {
        let until: Option<i64> = self.read(&format!("block:{remote_addr}")).await?;
        Ok(until.is_some_and(|until| until > self.clock.now_ms()))
    }

    /// Whether a ticket could be redeemed.
    pub async fn serves(
        &self,
        ticket: &str,
        remote_addr: &str,
        what: &Use<'_>,
    ) -> Result<bool, ServiceError> {
        if ticket.is_empty() || ticket.len() > 64 {
            return Ok(false);
        }
        let found: Option<Ticket> = self.read(&format!("ticket:{ticket}")).await?;
        Ok(found.is_some_and(|found| found.serves(remote_addr, what, self.clock.now_ms())))
    }

    /// Uses a ticket: of concurrent callers one succeeds. It is valid only for the address that solved the puzzle, once;
    /// in a registration or recovery until that is complete.
    pub async fn redeem(
        &self,
        ticket: &str,
        remote_addr: &str,
        what: &Use<'_>,
    ) -> Result<bool, ServiceError> {
        // Checked first: a stranger's try does not use it up.
        if !self.serves(ticket, remote_addr, what).await? {
            return Ok(false);
        }
        let name = format!("ticket:{ticket}");
        let Some(mut found) = self.take::<Ticket>(&name).await? else {
            return Ok(false);
        };
        if let Some(flow) = what.flow() {
            if found.flow.is_none() {
                found.expires_at = self.clock.now_ms() + FLOW_LIFE.as_millis() as i64;
            } else {
                found.left = found.left.saturating_sub(1);
            }
            found.flow = Some(flow);
            self.put(&name, &found, FLOW_LIFE).await?;
        }
        Ok(true)
    }

    /// Uses the address's last pass, for clients that cannot send a ticket.
    pub async fn redeem_pass(
        &self,
        remote_addr: &str,
        what: &Use<'_>,
    ) -> Result<bool, ServiceError> {
        let name = format!("pass:{remote_addr}");
        let Some(ticket) = self.take::<String>(&name).await? else {
            return Ok(false);
        };
        let redeemed = self.redeem(&ticket, remote_addr, what).await?;
        if redeemed && what.flow().is_some() {
            self.put(&name, &ticket, FLOW_LIFE).await?;
        }
        Ok(redeemed)
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
