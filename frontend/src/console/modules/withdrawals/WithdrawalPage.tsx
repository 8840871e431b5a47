import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { useParams } from "react-router";
import { type PaymentWithdrawalShowReply, useWithdrawalShowQuery } from "../../api/generated/payment";
import { wordOf } from "../../kit/choices";
import { count, minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { useOperator } from "../../session/slice";
import { Deeds } from "./Deeds";
import { PayCard } from "./PayCard";
import { CHANNELS, cardOf, STATES, yuan } from "./words";

/** One withdrawal: the sources of the income, and the possible actions. */
export default function WithdrawalPage() {
  const { id = "" } = useParams();
  const query = useWithdrawalShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="提现" rows={8}>
      {(found) => <Withdrawal key={found.item.id} found={found} />}
    </Loaded>
  );
}

function Withdrawal({ found }: { found: PaymentWithdrawalShowReply }) {
  const { item } = found;
  const { name: me } = useOperator();
  return (
    <>
      <PageTitle
        back={{ to: "/withdrawals", text: "收入提现" }}
        title={yuan(item.amount)}
        state={<State words={STATES} value={item.state} />}
        note={`${minute(item.requestedAt)} 申请`}
        actions={<Deeds item={item} me={me} />}
      />
      {found.frozen && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          该模型师已冻结，请先核实再打款。
        </Alert>
      )}
      {found.standingUnknown && (
        <Alert severity="info" sx={{ mb: 2 }}>
          暂时查不到该模型师是否冻结，请稍后刷新。
        </Alert>
      )}
      <Box
        sx={{
          display: "grid",
          gap: 2,
          alignItems: "start",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) minmax(0, 1fr)" },
        }}
      >
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Card title="提现">
            <Facts
              facts={[
                [
                  "账号",
                  <RowLink key="user" to={`/users/${encodeURIComponent(item.loginId)}`}>
                    {item.loginId}
                  </RowLink>,
                ],
                ["金额", yuan(item.amount)],
                ["手续费", yuan(item.fee)],
                ["应打款", yuan(item.amount - item.fee)],
                ["收款卡", cardOf(item)],
                ["持卡人", shown(item.holder)],
                ["审核", item.needsTwo ? "大额，需两人审核" : "一人审核"],
                ...(item.needsTwo ? ([["初审", shown(item.checkedBy)]] as const) : []),
                ["审核人", shown(item.approvedBy)],
                ["打款人", shown(item.paidBy)],
                ["银行流水号", shown(item.reference)],
                ["原因", shown(item.reason)],
                ["结束时间", item.endedAt > 0 ? minute(item.endedAt) : shown("")],
              ]}
            />
          </Card>
          {item.state === "paying" && item.paidBy === me && <PayCard item={item} />}
        </Box>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Card title="收入来源">
            <Facts
              facts={[
                ["累计收入", yuan(found.earned)],
                ...found.sources.map(
                  (source) =>
                    [
                      `其中${wordOf(CHANNELS, source.channel).text}`,
                      `${yuan(source.cents)}，${count(source.sales)} 笔`,
                    ] as const,
                ),
                ["来自获赠云币的买家", yuan(found.fromGifted)],
                ["已提现", yuan(found.withdrawn)],
                ["可用收入", yuan(found.incomeBalance)],
                ["待抵扣", yuan(found.debt)],
              ]}
            />
          </Card>
          <Card title="主要买家">
            <Facts
              facts={
                found.buyers.length === 0
                  ? [["买家", "还没有售出"]]
                  : found.buyers.map(
                      (buyer) =>
                        [
                          buyer.loginId,
                          `${yuan(buyer.cents)}，${count(buyer.sales)} 笔，获赠云币 ${yuan(buyer.gifted)}`,
                        ] as const,
                    )
              }
            />
          </Card>
        </Box>
      </Box>
    </>
  );
}
