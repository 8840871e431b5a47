//! The service as a program starts it, and its commands for operators.

use chassis::Context;
use clap::{ArgMatches, Args, FromArgMatches, Subcommand, ValueEnum};

use crate::entity::attempt::State;
use crate::entity::{attempt, misfit, refund};
use crate::misfit::Ending;
use crate::operator::{self, AttemptReport, Decision, Verdict};
use crate::owed::Back;

/// Rows shown at most.
const MOST_SHOWN: u64 = 1000;

#[derive(Subcommand)]
enum Command {
    /// Gives cloud coins to a user, booked against the platform's promotion account. The same key gives once.
    Grant {
        /// Login id.
        #[arg(long)]
        owner: String,
        /// Cents.
        #[arg(long)]
        cents: i64,
        #[arg(long)]
        key: String,
    },
    /// Checks the ledger's invariants over all rows; ends with 1 when one does not hold. The audit over all services and
    /// the provider's books is scripts/auditor.
    Audit,
    /// Lists attempts that need looking at: unknown and conflicted ones unless said otherwise, oldest first.
    Attempts {
        /// created, submitted, unknown, succeeded, failed, closed, conflicted; may be repeated.
        #[arg(long, value_parser = state)]
        state: Vec<State>,
        #[arg(long)]
        json: bool,
    },
    /// Shows an attempt, its refunds, and what operators decided about it.
    Attempt {
        id: String,
        #[arg(long)]
        json: bool,
    },
    /// Ends a conflicted attempt after an operator has checked the channel's books.
    Settle {
        id: String,
        /// accept: the channel has taken exactly what was asked for; return: what it has taken goes back.
        #[arg(long, value_name = "WAY")]
        by: Decide,
        /// Cents that the channel has taken, with return; 0: nothing.
        #[arg(long, required_if_eq("by", "return"))]
        cents: Option<i64>,
        #[command(flatten)]
        who: Who,
    },
    /// Lists refunds whose channel was asked and has not made them, or refuses them, oldest first.
    Refunds {
        /// created, submitted, unknown, succeeded; may be repeated. Submitted and unknown ones unless said otherwise.
        #[arg(long, value_parser = refund_state)]
        state: Vec<refund::State>,
        #[arg(long)]
        json: bool,
    },
    /// Ends a submitted or unknown refund after an operator has checked the channel's books.
    EndRefund {
        id: String,
        /// channel: its books show the money as given back; coins: the payer gets cloud coins instead, and the channel is
        /// not asked any more.
        #[arg(long, value_name = "WAY")]
        by: RefundTo,
        #[command(flatten)]
        who: Who,
    },
    /// Lists unreviewed notices of money that matches no payment, oldest first.
    Notices {
        /// Those that were ended too.
        #[arg(long)]
        all: bool,
        #[arg(long)]
        json: bool,
    },
    /// Ends such a notice with a note of what came of it.
    EndNotice {
        id: String,
        /// nothing: no money is to be booked; return: what the channel has taken beyond what is booked goes back.
        #[arg(long, value_name = "WAY", default_value = "nothing")]
        by: EndBy,
        /// Cents that the channel has taken beyond what is booked, with return.
        #[arg(long, required_if_eq("by", "return"))]
        cents: Option<i64>,
        #[command(flatten)]
        who: Who,
    },
    /// Encrypts the key of each bank card under the current master key, so that former ones can be removed.
    RewrapCards,
    /// Gives money of a delivered order back to the payer. What was delivered stays delivered.
    Refund {
        id: String,
        #[arg(long)]
        cents: i64,
        /// 1 to 32 letters and digits; the same number refunds once.
        #[arg(long)]
        number: String,
        #[command(flatten)]
        who: Who,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Decide {
    Accept,
    Return,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum EndBy {
    Nothing,
    Return,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RefundTo {
    Channel,
    Coins,
}

#[derive(Args)]
struct Who {
    /// Your name, for the log.
    #[arg(long, env = "USER")]
    operator: String,
    /// Why, for the log and the channel.
    #[arg(long)]
    reason: String,
}

impl Who {
    fn decides(self, subject: &str) -> Decision {
        Decision {
            operator: self.operator,
            subject: subject.to_owned(),
            reason: self.reason,
        }
    }
}

fn state(name: &str) -> Result<State, String> {
    State::of(name).ok_or_else(|| format!("{name} is no state of an attempt"))
}

fn refund_state(name: &str) -> Result<refund::State, String> {
    refund::State::of(name).ok_or_else(|| format!("{name} is no state of a refund"))
}

chassis::module!(
    "Payment attempts and their channels, refunds, and the ledger",
    crate::NAME,
    crate::DEFAULTS,
    crate::migrate,
    crate::start,
    {
        fn commands(&self, command: clap::Command) -> clap::Command {
            Command::augment_subcommands(command)
        }

        async fn operate(&self, context: &Context, arguments: &ArgMatches) -> anyhow::Result<()> {
            by_hand(context, Command::from_arg_matches(arguments)?).await
        }
    }
);

async fn by_hand(context: &Context, command: Command) -> anyhow::Result<()> {
    let payment = operator::open(context)?;
    match command {
        Command::Grant { owner, cents, key } => {
            let given = crate::admin::grant(context, &owner, cents, &key).await?;
            println!("{}", if given { "given" } else { "was given before" });
        }
        Command::RewrapCards => {
            let renewed = payment.rewrap_cards().await?;
            println!("{renewed} cards have their key under the current master key");
        }
        Command::Audit => {
            let findings = crate::ledger::audit::findings(&context.db).await?;
            for finding in &findings {
                println!("{finding}");
            }
            anyhow::ensure!(findings.is_empty(), "the ledger is not sound");
            println!("sound");
        }
        Command::Attempts { state, json } => {
            let states = match state.is_empty() {
                true => vec![State::Unknown, State::Conflicted],
                false => state,
            };
            let found = payment.attempts_in(&states, MOST_SHOWN).await?;
            match json {
                true => println!("{}", serde_json::to_string_pretty(&found)?),
                false => list(&found),
            }
        }
        Command::Attempt { id, json } => {
            let shown = payment.show(&id).await?;
            match json {
                true => println!("{}", serde_json::to_string_pretty(&shown)?),
                false => show(&shown),
            }
        }
        Command::Settle { id, by, cents, who } => {
            let verdict = match by {
                Decide::Accept => Verdict::Accept,
                Decide::Return => Verdict::Return(cents.unwrap_or_default()),
            };
            payment.settle(&who.decides(&id), verdict).await?;
            println!("settled");
        }
        Command::Refunds { state, json } => {
            let states = match state.is_empty() {
                true => vec![refund::State::Submitted, refund::State::Unknown],
                false => state,
            };
            let found = payment.refunds_in(&states, MOST_SHOWN).await?;
            match json {
                true => println!("{}", serde_json::to_string_pretty(&found)?),
                false => list_refunds(&found),
            }
        }
        Command::EndRefund { id, by, who } => {
            let back = match by {
                RefundTo::Channel => Back::Channel,
                RefundTo::Coins => Back::Coins,
            };
            payment.end_refund(&who.decides(&id), back).await?;
            println!("ended");
        }
        Command::Notices { all, json } => {
            let found = payment.misfits(all, MOST_SHOWN).await?;
            match json {
                true => println!("{}", serde_json::to_string_pretty(&found)?),
                false => list_notices(&found),
            }
        }
        Command::EndNotice { id, by, cents, who } => {
            let ending = match by {
                EndBy::Nothing => Ending::Nothing,
                EndBy::Return => Ending::Return(cents.unwrap_or_default()),
            };
            payment.end_misfit(&who.decides(&id), ending).await?;
            println!("ended");
        }
        Command::Refund {
            id,
            cents,
            number,
            who,
        } => {
            let made = payment.refund(&who.decides(&id), &number, cents).await?;
            println!(
                "{}",
                if made {
                    "refunded"
                } else {
                    "was refunded before"
                }
            );
        }
    }
    Ok(())
}

fn list(attempts: &[attempt::Model]) {
    println!(
        "{:<32}  {:<10}  {:<13}  {:>10}  {:>10}  {:<32}  reason",
        "attempt", "state", "channel", "payable", "captured", "order"
    );
    for a in attempts {
        println!(
            "{:<32}  {:<10}  {:<13}  {:>10}  {:>10}  {:<32}  {}",
            a.id, a.state, a.channel, a.payable, a.captured, a.order_id, a.reason
        );
    }
    println!("{} attempts", attempts.len());
}

fn list_refunds(refunds: &[refund::Model]) {
    println!(
        "{:<32}  {:<9}  {:<9}  {:>10}  {:>5}  {:<32}  channel says",
        "refund", "state", "channel", "amount", "tries", "attempt"
    );
    for r in refunds {
        println!(
            "{:<32}  {:<9}  {:<9}  {:>10}  {:>5}  {:<32}  {}",
            r.id, r.state, r.channel, r.amount, r.tries, r.attempt_id, r.told
        );
    }
    println!("{} refunds", refunds.len());
}

fn list_notices(notices: &[misfit::Model]) {
    println!(
        "{:<32}  {:<9}  {:<32}  {:<13}  why",
        "notice", "channel", "payment", "time (ms)"
    );
    for n in notices {
        println!(
            "{:<32}  {:<9}  {:<32}  {:<13}  {}",
            n.id, n.channel, n.number, n.created_at, n.why
        );
        if n.ended_at.is_some() {
            println!("{:<32}  ended by {}: {}", "", n.ended_by, n.note);
        }
    }
    println!("{} notices", notices.len());
}

fn show(shown: &AttemptReport) {
    list(std::slice::from_ref(&shown.attempt));
    let a = &shown.attempt;
    println!(
        "owner {}, order number {}, provider's number {}, refunded {}, money {}",
        a.owner,
        or_none(&a.order_no),
        or_none(&a.provider_no),
        a.refunded,
        or_none(a.disposition.name())
    );
    for r in &shown.refunds {
        println!(
            "refund {}: {} cents, {}, {}",
            r.id, r.amount, r.state, r.reason
        );
    }
    for n in &shown.notices {
        let open = if n.ended_at.is_some() {
            "ended"
        } else {
            "open"
        };
        println!("notice {}: {open}, {}", n.id, n.why);
    }
    for l in &shown.log {
        println!(
            "{} by {}: {} cents, {}",
            l.action, l.operator, l.amount, l.reason
        );
    }
}

fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}
