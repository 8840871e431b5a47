import Box from "@mui/material/Box";
import { useParams } from "react-router";
import { UserText } from "@/ui/UserText";
import {
  type MatchupProviderItem,
  useProviderDecideMutation,
  useProviderHideMutation,
  useProviderRestoreMutation,
  useProviderShowQuery,
} from "../../api/generated/matchup";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { Acts } from "./Acts";
import { PROVIDER_STATES } from "./words";

/** One provider: the profile, and the decision. */
export default function ProviderPage() {
  const { id = "" } = useParams();
  const query = useProviderShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="服务商" rows={8}>
      {(item) => <Provider item={item} />}
    </Loaded>
  );
}

function Provider({ item }: { item: MatchupProviderItem }) {
  const { card, state, revision, reason: why, submittedAt, suspects } = item;
  const [decide] = useProviderDecideMutation();
  const [hide] = useProviderHideMutation();
  const [restore] = useProviderRestoreMutation();
  if (!card) return <Nothing title="没有这个服务商" />;
  const id = card.providerId;
  return (
    <>
      <PageTitle
        back={{ to: "/matching/providers", text: "服务商" }}
        title={card.name || "未认证"}
        state={<State words={PROVIDER_STATES} value={state} />}
        note={submittedAt > 0 && `于 ${minute(submittedAt)} 提交`}
        actions={
          <Acts
            waiting={state === "review"}
            shown={state === "shown"}
            hidden={state === "hidden"}
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
                "账号",
                card.userId ? (
                  <RowLink key="user" to={`/users/${encodeURIComponent(card.userId)}`}>
                    {card.userId}
                  </RowLink>
                ) : (
                  "平台示例"
                ),
              ],
              ["认证", card.certified ? "已认证" : "未认证"],
              ["服务", shown(card.skills.join("、"))],
              ["行业", shown(card.industries.join("、"))],
              ["地区", shown(card.region)],
              ["结束的对接", card.done],
              ["可疑词语", shown(suspects.join("、"))],
              ["原因", shown(why)],
            ]}
          />
        </Card>
        <Card title="服务介绍">
          <UserText sx={{ fontSize: 13 }}>{shown(card.introduce)}</UserText>
        </Card>
      </Box>
    </>
  );
}
