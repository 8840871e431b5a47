//! Makers: applications, freezing, their pages, and the events about them.

use chassis::testing::{Shape, code_of, eventually, shapes};
use proto::code;
use proto::events::Published;
use proto::transaction::v1::search_api_client::SearchApiClient;
use proto::transaction::v1::*;
use tonic::Status;

use crate::support::Running;

/// Console calls that leave an entry, each with a case here.
pub const AUDITED: [&str; 3] = ["K135", "K136", "K137"];

const FROZEN: &str = "您的模型师账户已冻结,请联系客服";
const STATEMENT: &str = "做了十年机械设计，想在这里出售标准件的三维模型。";

/// Makes a right page wrong, with an id.
type Change = fn(&mut SaveModelerPageRequest, &str);

fn text_of(status: &Status) -> String {
    chassis::error::business_error(status).map_or_else(String::new, |reply| reply.message)
}

impl Running {
    async fn is_frozen(&self, user: &str, id: &str) -> Result<bool, Status> {
        let form = IsFreezeRequest { id: id.to_owned() };
        let answer = self.modelers().is_freeze(self.by(user, form)).await?;
        Ok(answer.into_inner().frozen)
    }

    async fn standing(&self, user: &str) -> Modeler {
        let form = ModelerInfoRequest::default();
        let answer = self.modelers().modeler_info(self.by(user, form)).await;
        answer.expect("an answer").into_inner()
    }

    async fn apply(&self, user: &str, kind: i32, statement: &str) -> Result<Modeler, Status> {
        let form = ApplyModelerRequest {
            uploader_type: kind,
            statement: statement.to_owned(),
            ..Default::default()
        };
        let answer = self.modelers().apply_modeler(self.by(user, form)).await?;
        Ok(answer.into_inner())
    }

    async fn shown_maker(&self, user: &str) -> ModelerShowReply {
        let form = ModelerShowRequest {
            login_id: user.to_owned(),
        };
        let answer = self
            .modeler_console()
            .modeler_show(self.by_operator("anna", form))
            .await;
        answer.expect("shown").into_inner()
    }

    async fn decide_maker(&self, user: &str, decision: &str, kind: i32) -> Result<(), Status> {
        let version = self.shown_maker(user).await.item.expect("one").version;
        let form = ModelerDecideRequest {
            login_id: user.to_owned(),
            version,
            decision: decision.to_owned(),
            uploader_type: kind,
            reason: "作品说明不清楚".to_owned(),
        };
        let answer = self
            .modeler_console()
            .modeler_decide(self.by_operator("anna", form))
            .await;
        answer.map(|_| ())
    }

    async fn approved_maker(&self, user: &str, kind: i32) {
        self.apply(user, 2, STATEMENT).await.expect("applied");
        self.decide_maker(user, "approve", kind)
            .await
            .expect("approved");
    }

    async fn freeze(&self, user: &str, frozen: bool) -> Result<(), Status> {
        let form = ModelerActRequest {
            login_id: user.to_owned(),
            reason: "多次上传他人作品".to_owned(),
        };
        let mut console = self.modeler_console();
        let answer = match frozen {
            true => console.modeler_freeze(self.by_operator("anna", form)).await,
            false => {
                console
                    .modeler_unfreeze(self.by_operator("anna", form))
                    .await
            }
        };
        answer.map(|_| ())
    }

    async fn queue(&self, state: &str) -> ModelerSearchReply {
        let form = ModelerSearchRequest {
            state: state.to_owned(),
            ..Default::default()
        };
        let answer = self
            .modeler_console()
            .modeler_search(self.by_operator("anna", form))
            .await;
        answer.expect("a page").into_inner()
    }

    /// Ids that a search without words finds.
    async fn found(&self) -> Vec<String> {
        let mut search = SearchApiClient::new(self.channel());
        let answer = search
            .model_list(self.by("", ModelListRequest::default()))
            .await;
        let results = answer.expect("found").into_inner().results;
        results.into_iter().map(|one| one.listing_id).collect()
    }

    async fn opened(&self, id: &str) -> Result<ModelDetailReply, Status> {
        let form = ModelDetailRequest {
            model_id: id.to_owned(),
        };
        let mut search = SearchApiClient::new(self.channel());
        let answer = search.model_detail(self.by("", form)).await?;
        Ok(answer.into_inner())
    }

    async fn author(&self, id: &str) -> Result<AuthorReply, Status> {
        let form = AuthorRequest {
            author_id: id.to_owned(),
        };
        let mut search = SearchApiClient::new(self.channel());
        let answer = search.author_detail(self.by("", form)).await?;
        Ok(answer.into_inner())
    }

    async fn asked_price(&self, id: &str) -> QuotedItem {
        let form = QuoteRequest {
            owner: "buyer".to_owned(),
            model_ids: vec![id.to_owned()],
            ..Default::default()
        };
        let answer = TransactionCommands::quote(&self.test.parts.bus, &form).await;
        answer.expect("a quote").items.remove(0)
    }

    /// The last event about a maker.
    async fn published(&self, user: &str) -> ModelerChanged {
        let sql = format!(
            "SELECT body FROM outbox WHERE event_key = '{}' AND aggregate = '{user}' ORDER BY id DESC",
            ModelerChanged::KEY
        );
        let body = eventually("an event", || self.bytes(&sql)).await;
        crate::paid::read(&body)
    }

    async fn save_page(&self, user: &str, form: SaveModelerPageRequest) -> Result<Modeler, Status> {
        let answer = self
            .modelers()
            .save_modeler_page(self.by(user, form))
            .await?;
        Ok(answer.into_inner())
    }
}

/// MD001, MD002, MD003, AM087: what the menu is made of.
#[tokio::test(flavor = "multi_thread")]
async fn an_application_is_decided_and_told() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let listing = running.listed("u1", "f1").await;
        let none = running.standing("u1").await;
        assert_eq!((none.uploader_type, none.review_status), (0, None));
        assert_eq!(running.asked_price(&listing).await.uploader_type, 0);

        for (kind, statement) in [
            (1, STATEMENT),
            (0, STATEMENT),
            (4, STATEMENT),
            (2, "太短了"),
        ] {
            let refused = running.apply("u1", kind, statement).await.unwrap_err();
            assert_eq!(code_of(&refused), code::INVALID, "{kind} {statement}");
        }
        let waiting = running.apply("u1", 3, STATEMENT).await.unwrap();
        assert_eq!((waiting.uploader_type, waiting.review_status), (3, Some(0)));
        let again = running.apply("u1", 2, STATEMENT).await.unwrap_err();
        assert_eq!(text_of(&again), "申请正在审核中，请耐心等待");
        let reply = running.published("u1").await;
        assert_eq!(
            (
                reply.uploader_type,
                reply.review_status,
                reply.action.as_str()
            ),
            (3, Some(0), "applied")
        );
        // What was applied for is nothing that the mall says.
        assert_eq!(running.asked_price(&listing).await.uploader_type, 0);

        let queue = running.queue("").await;
        assert_eq!((queue.waiting, queue.modelers.len()), (1, 1));
        assert_eq!(queue.modelers[0].nickname, "模型师u1");
        let shown = running.shown_maker("u1").await;
        assert_eq!(shown.statement, STATEMENT);
        assert_eq!(
            (shown.item.unwrap().check_status, shown.real_name.as_str()),
            (1, "张*")
        );
        assert_eq!(shown.listings["listed"], 1);

        running.decide_maker("u1", "refuse", 0).await.unwrap();
        let refused = running.standing("u1").await;
        assert_eq!(refused.review_status, Some(2));
        assert_eq!(refused.reason, "作品说明不清楚");
        assert_eq!(running.published("u1").await.reason, "作品说明不清楚");
        let twice = running.decide_maker("u1", "approve", 0).await.unwrap_err();
        assert_eq!(code_of(&twice), code::CONFLICT);

        let waiting = running.apply("u1", 3, STATEMENT).await.unwrap();
        assert_eq!(
            (waiting.review_status, waiting.reason.as_str()),
            (Some(0), "")
        );
        assert!(running.decide_maker("u1", "maybe", 0).await.is_err());
        assert!(running.decide_maker("u1", "approve", 9).await.is_err());
        running.decide_maker("u1", "approve", 0).await.unwrap();
        let maker = running.standing("u1").await;
        assert_eq!((maker.uploader_type, maker.review_status), (3, Some(1)));
        let actions: Vec<&str> = maker
            .records
            .iter()
            .map(|one| one.action.as_str())
            .collect();
        assert_eq!(actions, ["approved", "applied", "refused", "applied"]);
        let done = running.apply("u1", 2, STATEMENT).await.unwrap_err();
        assert_eq!(text_of(&done), "您已是模型师，无需再次申请");
        let reply = running.published("u1").await;
        assert_eq!(
            (reply.uploader_type, reply.review_status, reply.share_bp),
            (3, Some(1), 7_000)
        );
        // Price, cards and the public page take it from the same row, of listings before and after.
        let later = running.listed("u1", "f2").await;
        for id in [&listing, &later] {
            let quoted = running.asked_price(id).await;
            assert_eq!((quoted.uploader_type, quoted.share_bp), (3, 7_000));
            let shown = running.opened(id).await.unwrap();
            assert_eq!(shown.listing.unwrap().uploader_type, 3);
        }
        assert_eq!(
            running
                .author("u1")
                .await
                .unwrap()
                .author
                .unwrap()
                .uploader_type,
            3
        );
        running
            .execute("UPDATE modeler SET share_bp = 8000 WHERE login_id = 'u1'")
            .await;
        assert_eq!(running.asked_price(&listing).await.share_bp, 8_000);

        // Only an operator makes a user the platform's own studio.
        running.approved_maker("studio", 1).await;
        let own = running.listed("studio", "f3").await;
        let quoted = running.asked_price(&own).await;
        assert_eq!((quoted.uploader_type, quoted.share_bp), (1, 0));
        assert_eq!(
            running
                .number("SELECT COUNT(*) FROM audit WHERE call = 'K135'")
                .await,
            3
        );
        running.test.finish().await;
    }
}

/// MD004, AM083: what a frozen maker's pages and the mall go by; MD006: users ask about themselves only.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_frozen_maker_offers_vanishes_and_comes_back() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("u1", "f1").await;
        let other = running.listed("u2", "f2").await;
        running.approved_maker("u1", 0).await;
        running.paid("buyer", "o1", &[&id]).await;
        running.put_source(&id, 1).await;
        let card = ids_of(&[&id, &other]);
        eventually("both are found", || async {
            (sorted(running.found().await) == card).then_some(())
        })
        .await;

        assert!(!running.is_frozen("u1", "u1").await.unwrap());
        for asked in ["u2", ""] {
            assert!(running.is_frozen("u1", asked).await.is_err(), "{asked}");
        }
        running.freeze("u1", true).await.unwrap();
        assert!(running.is_frozen("u1", "u1").await.unwrap());
        // At once, whatever the index knows.
        assert_eq!(running.found().await, [other.as_str()]);
        assert!(running.opened(&id).await.is_err());
        assert!(running.author("u1").await.is_err());
        assert_eq!(running.asked_price(&id).await.state, "takendown");
        let draft = running.draft("u1", "f9").await.listing.unwrap().listing_id;
        running.fill_in("u1", &draft).await;
        assert_eq!(running.submit("u1", &draft).await, FROZEN);
        let version = running.add_version("u1", &id, "f9").await;
        assert_eq!(text_of(&version.unwrap_err()), FROZEN);
        // A buyer keeps it.
        assert_eq!(
            running.mine("buyer", "").await.results[0].listing_state,
            "takendown"
        );
        running.download("buyer", &id).await.expect("a link");
        assert_eq!(running.withdraw("u1", &id).await, "withdrawn");
        assert_eq!(running.relist("u1", &id).await, FROZEN);
        let again = running.apply("u1", 2, STATEMENT).await.unwrap_err();
        assert_eq!(text_of(&again), FROZEN);
        let page = running
            .save_page("u1", SaveModelerPageRequest::default())
            .await;
        assert_eq!(text_of(&page.unwrap_err()), FROZEN);
        let twice = running.freeze("u1", true).await.unwrap_err();
        assert_eq!(code_of(&twice), code::CONFLICT);
        let standing = running.standing("u1").await;
        assert_eq!(
            (
                standing.frozen,
                standing.frozen_reason.as_str(),
                standing.review_status
            ),
            (true, "多次上传他人作品", Some(1))
        );
        assert!(running.published("u1").await.frozen);
        assert_eq!(running.queue("frozen").await.modelers[0].login_id, "u1");

        running.freeze("u1", false).await.unwrap();
        assert!(!running.is_frozen("u1", "u1").await.unwrap());
        assert_eq!(running.relist("u1", &id).await, "listed");
        running.opened(&id).await.expect("shown again");
        eventually("found again", || async {
            (sorted(running.found().await) == card).then_some(())
        })
        .await;
        assert_eq!(running.submit("u1", &draft).await, "making");

        // A user who never applied: frozen, of no type.
        running.freeze("u2", true).await.unwrap();
        let standing = running.standing("u2").await;
        assert_eq!((standing.uploader_type, standing.review_status), (0, None));
        assert!(running.is_frozen("u2", "u2").await.unwrap());
        // At once; the first maker's may still be on its way back into the index.
        assert!(!running.found().await.contains(&other));
        eventually("the first is found", || async {
            (running.found().await == [id.as_str()]).then_some(())
        })
        .await;
        running.freeze("u2", false).await.unwrap();
        running
            .opened(&other)
            .await
            .expect("it comes back by itself");
        eventually("found again", || async {
            (sorted(running.found().await) == card).then_some(())
        })
        .await;
        let events = "SELECT COUNT(*) FROM audit WHERE call IN ('K136', 'K137')";
        assert_eq!(running.number(events).await, 4);
        running.test.finish().await;
    }
}

/// MD007: approval records, user orders and the homepage's settings have content of their own.
#[tokio::test(flavor = "multi_thread")]
async fn makers_see_records_orders_and_set_their_page() {
    for shape in shapes() {
        let running = Running::start(shape, true).await;
        let id = running.listed("u1", "f1").await;
        let second = running.listed("u1", "f2").await;
        let foreign = running.listed("u2", "f3").await;
        running.approved_maker("u1", 0).await;

        let records = |action: &str| {
            let form = ModelerRecordsRequest {
                action: action.to_owned(),
                page_size: 1,
                ..Default::default()
            };
            let request = running.by("u1", form);
            let mut client = running.modelers();
            async move { client.modeler_records(request).await }
        };
        let all = records("").await.unwrap().into_inner();
        assert_eq!((all.total_count, all.results.len()), (4, 1));
        let approved = records("approved").await.unwrap().into_inner();
        assert_eq!(
            (
                approved.total_count,
                approved.results[0].listing_id.as_str()
            ),
            (2, second.as_str())
        );
        assert!(records("eaten").await.is_err());

        running.price("u1", &second, 0).await;
        running.paid("buyer-of-many", "o1", &[&id]).await;
        running.paid("buyer-of-many", "o2", &[&foreign]).await;
        running.take_free("u9", &second).await.unwrap();
        let orders = |way: &str, keyword: &str| {
            let form = ModelerOrdersRequest {
                way: way.to_owned(),
                keyword: keyword.to_owned(),
                ..Default::default()
            };
            let request = running.by("u1", form);
            let mut client = running.modelers();
            async move { client.modeler_orders(request).await }
        };
        let all = orders("", "").await.unwrap().into_inner();
        assert_eq!((all.total_count, all.paid_sum, all.buyers), (2, 1_990, 2));
        assert_eq!((all.counts["paid"], all.counts["free"]), (1, 1));
        let paid = orders("paid", "直齿").await.unwrap().into_inner();
        assert_eq!(paid.total_count, 1);
        assert_eq!(paid.results[0].buyer, "用户bu****ny");
        assert_eq!(
            orders("", "没有").await.unwrap().into_inner().total_count,
            0
        );
        assert!(orders("stolen", "").await.is_err());
        // What is given back is no more of the sum.
        running.give_back("o1", "o1-0").await;
        running
            .execute("UPDATE model_grant SET state = 'returned' WHERE item_id = 'o1-0'")
            .await;
        let after = orders("", "").await.unwrap().into_inner();
        assert_eq!((after.total_count, after.paid_sum), (2, 0));

        let page = SaveModelerPageRequest {
            slogan: " 参数准确的标准件 ".to_owned(),
            introduction: "每个模型都按图纸建。".to_owned(),
            theme: "teal".to_owned(),
            banner_id: id.clone(),
            carousel_ids: format!("{second},{id},{second}"),
            ..Default::default()
        };
        let saved = running
            .save_page("u1", page.clone())
            .await
            .unwrap()
            .page
            .unwrap();
        assert_eq!(saved.carousel_ids, [second.clone(), id.clone()]);
        let shown = running.author("u1").await.unwrap().page.unwrap();
        assert_eq!(
            (shown.slogan.as_str(), shown.theme.as_str()),
            ("参数准确的标准件", "teal")
        );
        assert_eq!(shown.introduction, "每个模型都按图纸建。");
        assert!(!shown.banner_url.is_empty());
        let order: Vec<&str> = shown
            .carousel
            .iter()
            .map(|one| one.listing_id.as_str())
            .collect();
        assert_eq!(order, [&second, &id]);
        // What leaves the mall leaves the page.
        running.take_down(&id).await;
        let shown = running.author("u1").await.unwrap().page.unwrap();
        assert_eq!((shown.carousel.len(), shown.banner_url.as_str()), (1, ""));

        let bad: [(Change, &str, i32); 6] = [
            (|form, _| form.theme = "pink".into(), "", code::INVALID),
            (|form, _| form.slogan = "长".repeat(41), "", code::INVALID),
            (
                |form, _| form.introduction = "含有赌博网站".into(),
                "",
                code::TEXT_REFUSED,
            ),
            (
                |form, foreign| form.banner_id = foreign.into(),
                &foreign,
                code::NOT_FOUND,
            ),
            (
                |form, foreign| form.carousel_ids = foreign.into(),
                &foreign,
                code::NOT_FOUND,
            ),
            (
                |form, down| form.banner_id = down.into(),
                &id,
                code::CONFLICT,
            ),
        ];
        for (change, with, refused) in bad {
            let mut form = SaveModelerPageRequest::default();
            change(&mut form, with);
            let status = running.save_page("u1", form).await.unwrap_err();
            assert_eq!(code_of(&status), refused, "{}", text_of(&status));
        }
        let nobody = running
            .save_page("u7", SaveModelerPageRequest::default())
            .await;
        assert_eq!(
            text_of(&nobody.unwrap_err()),
            "通过模型师审核后才能设置主页"
        );
        running.test.finish().await;
    }
}

/// Everyone has a page before the first model, makers or not.
#[tokio::test(flavor = "multi_thread")]
async fn who_has_no_models_has_a_page() {
    let running = Running::start(Shape::Embedded, true).await;
    let author = running.author("u1").await.unwrap().author.unwrap();
    assert_eq!((author.models, author.uploader_type), (0, 0));
    assert_eq!(
        (author.nickname.as_str(), author.certified.as_str()),
        ("模型师u1", "personal")
    );
    let nobody = running.author("nobody").await.unwrap_err();
    assert_eq!(text_of(&nobody), "没有这位作者");
    running.apply("u1", 2, STATEMENT).await.unwrap();
    running.decide_maker("u1", "approve", 0).await.unwrap();
    let author = running.author("u1").await.unwrap().author.unwrap();
    assert_eq!((author.models, author.uploader_type), (0, 2));
    running.test.finish().await;
}

fn sorted(mut ids: Vec<String>) -> Vec<String> {
    ids.sort();
    ids
}

fn ids_of(ids: &[&str]) -> Vec<String> {
    sorted(ids.iter().map(|id| (*id).to_owned()).collect())
}
