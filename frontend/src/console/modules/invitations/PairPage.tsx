import Box from "@mui/material/Box";
import { Fragment } from "react";
import { useParams } from "react-router";
import { toast } from "@/ui/toast";
import {
  type AuthInvitationItem,
  type AuthInvitationShowReply,
  type AuthInvitationSide,
  useInvitationRefuseMutation,
  useInvitationReleaseMutation,
  useInvitationShowQuery,
} from "../../api/generated/auth";
import { count, minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { DecisionBar } from "../../kit/reason";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { useMay } from "../../session/slice";
import { nameOf, rewardOf, STATES } from "./words";

/** One pair: both sides, its suspicions, and the decision. */
export default function PairPage() {
  const { id = "" } = useParams();
  const query = useInvitationShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="邀请" rows={10}>
      {(found) => <Pair found={found} />}
    </Loaded>
  );
}

const Person = ({ side }: { side: AuthInvitationSide }) => (
  <RowLink to={`/users/${encodeURIComponent(side.loginId)}`}>{nameOf(side)}</RowLink>
);

function Pair({ found }: { found: AuthInvitationShowReply }) {
  const { item } = found;
  return (
    <>
      <PageTitle
        back={{ to: "/invitations", text: "邀请奖励" }}
        title={`${nameOf(item.inviter)} 邀请 ${nameOf(item.invitee)}`}
        state={<State words={STATES} value={item.state} />}
        actions={<Decisions item={item} />}
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <Card title="邀请">
          <Facts
            facts={[
              ["邀请人", <Person key="inviter" side={item.inviter} />],
              ["被邀请人", <Person key="invitee" side={item.invitee} />],
              ["邀请人注册", minute(found.inviterSince)],
              ["被邀请人注册", minute(found.inviteeSince)],
              ["邀请人奖励", rewardOf(item, item.inviter)],
              ["被邀请人奖励", rewardOf(item, item.invitee)],
              ["填写推广码", minute(item.createdAt)],
              ["达成时间", minute(item.qualifiedAt)],
              ["处理人", shown(item.decidedBy)],
            ]}
          />
        </Card>
        <Evidence found={found} />
      </Box>
    </>
  );
}

/** The reply lists the nearest inviter first; shown from the chain's start. */
function Chain({ found }: { found: AuthInvitationShowReply }) {
  if (found.chain.length === 0) return <>邀请人不是被邀请来的</>;
  const people = [...found.chain].reverse();
  return (
    <>
      {people.map((side) => (
        <Fragment key={side.loginId}>
          <Person side={side} />
          {" → "}
        </Fragment>
      ))}
      {`${nameOf(found.item.inviter)} → ${nameOf(found.item.invitee)}`}
    </>
  );
}

function Evidence({ found }: { found: AuthInvitationShowReply }) {
  const { item } = found;
  const inviterPairs = `/invitations?loginId=${encodeURIComponent(item.inviter.loginId)}`;
  return (
    <Card title="核查依据">
      <Facts
        facts={[
          ["疑点", item.suspicion.length > 0 ? item.suspicion.join("；") : "没有发现"],
          ["共同登录地址", found.sharedAddresses.length > 0 ? found.sharedAddresses.join("、") : "没有"],
          ["邀请链", <Chain key="chain" found={found} />],
          [
            "邀请人的邀请",
            <RowLink key="pairs" to={inviterPairs}>
              {`共 ${count(found.inviterPairs)} 人，近 24 小时 ${count(found.inviterPairsDay)} 人`}
            </RowLink>,
          ],
          ["其中", `${count(found.inviterHeld)} 人待处理，${count(found.inviterRefused)} 人已拒绝`],
          ["当月奖励", `${count(found.monthCount)} / ${count(found.monthLimit)} 人`],
        ]}
      />
    </Card>
  );
}

function Decisions({ item }: { item: AuthInvitationItem }) {
  const may = useMay();
  const [release] = useInvitationReleaseMutation();
  const [refuse] = useInvitationRefuseMutation();
  const allowed = may("invitation.decide");
  return (
    <DecisionBar
      label="处理奖励"
      decisions={[
        {
          id: "refuse",
          text: "拒绝",
          title: "拒绝奖励",
          danger: true,
          allowed: allowed && (item.state === "held" || item.state === "pending"),
          note: "双方都不会获得奖励，此操作不能撤销。",
          templates: ["同一人注册多个账号", "批量注册账号", "邀请人连环邀请套取奖励"],
          onConfirm: async (reason) => {
            await refuse({ id: item.id, reason }).unwrap();
            toast.success("奖励已拒绝");
          },
        },
        {
          id: "release",
          text: "发放",
          title: "发放奖励",
          main: true,
          allowed: allowed && item.state === "held",
          note: "双方的云币会随即入账；邀请人超出当月上限时只奖励被邀请人。",
          templates: ["已核实为不同的人", "同一公司或家庭网络，属正常邀请"],
          onConfirm: async (reason) => {
            await release({ id: item.id, reason }).unwrap();
            toast.success("奖励已发放");
          },
        },
      ]}
    />
  );
}
