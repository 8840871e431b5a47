import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import {
  type MatchupOffer,
  useDemandDetailQuery,
  useMyDemandsQuery,
  useMyOffersQuery,
} from "@/calls/matchup";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { ReadFailed } from "@/ui/ReadFailed";
import { useQueryFields } from "@/ui/useQueryFields";
import { Wide } from "@/ui/Wide";
import { CardRows, DemandCard, RowsWaiting } from "./Cards";
import { DemandEditor } from "./DemandEditor";
import { IdentityChoice, needs, SignedIn, useUserType } from "./Identity";
import { OfferFacts } from "./OfferPanel";
import { DEMAND_STATES, DEMANDS, demandPath, isEditable, MINE, NEW_DEMAND, wordOf } from "./words";

/** The user's demands and offers, and the form of a demand. */
export function DemandPage() {
  const [query] = useQueryFields();
  const edit = query.get("edit")?.slice(0, 32) ?? "";
  return (
    <Wide>
      <SignedIn title="发布需求" what="登录后可以发布需求、查看收到的报价。浏览需求与服务商不用登录。">
        {edit === "" && <Mine />}
        {edit === "new" && <NewDemand />}
        {edit !== "" && edit !== "new" && <OldDemand key={edit} demandId={edit} />}
      </SignedIn>
    </Wide>
  );
}

function Mine() {
  const [query] = useQueryFields();
  const { type, failed, retry } = useUserType();
  const shown = query.get("show") === "offers" ? "offers" : "demands";
  return (
    <>
      <PageHeader
        title="我的对接"
        note="需求与报价都在这里。身份可以随时更改。"
        actions={
          <Button component={Link} to={NEW_DEMAND} variant="contained">
            发布需求
          </Button>
        }
      />
      <Box sx={{ mb: 2, minHeight: 40 }}>
        {type !== undefined && <IdentityChoice type={type} />}
        {failed && <ReadFailed what="身份" onRetry={retry} />}
      </Box>
      <Box sx={{ mb: 2 }}>
        <LinkTabs
          label="我的对接"
          current={shown}
          tabs={[
            { id: "demands", text: "我的需求", to: MINE },
            { id: "offers", text: "我的报价", to: `${MINE}?show=offers` },
          ]}
        />
      </Box>
      {shown === "demands" ? <MyDemands /> : <MyOffers />}
    </>
  );
}

function MyDemands() {
  const { loginId } = useSession();
  const list = useListAddress({ pageSize: 10 });
  const demands = useMyDemandsQuery(
    { userId: loginId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <ListPage
      what="我的需求"
      query={demands}
      list={list}
      skeleton={<RowsWaiting count={3} what="我的需求" />}
      empty={{
        title: "还没有需求",
        hint: "写清现状、要求与怎样算完成，报价才有得比。",
        action: (
          <Button component={Link} to={DEMANDS} variant="outlined">
            看看别人怎么写
          </Button>
        ),
      }}
    >
      {(rows) => (
        <CardRows label="我的需求">
          {rows.map((one) => (
            <li key={one.demandId}>
              <DemandCard demand={one} own />
            </li>
          ))}
        </CardRows>
      )}
    </ListPage>
  );
}

function MyOffers() {
  const { loginId } = useSession();
  const list = useListAddress({ pageSize: 10 });
  const offers = useMyOffersQuery({ userId: loginId, ...list.request }, { refetchOnMountOrArgChange: true });
  return (
    <ListPage
      what="我的报价"
      query={offers}
      list={list}
      skeleton={<RowsWaiting count={3} what="我的报价" />}
      empty={{
        title: "还没有报价",
        hint: "在需求市场找到做得了的需求，给出价格、周期与方案。",
        action: (
          <Button component={Link} to={DEMANDS} variant="contained">
            去需求市场
          </Button>
        ),
      }}
    >
      {(rows) => (
        <CardRows label="我的报价">
          {rows.map((one) => (
            <li key={one.offerId}>
              <OfferCard offer={one} />
            </li>
          ))}
        </CardRows>
      )}
    </ListPage>
  );
}

function OfferCard({ offer }: { offer: MatchupOffer }) {
  const seen = ["open", "chosen", "closed"].includes(offer.demandState);
  return (
    <Box
      sx={{
        height: "100%",
        p: 2,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        bgcolor: "background.paper",
        display: "grid",
        alignContent: "start",
        gap: 1,
      }}
    >
      <Box component="h3" sx={{ m: 0, fontSize: 16, fontWeight: 600, overflowWrap: "anywhere" }}>
        {seen ? (
          <Box component={Link} to={demandPath(offer.demandId)} sx={{ color: "primary.main" }}>
            {offer.title}
          </Box>
        ) : (
          offer.title
        )}
      </Box>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>
        {`需求${seen ? wordOf(DEMAND_STATES, offer.demandState).text : "已不在展示"}`}
      </Box>
      <OfferFacts offer={offer} />
    </Box>
  );
}

function NewDemand() {
  const { type, failed, retry } = useUserType();
  if (type === undefined)
    return failed ? <ReadFailed what="身份" onRetry={retry} /> : <RowsWaiting count={1} what="身份" />;
  if (!needs(type)) {
    return (
      <EmptyState
        heading="h1"
        title="发布需求"
        hint="先说明身份：选「我有需求」或「两者都有」，之后可以随时更改。"
        action={<IdentityChoice type={type} />}
      />
    );
  }
  return <DemandEditor />;
}

function OldDemand({ demandId }: { demandId: string }) {
  const { currentData, isError, refetch } = useDemandDetailQuery(
    { demandId },
    { refetchOnMountOrArgChange: true },
  );
  if (isError && !currentData) return <ReadFailed what="需求" onRetry={() => void refetch()} />;
  if (!currentData) return <RowsWaiting count={1} what="需求" />;
  if (!currentData.mine || !isEditable(currentData.state)) {
    return (
      <EmptyState
        heading="h1"
        kind="closed"
        title="这个需求现在不能修改"
        hint="审核中或展示中的需求，撤回后可以修改。"
        action={
          <Button component={Link} to={demandPath(demandId)} variant="contained">
            查看需求
          </Button>
        }
      />
    );
  }
  return <DemandEditor demand={currentData} />;
}
