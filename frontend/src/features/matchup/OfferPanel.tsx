import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { Link } from "react-router";
import {
  type MatchupDemand,
  type MatchupOffer,
  useSendOfferMutation,
  useServiceInfoQuery,
  useWithdrawOfferMutation,
} from "@/calls/matchup";
import { useAuthDialog, useSession } from "@/session";
import { FormDialog } from "@/ui/FormDialog";
import { Panel } from "@/ui/Panel";
import { ReadFailed } from "@/ui/ReadFailed";
import { StatusTag } from "@/ui/StatusTag";
import { toast } from "@/ui/toast";
import { OFFER_STATES, OWN_PROFILE, wordOf, yuan } from "./words";

const LONGEST = 2000;
/** Why the user cannot make an offer yet, by the state of their profile. */
const MAY_NOT_YET: Readonly<Record<string, string>> = {
  draft: "发布服务商资料后可以报价：写清做过什么、怎么交付。",
  review: "服务商资料正在审核，通过后可以报价。",
  hidden: "服务商资料已被平台下架，请联系客服。",
};

/** Actions for users other than the owner: make, change or withdraw an offer. */
export function OfferPanel({ demand }: { demand: MatchupDemand }) {
  const { loginId, signedIn } = useSession();
  const dialog = useAuthDialog();
  const profile = useServiceInfoQuery({ userId: loginId }, { skip: !loginId });
  const own = profile.data;
  const [open, setOpen] = useState(false);
  const [withdraw, { isLoading }] = useWithdrawOfferMutation();
  const { offer } = demand;
  if (demand.example) {
    return (
      <Panel title="示例需求">
        <Box sx={{ px: 2.5, pb: 2.5, color: "text.secondary" }}>
          这个需求用来说明怎样把要求写清楚，不接受报价。
        </Box>
      </Panel>
    );
  }
  const back = async () => {
    if (!offer) return;
    const answer = await withdraw({ offerId: offer.offerId });
    if (!answer.error) toast.success("报价已撤回");
  };
  const sent = offer?.state === "sent";
  return (
    <Panel title={offer ? "我的报价" : "报价"}>
      <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 1.5 }}>
        {offer && <OfferFacts offer={offer} />}
        {demand.state === "open" && !signedIn && (
          <Button
            variant="contained"
            onClick={() =>
              dialog.open("login", { returnURL: window.location.pathname + window.location.search })
            }
          >
            登录后报价
          </Button>
        )}
        {demand.state === "open" && signedIn && profile.isError && !profile.isFetching && (
          <ReadFailed what="服务商资料" onRetry={() => void profile.refetch()} />
        )}
        {demand.state === "open" && signedIn && profile.isLoading && (
          <Skeleton variant="rounded" height={36} />
        )}
        {demand.state === "open" && signedIn && own && own.state !== "shown" && (
          <>
            <Box sx={{ color: "text.secondary" }}>{MAY_NOT_YET[own.state] ?? MAY_NOT_YET.draft}</Box>
            <Button component={Link} to={OWN_PROFILE} variant="contained">
              完善服务商资料
            </Button>
          </>
        )}
        {demand.state === "open" && signedIn && own?.state === "shown" && (
          <Button variant={sent ? "outlined" : "contained"} onClick={() => setOpen(true)}>
            {sent ? "修改报价" : "我来报价"}
          </Button>
        )}
        {demand.state === "open" && sent && (
          <Button color="inherit" loading={isLoading} onClick={() => void back()}>
            撤回报价
          </Button>
        )}
      </Box>
      {open && <OfferDialog demand={demand} onClose={() => setOpen(false)} />}
    </Panel>
  );
}

export function OfferFacts({ offer }: { offer: MatchupOffer }) {
  const state = wordOf(OFFER_STATES, offer.state);
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, alignItems: "center" }}>
        <Box component="span" className="tabular" sx={{ fontSize: 20, fontWeight: 600 }}>
          {yuan(offer.price)}
        </Box>
        <Box component="span" className="tabular" sx={{ color: "text.secondary" }}>
          {`${offer.days} 天交付`}
        </Box>
        <StatusTag tone={state.tone}>{state.text}</StatusTag>
      </Box>
      <Box sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{offer.proposal}</Box>
    </Box>
  );
}

function OfferDialog({ demand, onClose }: { demand: MatchupDemand; onClose: () => void }) {
  const { loginId } = useSession();
  const [price, setPrice] = useState(demand.offer ? String(demand.offer.price) : "");
  const [days, setDays] = useState(demand.offer ? String(demand.offer.days) : "");
  const [proposal, setProposal] = useState(demand.offer?.proposal ?? "");
  const [tried, setTried] = useState(false);
  const [send, { isLoading }] = useSendOfferMutation();
  const whole = (text: string) => /^\d{1,9}$/.test(text) && Number(text) > 0;
  const wrong = {
    price: tried && !whole(price) ? "请填写整数金额，单位元" : "",
    days: tried && !(whole(days) && Number(days) <= 730) ? "请填写 1 至 730 天" : "",
    proposal: tried && proposal.trim().length < 10 ? "至少 10 个字，写清怎么做、交付什么" : "",
  };
  const submit = async () => {
    setTried(true);
    if (!whole(price) || !whole(days) || Number(days) > 730 || proposal.trim().length < 10) return;
    const answer = await send({
      userId: loginId,
      demandId: demand.demandId,
      price: Number(price),
      days: Number(days),
      proposal: proposal.trim(),
    });
    if (answer.error) return;
    toast.success("报价已发出");
    onClose();
  };
  return (
    <FormDialog
      title={demand.offer?.state === "sent" ? "修改报价" : "我来报价"}
      note="选定之前可以随时修改。方案里不要留联系方式，选定后双方自动可见。"
      confirmText="发出报价"
      busy={isLoading}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <Box sx={{ display: "grid", gap: 2, pt: 1 }}>
        <TextField
          label="价格（元）"
          value={price}
          onChange={(event) => setPrice(event.target.value.trim())}
          error={Boolean(wrong.price)}
          helperText={wrong.price || " "}
          slotProps={{ htmlInput: { inputMode: "numeric", maxLength: 9 } }}
        />
        <TextField
          label="交付周期（天）"
          value={days}
          onChange={(event) => setDays(event.target.value.trim())}
          error={Boolean(wrong.days)}
          helperText={wrong.days || " "}
          slotProps={{ htmlInput: { inputMode: "numeric", maxLength: 3 } }}
        />
        <TextField
          label="方案"
          multiline
          minRows={4}
          maxRows={10}
          value={proposal}
          onChange={(event) => setProposal(event.target.value)}
          error={Boolean(wrong.proposal)}
          helperText={wrong.proposal || `${proposal.length}/${LONGEST}`}
          slotProps={{ htmlInput: { maxLength: LONGEST } }}
        />
      </Box>
    </FormDialog>
  );
}
