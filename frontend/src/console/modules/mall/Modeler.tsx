import Box from "@mui/material/Box";
import { useState } from "react";
import { toast } from "@/ui/toast";
import { UserText } from "@/ui/UserText";
import {
  type TransactionModelerShowReply,
  useModelerDecideMutation,
  useModelerFreezeMutation,
  useModelerUnfreezeMutation,
} from "../../api/generated/transaction";
import { ChoiceInput } from "../../kit/ChoiceInput";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle, Timeline } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { DecisionBar } from "../../kit/reason";
import { State } from "../../kit/State";
import { useMay } from "../../session/slice";
import {
  CERTIFIED,
  MAKERS,
  MODELER_ACTIONS,
  MODELER_APPROVALS,
  MODELER_FREEZES,
  MODELER_REFUSALS,
  MODELER_STATES,
  MODELER_UNFREEZES,
  STATES,
  shareText,
} from "./words";

const GRANTED = MAKERS.filter(({ value }) => value !== "0");

export function Modeler({ found }: { found: TransactionModelerShowReply }) {
  const { item, page, listings } = found;
  return (
    <>
      <PageTitle
        back={{ to: "/mall/modelers", text: "模型师" }}
        title={item.nickname || item.loginId}
        state={<State words={MODELER_STATES} value={item.frozen ? "frozen" : item.state} />}
        note={item.appliedAt > 0 && `${minute(item.appliedAt)} 申请`}
        actions={<Deeds found={found} />}
      />
      <Box
        sx={{
          display: "grid",
          gap: 2,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 2fr) minmax(0, 1fr)" },
        }}
      >
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Card title="申请说明">
            <UserText sx={{ fontSize: 13 }}>{found.statement || "没有申请过"}</UserText>
          </Card>
          <Card title="公开主页">
            <Facts
              facts={[
                ["标语", shown(page?.slogan ?? "")],
                ["介绍", shown(page?.introduction ?? "")],
                ["轮播", `${page?.carousel.length ?? 0} 个模型`],
              ]}
            />
          </Card>
          <Card title="记录">
            <Timeline
              entries={found.records.map((record) => ({
                id: `${record.at}${record.action}`,
                time: minute(record.at),
                title: wordOf(MODELER_ACTIONS, record.action).text,
                detail: record.reason,
              }))}
            />
          </Card>
        </Box>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Card title="账号">
            <Facts
              facts={[
                [
                  "账号",
                  <RowLink key="user" to={`/users/${encodeURIComponent(item.loginId)}`}>
                    {item.loginId}
                  </RowLink>,
                ],
                ["身份", wordOf(MAKERS, String(item.uploaderType)).text],
                ["分成", shareText(found.shareBp)],
                ["实名认证", wordOf(CERTIFIED, String(item.checkStatus)).text],
                ["认证姓名", shown(found.realName)],
                ["认证企业", shown(found.companyName)],
                ...(item.frozen ? ([["冻结原因", shown(found.frozenReason)]] as const) : []),
              ]}
            />
          </Card>
          <Card title="作品">
            <Facts
              facts={[
                ...STATES.filter(({ value }) => Number(listings[value] ?? 0) > 0).map(
                  ({ value, text }) => [text, String(listings[value])] as const,
                ),
                ["售出", String(found.sold)],
                ["违规次数", String(found.strikes)],
              ]}
            />
          </Card>
        </Box>
      </Box>
    </>
  );
}

/** The decision on an application, and freezing. */
function Deeds({ found }: { found: TransactionModelerShowReply }) {
  const may = useMay();
  const [decide] = useModelerDecideMutation();
  const [freeze] = useModelerFreezeMutation();
  const [unfreeze] = useModelerUnfreezeMutation();
  const { loginId, version, state, frozen, uploaderType } = found.item;
  const [kind, setKind] = useState(String(uploaderType));
  const waiting = state === "waiting" && may("modeler.decide");
  const manage = may("modeler.freeze");
  const decided = async (decision: string, reason: string, done: string) => {
    await decide({ loginId, version, decision, uploaderType: Number(kind), reason }).unwrap();
    toast.success(done);
  };
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      <DecisionBar
        label="审核申请"
        decisions={[
          {
            id: "refuse",
            text: "拒绝",
            title: "拒绝申请",
            danger: true,
            allowed: waiting,
            shortcut: "R",
            note: "原因会原样告诉申请人，申请人修改后可以重新申请。",
            templates: MODELER_REFUSALS,
            onConfirm: (reason) => decided("refuse", reason, "已拒绝"),
          },
          {
            id: "approve",
            text: "通过",
            title: "通过申请",
            main: true,
            allowed: waiting,
            shortcut: "A",
            note: "通过后开放模型师中心，商城以所选身份展示。原因只记入操作日志。",
            fields: <ChoiceInput label="身份" value={kind} choices={GRANTED} onChange={setKind} />,
            templates: MODELER_APPROVALS,
            onConfirm: (reason) => decided("approve", reason, "已通过"),
          },
        ]}
      />
      <DecisionBar
        label="冻结管理"
        decisions={[
          {
            id: "freeze",
            text: "冻结",
            title: "冻结模型师",
            danger: true,
            allowed: manage && !frozen,
            note: "商城立即不再展示其全部模型，也不能提交新的模型；买家仍保留已购模型。原因会告诉本人。",
            templates: MODELER_FREEZES,
            onConfirm: async (reason) => {
              await freeze({ loginId, reason }).unwrap();
              toast.success("已冻结");
            },
          },
          {
            id: "unfreeze",
            text: "解冻",
            title: "解冻模型师",
            main: true,
            allowed: manage && frozen,
            note: "商城立即重新展示其已上架的模型。",
            templates: MODELER_UNFREEZES,
            onConfirm: async (reason) => {
              await unfreeze({ loginId, reason }).unwrap();
              toast.success("已解冻");
            },
          },
        ]}
      />
    </Box>
  );
}
