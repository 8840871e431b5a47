//! The calls of the console as the gateway passes them on.

use chassis::error::business_error;
use chassis::rpc::Calls;
use chassis::testing::{Shape, TestParts, shapes};
use proto::analytics::v1::visit_console_api_client::VisitConsoleApiClient;
use proto::code;
use proto::common::v1::Principal;
use sea_orm::{ConnectionTrait, PaginatorTrait, Statement};
use tonic::service::Routes;
use tonic::{Code, Request, Status};

use super::*;

struct Console {
    test: TestParts,
    analytics: Analytics,
    client: VisitConsoleApiClient<Routes>,
}

impl Console {
    async fn open(shape: Shape) -> Self {
        let test = TestParts::open(shape, &[crate::DEFAULTS], |_| {}).await;
        let context = test.migrated::<crate::Migrator>(crate::NAME).await;
        crate::migrate(&context).await.unwrap();
        let analytics = Analytics::new(context).unwrap();
        let service = Calls::of(crate::NAME, &analytics.context.principals)
            .with(VisitConsoleCallsServer(analytics.clone()))
            .finish();
        let client = VisitConsoleApiClient::new(service.routes);
        Self {
            test,
            analytics,
            client,
        }
    }

    fn vouched<T>(&self, principal: Principal, body: T) -> Request<T> {
        let mut request = Request::new(body);
        let principal = Principal {
            audience: crate::NAME.to_owned(),
            ..principal
        };
        let principals = &self.analytics.context.principals;
        principals
            .attach(principal, request.metadata_mut())
            .unwrap();
        request
    }

    fn operator<T>(&self, permission: &str, body: T) -> Request<T> {
        let operator = Principal {
            operator: true,
            operator_id: "o1".to_owned(),
            operator_name: "anna".to_owned(),
            permissions: vec![permission.to_owned()],
            ..Principal::default()
        };
        self.vouched(operator, body)
    }

    fn by<T>(&self, body: T) -> Request<T> {
        self.operator("visit.read", body)
    }

    async fn counted(&self, period: Period, start: i64, metric: &str, name: &str, count: i64) {
        let row = crate::entity::rollup::Model {
            period,
            start,
            metric: metric.to_owned(),
            name: name.to_owned(),
            count,
        };
        let db = &self.analytics.context.db;
        chassis::db::insert(row, db).await.unwrap();
    }

    async fn audited(&self) -> i64 {
        let db = &self.analytics.context.db;
        let sql = "SELECT COUNT(*) AS n FROM audit WHERE call = 'K104' AND operator_name = 'anna'";
        let statement = Statement::from_string(db.get_database_backend(), sql);
        let row = db.query_one_raw(statement).await.unwrap().unwrap();
        row.try_get("", "n").unwrap()
    }
}

fn refused(status: &Status) -> i32 {
    business_error(status).map_or(0, |error| error.code)
}

#[tokio::test]
async fn figures_cover_a_range_and_its_gaps() {
    for shape in shapes() {
        let mut console = Console::open(shape).await;
        let today = start_of(Period::Day, console.analytics.now());
        for (days_ago, visits) in [(0, 3), (2, 5), (40, 9)] {
            let start = today - days_ago * DAY;
            console
                .counted(Period::Day, start, "visits", "", visits)
                .await;
            console.counted(Period::Day, start, "visitors", "", 2).await;
            for (name, count) in [("search", visits), ("direct", 1)] {
                console
                    .counted(Period::Day, start, "source", name, count)
                    .await;
            }
            console.counted(Period::Day, start, FUNNEL, "paid", 1).await;
        }
        let week = VisitRange {
            from: today - 6 * DAY,
            to: today + 1,
            ..Default::default()
        };
        let request = console.by(week.clone());
        let figures = console.client.visit_figures(request).await.unwrap();
        let figures = figures.into_inner();
        let visits: Vec<i64> = figures.points.iter().map(|point| point.visits).collect();
        assert_eq!(visits, [0, 0, 0, 0, 5, 0, 3]);
        assert_eq!((figures.visits, figures.visitors), (8, 4));
        let request = console.by(week.clone());
        let funnel = console.client.visit_funnel(request).await.unwrap();
        let steps = funnel.into_inner().steps.into_iter();
        let steps: Vec<(String, i64)> = steps.map(|step| (step.name, step.count)).collect();
        assert_eq!(steps[0], ("registered".to_owned(), 0));
        assert_eq!(steps[4], ("paid".to_owned(), 2));
        let top = VisitTopRequest {
            from: week.from,
            to: week.to,
            metric: "source".to_owned(),
            size: 1,
            ..Default::default()
        };
        let request = console.by(top.clone());
        let found = console
            .client
            .visit_top(request)
            .await
            .unwrap()
            .into_inner();
        assert_eq!((found.rows.len(), found.total), (1, 10));
        assert_eq!(
            (found.rows[0].name.as_str(), found.rows[0].count),
            ("search", 8)
        );
        for wrong in [
            VisitTopRequest {
                metric: "visits".to_owned(),
                ..top.clone()
            },
            VisitTopRequest {
                size: 101,
                ..top.clone()
            },
            VisitTopRequest {
                period: "week".to_owned(),
                ..top.clone()
            },
            VisitTopRequest {
                from: i64::MIN,
                ..top.clone()
            },
            VisitTopRequest {
                from: i64::MAX,
                to: i64::MAX,
                ..top.clone()
            },
            VisitTopRequest {
                from: today - 400 * DAY,
                ..top.clone()
            },
            VisitTopRequest {
                from: today - 32 * DAY,
                period: "hour".to_owned(),
                ..top
            },
        ] {
            let request = console.by(wrong.clone());
            let reply = console.client.visit_top(request).await.unwrap_err();
            assert_eq!(refused(&reply), code::INVALID, "{wrong:?}");
        }
        // Another permission, a user and an anonymous caller are all refused.
        for (principal, expected) in [
            (Principal::default(), Code::Unauthenticated),
            (
                Principal {
                    login_id: "u1".to_owned(),
                    ..Principal::default()
                },
                Code::PermissionDenied,
            ),
        ] {
            let request = console.vouched(principal, week.clone());
            let reply = console.client.visit_figures(request).await.unwrap_err();
            assert_eq!(reply.code(), expected);
        }
        let request = console.operator("user.read", week);
        let reply = console.client.visit_figures(request).await.unwrap_err();
        assert_eq!(reply.code(), Code::PermissionDenied);
        console.test.finish().await;
    }
}

#[tokio::test]
async fn the_action_log_is_paged_and_exported_without_formulas() {
    for shape in shapes() {
        let mut console = Console::open(shape).await;
        let now = console.analytics.now();
        let db = &console.analytics.context.db;
        for number in 0..25_i64 {
            // Three of the same moment: the id decides.
            let row = action::Model {
                id: format!("{number:032}"),
                source: "pc".to_owned(),
                visitor: if number == 7 { "v7" } else { "v" }.to_owned(),
                user_claim: String::new(),
                template: String::new(),
                tag: "=HYPERLINK(\"http://x\")".to_owned(),
                location: "\tx".to_owned(),
                node: "header".to_owned(),
                at: now - 1000 * (1 + number / 3),
            };
            chassis::db::insert(row, db).await.unwrap();
        }
        assert_eq!(action::Entity::find().count(db).await.unwrap(), 25);
        let (mut seen, mut after) = (Vec::new(), String::new());
        loop {
            let form = VisitActionsRequest {
                after: after.clone(),
                size: 10,
                ..Default::default()
            };
            let request = console.by(form);
            let page = console.client.visit_actions(request).await.unwrap();
            let page = page.into_inner();
            seen.extend(page.actions.into_iter().map(|line| line.id));
            after = page.next;
            if after.is_empty() {
                break;
            }
        }
        let mut all = seen.clone();
        all.sort();
        all.dedup();
        assert_eq!((seen.len(), all.len()), (25, 25));
        let form = VisitActionsRequest {
            visitor: "v7".to_owned(),
            ..Default::default()
        };
        let request = console.by(form);
        let found = console.client.visit_actions(request).await.unwrap();
        assert_eq!(found.into_inner().actions.len(), 1);
        let form = VisitActionsRequest {
            after: "x".to_owned(),
            ..Default::default()
        };
        let request = console.by(form);
        let reply = console.client.visit_actions(request).await.unwrap_err();
        assert_eq!(refused(&reply), code::INVALID);

        let form = VisitExportRequest {
            what: "actions".to_owned(),
            ..Default::default()
        };
        let request = console.by(form);
        let csv = console.client.visit_export(request).await.unwrap();
        let csv = csv.into_inner().csv;
        assert_eq!(csv.lines().count(), 26);
        assert!(
            csv.contains("\"'=HYPERLINK(\"\"http://x\"\")\",\"'\tx\""),
            "{csv}"
        );
        assert_eq!(console.audited().await, 1);
        let form = VisitExportRequest {
            what: "accounts".to_owned(),
            ..Default::default()
        };
        let request = console.by(form);
        let reply = console.client.visit_export(request).await.unwrap_err();
        assert_eq!(refused(&reply), code::INVALID);
        assert_eq!(
            console.audited().await,
            1,
            "what was not exported leaves no entry"
        );
        console.test.finish().await;
    }
}
