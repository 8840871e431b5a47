//! 1 and 2: transactions sum to zero, balances are the sums of their entries, nothing available falls below zero.

use std::collections::HashMap;

use chassis::testing::{TestParts, shapes};
use chassis::{Context, db};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use xl_payment::entity::account::Kind;
use xl_payment::entity::ledger_transaction::Book;
use xl_payment::ledger::{self, Account, LedgerError, Posted, Posting, audit, hold};

/// What may be done to the accounts of a few users.
#[derive(Debug, Clone)]
enum Step {
    Grant {
        user: u8,
        cents: i64,
    },
    /// From a user to a seller and the platform, in one transaction.
    Buy {
        user: u8,
        seller: u8,
        cents: i64,
        fee: i64,
    },
    /// The key of an earlier step again, with these cents.
    Repeat {
        back: usize,
        cents: i64,
    },
    Hold {
        user: u8,
        cents: i64,
    },
    Release {
        back: usize,
    },
    Capture {
        back: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        (0..3_u8, 1..5_000_i64).prop_map(|(user, cents)| Step::Grant { user, cents }),
        (0..3_u8, 0..3_u8, 2..4_000_i64, 1..100_i64).prop_map(|(user, seller, cents, fee)| {
            Step::Buy {
                user,
                seller,
                cents,
                fee: fee.min(cents - 1),
            }
        }),
        (0..9_usize, 1..5_000_i64).prop_map(|(back, cents)| Step::Repeat { back, cents }),
        (0..3_u8, 1..4_000_i64).prop_map(|(user, cents)| Step::Hold { user, cents }),
        (0..5_usize).prop_map(|back| Step::Release { back }),
        (0..5_usize).prop_map(|back| Step::Capture { back }),
    ]
}

/// The ledger as it should be, in memory.
#[derive(Default)]
struct Model {
    coin: HashMap<u8, i64>,
    income: HashMap<u8, i64>,
    held: HashMap<u8, i64>,
    /// User and cents of each open hold, `None` once it has ended.
    holds: Vec<Option<(u8, i64)>>,
    grants: Vec<(String, u8, i64)>,
}

struct Play<'a> {
    context: &'a Context,
    case: usize,
    model: Model,
    next: usize,
}

impl Play<'_> {
    fn name(&self, user: u8) -> String {
        format!("c{}u{user}", self.case)
    }

    fn key(&mut self) -> String {
        self.next += 1;
        format!("c{}k{}", self.case, self.next)
    }

    async fn post(&self, key: &str, entries: Vec<(Account, i64)>) -> Result<Posted, LedgerError> {
        let transaction = db::begin_write(&self.context.db).await?;
        let posting = Posting {
            book: Book::Grant,
            key,
            entries,
        };
        let posted = ledger::post(&transaction, &posting, 1).await?;
        transaction.commit().await?;
        Ok(posted)
    }

    fn granting(&self, user: u8, cents: i64) -> Vec<(Account, i64)> {
        let coin = Account::of(Kind::Coin, &self.name(user));
        vec![(Account::platform(Kind::Promotion), -cents), (coin, cents)]
    }

    fn available(&self, user: u8) -> i64 {
        let of = |map: &HashMap<u8, i64>| map.get(&user).copied().unwrap_or_default();
        of(&self.model.coin) - of(&self.model.held)
    }

    async fn take(&mut self, step: &Step) {
        match *step {
            Step::Grant { user, cents } => {
                let key = self.key();
                let posted = self.post(&key, self.granting(user, cents)).await.unwrap();
                assert_eq!(posted, Posted::Now);
                *self.model.coin.entry(user).or_default() += cents;
                self.model.grants.push((key, user, cents));
            }
            Step::Repeat { back, cents } => {
                let grants = &self.model.grants;
                let Some((key, user, known)) = grants.iter().rev().nth(back).cloned() else {
                    return;
                };
                let posted = self.post(&key, self.granting(user, cents)).await;
                match cents == known {
                    true => assert_eq!(posted.unwrap(), Posted::Before),
                    false => assert!(matches!(posted, Err(LedgerError::KeyReused(_)))),
                }
            }
            Step::Buy {
                user,
                seller,
                cents,
                fee,
            } => {
                let key = self.key();
                let entries = vec![
                    (Account::of(Kind::Coin, &self.name(user)), -cents),
                    (Account::of(Kind::Income, &self.name(seller)), cents - fee),
                    (Account::platform(Kind::Revenue), fee),
                ];
                let posted = self.post(&key, entries).await;
                if self.available(user) < cents {
                    assert!(matches!(posted, Err(LedgerError::Insufficient(_))));
                    return;
                }
                assert_eq!(posted.unwrap(), Posted::Now);
                *self.model.coin.entry(user).or_default() -= cents;
                *self.model.income.entry(seller).or_default() += cents - fee;
            }
            Step::Hold { user, cents } => {
                let id = format!("c{}h{}", self.case, self.model.holds.len());
                let account = Account::of(Kind::Coin, &self.name(user));
                let transaction = db::begin_write(&self.context.db).await.unwrap();
                let placed = hold::place(&transaction, &id, &account, cents, 1).await;
                if self.available(user) < cents {
                    assert!(matches!(placed, Err(LedgerError::Insufficient(_))));
                    return;
                }
                assert_eq!(placed.unwrap(), Posted::Now);
                let again = hold::place(&transaction, &id, &account, cents, 1).await;
                assert_eq!(again.unwrap(), Posted::Before);
                transaction.commit().await.unwrap();
                *self.model.held.entry(user).or_default() += cents;
                self.model.holds.push(Some((user, cents)));
            }
            Step::Release { back } => self.end(back, false).await,
            Step::Capture { back } => self.end(back, true).await,
        }
    }

    async fn end(&mut self, index: usize, capture: bool) {
        let Some(known) = self.model.holds.get(index).copied() else {
            return;
        };
        let id = format!("c{}h{index}", self.case);
        let (user, cents) = known.unwrap_or((0, 1));
        let key = self.key();
        let posting = Posting {
            book: Book::Grant,
            key: &key,
            entries: vec![
                (Account::of(Kind::Coin, &self.name(user)), -cents),
                (Account::platform(Kind::Revenue), cents),
            ],
        };
        let transaction = db::begin_write(&self.context.db).await.unwrap();
        let ended = match capture {
            true => hold::capture(&transaction, &id, &posting, 1).await.unwrap(),
            false => hold::release(&transaction, &id, 1).await.unwrap(),
        };
        transaction.commit().await.unwrap();
        assert_eq!(ended, known.is_some());
        if ended {
            *self.model.held.entry(user).or_default() -= cents;
            if capture {
                *self.model.coin.entry(user).or_default() -= cents;
            }
            self.model.holds[index] = None;
        }
    }

    async fn compare(&self) {
        for user in 0..3 {
            let coin = Account::of(Kind::Coin, &self.name(user));
            let income = Account::of(Kind::Income, &self.name(user));
            let db = &self.context.db;
            assert_eq!(
                ledger::available(db, &coin).await.unwrap(),
                self.available(user)
            );
            let earned = self.model.income.get(&user).copied().unwrap_or_default();
            assert_eq!(ledger::available(db, &income).await.unwrap(), earned);
        }
        let findings = audit::findings(&self.context.db).await.unwrap();
        assert!(findings.is_empty(), "{findings:?}");
    }
}

#[tokio::test]
async fn invariants_1_and_2_hold_over_random_histories() {
    for shape in shapes() {
        let test = TestParts::open(shape, &[xl_payment::DEFAULTS], |_| {}).await;
        let context = test
            .migrated::<xl_payment::Migrator>(xl_payment::NAME)
            .await;
        xl_payment::migrate(&context).await.unwrap();
        let mut runner = TestRunner::new(Config::default());
        let histories = prop::collection::vec(step(), 1..40);
        for case in 0..16 {
            let history = histories.new_tree(&mut runner).unwrap().current();
            let mut play = Play {
                context: &context,
                case,
                model: Model::default(),
                next: 0,
            };
            for step in &history {
                play.take(step).await;
                play.compare().await;
            }
        }
        test.finish().await;
    }
}

#[tokio::test]
async fn what_does_not_balance_is_not_booked() {
    for shape in shapes() {
        let test = TestParts::open(shape, &[xl_payment::DEFAULTS], |_| {}).await;
        let context = test
            .migrated::<xl_payment::Migrator>(xl_payment::NAME)
            .await;
        xl_payment::migrate(&context).await.unwrap();
        let play = Play {
            context: &context,
            case: 0,
            model: Model::default(),
            next: 0,
        };
        let coin = || Account::of(Kind::Coin, "u");
        let gift = || Account::platform(Kind::Promotion);
        let odd = vec![(gift(), -5), (coin(), 4)];
        assert!(matches!(
            play.post("a", odd).await,
            Err(LedgerError::Unbalanced(-1))
        ));
        let overflow = vec![
            (gift(), i64::MAX),
            (coin(), i64::MAX),
            (Account::platform(Kind::Revenue), 2),
        ];
        assert!(matches!(
            play.post("b", overflow).await,
            Err(LedgerError::Unbalanced(_))
        ));
        for malformed in [vec![], vec![(coin(), 0)], vec![(coin(), 1), (coin(), -1)]] {
            assert!(matches!(
                play.post("c", malformed).await,
                Err(LedgerError::Malformed)
            ));
        }
        let most = vec![(gift(), i64::MAX), (coin(), -i64::MAX)];
        assert!(matches!(
            play.post("d", most).await,
            Err(LedgerError::Insufficient(_))
        ));
        assert!(audit::findings(&context.db).await.unwrap().is_empty());
        test.finish().await;
    }
}

/// The audit itself has to see what is wrong.
#[tokio::test]
async fn the_audit_finds_a_changed_balance_and_a_lone_entry() {
    use sea_orm::ConnectionTrait;
    for shape in shapes() {
        let test = TestParts::open(shape, &[xl_payment::DEFAULTS], |_| {}).await;
        let context = test
            .migrated::<xl_payment::Migrator>(xl_payment::NAME)
            .await;
        xl_payment::migrate(&context).await.unwrap();
        assert!(
            xl_payment::admin::grant(&context, "u", 500, "k")
                .await
                .unwrap()
        );
        assert!(
            !xl_payment::admin::grant(&context, "u", 500, "k")
                .await
                .unwrap()
        );
        assert!(
            xl_payment::admin::grant(&context, "u", 400, "k")
                .await
                .is_err()
        );
        assert!(audit::findings(&context.db).await.unwrap().is_empty());
        let db = &context.db;
        db.execute_unprepared("UPDATE account SET posted = posted + 1 WHERE kind = 'coin'")
            .await
            .unwrap();
        assert_eq!(audit::findings(db).await.unwrap().len(), 1);
        db.execute_unprepared("DELETE FROM entry WHERE line = 0")
            .await
            .unwrap();
        assert_eq!(audit::findings(db).await.unwrap().len(), 2);
        let below = "UPDATE account SET posted = -1 WHERE kind = 'coin'";
        assert!(
            db.execute_unprepared(below).await.is_err(),
            "the database itself refuses"
        );
        test.finish().await;
    }
}
