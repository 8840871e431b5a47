import Box from "@mui/material/Box";
import { useParams } from "react-router";
import { formatBytes } from "@/ui/bytes";
import { safeHref } from "@/ui/safeHref";
import { UserText } from "@/ui/UserText";
import {
  type MatchupDemandItem,
  useDemandDecideMutation,
  useDemandHideMutation,
  useDemandRestoreMutation,
  useDemandShowQuery,
} from "../../api/generated/matchup";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { Acts } from "./Acts";
import { DEMAND_STATES } from "./words";

/** One need: its content, its files, and the decision. */
export default function DemandPage() {
  const { id = "" } = useParams();
  const query = useDemandShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="需求" rows={8}>
      {(item) => <Demand item={item} />}
    </Loaded>
  );
}

function Demand({ item }: { item: MatchupDemandItem }) {
  const { demand, owner, revision, submittedAt, suspects } = item;
  const [decide] = useDemandDecideMutation();
  const [hide] = useDemandHideMutation();
  const [restore] = useDemandRestoreMutation();
  if (!demand) return <Nothing title="没有这个需求" />;
  const id = demand.demandId;
  return (
    <>
      <PageTitle
        back={{ to: "/matching", text: "需求审核" }}
        title={demand.title || "未填写标题"}
        state={<State words={DEMAND_STATES} value={demand.state} />}
        note={submittedAt > 0 && `于 ${minute(submittedAt)} 提交`}
        actions={
          <Acts
            waiting={demand.state === "review"}
            shown={demand.state === "open"}
            hidden={demand.state === "hidden"}
            approve={(reason) => decide({ id, revision, decision: "approve", reason }).unwrap()}
            refuse={(reason) => decide({ id, revision, decision: "refuse", reason }).unwrap()}
            hide={(reason) => hide({ id, reason }).unwrap()}
            restore={(reason) => restore({ id, reason }).unwrap()}
          />
        }
      />
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
        <Card title="要点">
          <Facts
            facts={[
              [
                "发布者",
                owner ? (
                  <RowLink key="owner" to={`/users/${encodeURIComponent(owner)}`}>
                    {demand.nickname}
                  </RowLink>
                ) : (
                  "平台示例"
                ),
              ],
              ["类别", shown(demand.category)],
              ["行业", shown(demand.industry)],
              ["预算（元）", demand.budgetHigh > 0 ? `${demand.budgetLow} – ${demand.budgetHigh}` : "面议"],
              ["报价截止", demand.until > 0 ? minute(demand.until) : "—"],
              ["报价", demand.offerCount],
              ["可疑词语", shown(suspects.join("、"))],
              ["原因", shown(demand.reason)],
            ]}
          />
        </Card>
        <Card title="需求说明">
          <UserText sx={{ fontSize: 13 }}>{shown(demand.content)}</UserText>
        </Card>
        <Card title="附件">
          {demand.files.length === 0 && <Nothing title="没有附件" />}
          {demand.files.map((file) => (
            <Box key={file.fileId} sx={{ fontSize: 13 }}>
              <Box
                component="a"
                href={safeHref(file.url)}
                sx={{ color: "primary.main", overflowWrap: "anywhere" }}
              >
                {file.name}
              </Box>
              {`　${formatBytes(file.bytes)}`}
            </Box>
          ))}
        </Card>
      </Box>
    </>
  );
}
