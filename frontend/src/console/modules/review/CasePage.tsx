import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { useParams } from "react-router";
import { DataTable } from "@/ui/DataTable";
import { toast } from "@/ui/toast";
import { UserText } from "@/ui/UserText";
import { messageOf } from "../../api/envelope";
import {
  type PersonalReviewItem,
  type PersonalReviewShowReply,
  useReviewClaimMutation,
  useReviewShowQuery,
} from "../../api/generated/personal";
import { EvidencePicture } from "../../kit/file";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { useShortcuts } from "../../kit/useShortcuts";
import { useMay, useOperator } from "../../session/slice";
import { readPicture } from "./calls";
import { OF_ONE } from "./columns";
import { Decisions } from "./Decisions";
import { useNext } from "./useNext";
import { isClaimed, isOthers, STATES, userPath, whatOf } from "./words";

/** One suspicious picture or text: claimed, reviewed, decided; then the next one. */
export default function CasePage() {
  const { id = "" } = useParams();
  const query = useReviewShowQuery({ id }, { refetchOnMountOrArgChange: true });
  const { currentData: data, error, isFetching, refetch } = query;
  return (
    <Loaded query={{ data, error, isFetching, refetch }} what="待审内容" rows={8}>
      {(found) => <Page key={id} found={found} />}
    </Loaded>
  );
}

function Page({ found }: { found: PersonalReviewShowReply }) {
  const may = useMay();
  const me = useOperator().name;
  const next = useNext();
  const [claim, { isLoading }] = useReviewClaimMutation();
  const [claimed, setClaimed] = useState<PersonalReviewItem>();
  // a decision reloads the case; a claim returns it
  const item = found.item.state === "waiting" ? (claimed ?? found.item) : found.item;
  const now = Date.now();
  const others = isOthers(item, me, now);
  const mine = isClaimed(item, now) && !others;
  const decidable = may("review.decide") && item.state === "waiting";

  async function take(release: boolean) {
    try {
      setClaimed(await claim({ id: item.id, release }).unwrap());
      toast.success(release ? "已退回队列" : "已领取，15 分钟内由您审核");
    } catch (error) {
      toast.error(messageOf(error) || "没有完成，请稍后重试");
    }
  }
  const goOn = () => void next(item);
  useShortcuts({
    KeyN: goOn,
    KeyC: decidable && !others ? () => void take(mine) : undefined,
  });

  return (
    <>
      <PageTitle
        back={{ to: "/review", text: "图文审核" }}
        title={`待审内容：${whatOf(item)}`}
        state={<State words={STATES} value={item.state} />}
        actions={
          <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
            {decidable && !others && (
              <Button
                size="small"
                variant="outlined"
                color="inherit"
                loading={isLoading}
                aria-keyshortcuts="Alt+C"
                title="Alt+C"
                onClick={() => take(mine)}
              >
                {mine ? "退回队列" : "领取"}
              </Button>
            )}
            {decidable && !others && <Decisions item={item} onDone={goOn} />}
            <Button size="small" color="inherit" aria-keyshortcuts="Alt+N" title="Alt+N" onClick={goOn}>
              下一份
            </Button>
          </Box>
        }
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        {others && (
          <Alert severity="info">{`${item.claimedBy} 正在审核，${minute(item.claimedUntil)} 之前其他人不能处理。`}</Alert>
        )}
        <Card title="内容">
          {item.kind === "picture" ? (
            <EvidencePicture label="待审图片" readPart={readPicture(item.id)} />
          ) : (
            <UserText sx={{ fontSize: 16 }}>{found.text}</UserText>
          )}
        </Card>
        <Card title="信息">
          <Facts
            facts={[
              [
                "用户",
                <RowLink key="u" to={userPath(item.loginId)}>
                  {item.nickname || item.loginId}
                </RowLink>,
              ],
              ["提交时间", minute(item.createdAt)],
              ["送审原因", shown(item.cause)],
              [
                "领取",
                mine ? `由您审核至 ${minute(item.claimedUntil)}` : shown(others ? item.claimedBy : ""),
              ],
              ...(item.state === "waiting"
                ? []
                : ([
                    ["审核人", shown(item.decidedBy)],
                    ["审核时间", minute(item.decidedAt)],
                    ["审核原因", shown(item.decision)],
                  ] as const)),
            ]}
          />
        </Card>
        <Card title="该用户以前的审核" flush>
          <DataTable
            caption="以前的审核记录"
            columns={OF_ONE}
            rows={found.earlier}
            rowKey={({ id }) => id}
            empty={<Nothing title="以前没有审核记录" />}
          />
        </Card>
      </Box>
    </>
  );
}
