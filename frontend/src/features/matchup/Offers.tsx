import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { Link } from "react-router";
import {
  type MatchupDemand,
  type MatchupOffer,
  useChooseOfferMutation,
  useDemandOffersQuery,
} from "@/calls/matchup";
import { useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { ListPage, useListState } from "@/ui/list";
import { Panel } from "@/ui/Panel";
import { toast } from "@/ui/toast";
import { OfferFacts } from "./OfferPanel";
import { AGREEMENT, providerPath, starsText, yuan } from "./words";

/** Offers for the user's demand, and the choice of one. */
export function Offers({ demand }: { demand: MatchupDemand }) {
  const { loginId } = useSession();
  const list = useListState();
  const [asked, setAsked] = useState<MatchupOffer>();
  const offers = useDemandOffersQuery(
    { userId: loginId, demandId: demand.demandId, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  const [choose] = useChooseOfferMutation();
  return (
    <Panel title={`收到的报价${offers.data ? `（${offers.data.totalCount}）` : ""}`}>
      <Box sx={{ px: 2.5, pb: 2.5 }}>
        <ListPage
          dense
          what="报价"
          query={offers}
          list={list}
          empty={{ title: "还没有报价", hint: "有服务商报价时会发消息给您。" }}
        >
          {(rows) => (
            <Box component="ul" aria-label="收到的报价" sx={{ listStyle: "none", m: 0, p: 0 }}>
              {rows.map((offer) => (
                <Box
                  component="li"
                  key={offer.offerId}
                  sx={{ py: 2, borderTop: 1, borderColor: "divider", display: "grid", gap: 1 }}
                >
                  <Maker offer={offer} />
                  <OfferFacts offer={offer} />
                  {demand.state === "open" && offer.state === "sent" && (
                    <Box>
                      <Button variant="contained" size="small" onClick={() => setAsked(offer)}>
                        选定这家
                      </Button>
                    </Box>
                  )}
                </Box>
              ))}
            </Box>
          )}
        </ListPage>
      </Box>
      <ConfirmDialog
        open={Boolean(asked)}
        title={`选定 ${asked?.provider?.name || "这家服务商"}，${yuan(asked?.price ?? 0)}？`}
        confirmText="选定"
        onClose={() => setAsked(undefined)}
        onConfirm={async () => {
          if (!asked) return;
          const answer = await choose({ userId: loginId, offerId: asked.offerId });
          if (!answer.error) toast.success("已选定");
          setAsked(undefined);
        }}
      >
        {`${AGREEMENT} 选定后不能更换，其他报价随之结束。`}
      </ConfirmDialog>
    </Panel>
  );
}

function Maker({ offer: { provider } }: { offer: MatchupOffer }) {
  if (!provider) return <Box sx={{ color: "text.secondary" }}>服务商已注销账号</Box>;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.5, alignItems: "baseline" }}>
      <Box
        component={Link}
        to={providerPath(provider.providerId)}
        sx={{ fontWeight: 600, color: "primary.main", textDecoration: "none", overflowWrap: "anywhere" }}
      >
        {provider.name || "服务商"}
      </Box>
      <Box component="span" className="tabular" sx={{ fontSize: 12, color: "text.secondary" }}>
        {[
          provider.certified ? "已认证" : "",
          `结束 ${provider.done} 次对接`,
          starsText(provider.ratingCount, provider.ratingSum),
        ]
          .filter(Boolean)
          .join(" · ")}
      </Box>
    </Box>
  );
}
