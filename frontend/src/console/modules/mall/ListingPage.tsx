import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { useParams } from "react-router";
import { formatBytes } from "@/ui/bytes";
import { UserText } from "@/ui/UserText";
import {
  type TransactionListingShowReply,
  useCategoryListQuery,
  useListingShowQuery,
} from "../../api/generated/transaction";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle, Timeline } from "../../kit/page";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { Changes } from "./Changes";
import { Decisions } from "./Decisions";
import { Maker } from "./Maker";
import { OnSale } from "./OnSale";
import { Pictures } from "./Pictures";
import { Twins } from "./Twins";
import {
  actionText,
  categoryName,
  factsOf,
  LICENSES,
  MAKERS,
  ORIGINS,
  priceText,
  STATES,
  VERSION_STATES,
} from "./words";

/** One listing: its maker's statements, the engine's facts, similar models, and the decision. */
export default function ListingPage() {
  const { id = "" } = useParams();
  const query = useListingShowQuery({ listingId: id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="模型" rows={10}>
      {(found) => <Listing key={found.item.listing.listingId} found={found} />}
    </Loaded>
  );
}

function Listing({ found }: { found: TransactionListingShowReply }) {
  const { item, versions } = found;
  const { listing } = item;
  const looked = versions.find(({ number }) => number === item.reviewedVersion) ?? versions[0];
  const sold = found.approvedFacts && versions.find(({ number }) => number === listing.version);
  return (
    <>
      <PageTitle
        back={{ to: "/mall", text: "模型审核" }}
        title={listing.name}
        state={<State words={STATES} value={item.state} />}
        note={item.reviewedVersion > 0 && `第 ${item.reviewedVersion} 版于 ${minute(item.submittedAt)} 提交`}
        actions={<Decisions item={item} />}
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
          {found.approved && (
            <Card title="本次修改">
              <Changes found={found} />
            </Card>
          )}
          {sold && looked ? (
            <Card title="在售版本与新版本">
              <OnSale found={found} sold={sold} looked={looked} />
            </Card>
          ) : (
            <Card title="展示图">
              <Pictures pictures={looked?.pictures ?? []} gone={item.state === "removed"} />
            </Card>
          )}
          <Card title="相似的模型">
            <Twins own={listing} twins={found.twins} />
          </Card>
          <Card title="作者填写">
            <Said found={found} />
          </Card>
        </Box>
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Card title="作者">
            <Column
              facts={[
                ["账号", <Maker key="maker" of={listing} linked />],
                ["身份", wordOf(MAKERS, String(listing.uploaderType)).text],
                ["违规次数", found.strikes],
              ]}
            />
          </Card>
          <Card title="检测结果">
            <Column
              facts={[
                ["格式", listing.formats.join("、").toUpperCase()],
                ["文件大小", looked ? formatBytes(looked.bytes) : "—"],
                ...counted(found),
              ]}
            />
          </Card>
          <Card title="版本">
            <Timeline
              entries={versions.map((version) => ({
                id: String(version.number),
                time: minute(version.createdAt),
                title: `第 ${version.number} 版　${wordOf(VERSION_STATES, version.state).text}`,
                detail: version.textsOnly ? "只修改资料" : version.notes,
              }))}
            />
          </Card>
          <Card title="记录">
            <Timeline
              entries={found.records.map((record) => ({
                id: `${record.at}${record.action}`,
                time: minute(record.at),
                title: actionText(record, found.records),
                detail: record.reason,
              }))}
            />
          </Card>
        </Box>
      </Box>
    </>
  );
}

/** The engine's facts or, before they exist, those of the check. */
function counted({
  facts,
  item: { listing },
}: TransactionListingShowReply): readonly (readonly [string, string])[] {
  const found = factsOf(facts);
  if (found.length > 0) return found;
  return [
    ["三角面", listing.triangles.toLocaleString("zh-CN")],
    ["动画", listing.animation ? "有" : "无"],
    ["体检得分", String(listing.score)],
  ];
}

function Said({ found }: { found: TransactionListingShowReply }) {
  const { listing } = found.item;
  const categories = useCategoryListQuery({});
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {found.hints.length > 0 && <Alert severity="warning">{`${found.hints.join("；")}，请核对`}</Alert>}
      <Facts
        facts={[
          ["分类", shown(categoryName(categories.data?.categories ?? [], listing.categoryId))],
          ["价格", priceText(listing.price)],
          ["授权", wordOf(LICENSES, listing.license).text],
          ["来源", wordOf(ORIGINS, listing.origin).text],
          ["标签", shown(found.labelNames.join("、"))],
        ]}
      />
      <Box sx={{ fontSize: 13, fontWeight: 500, overflowWrap: "anywhere" }}>{shown(listing.intro)}</Box>
      {found.description && <UserText sx={{ fontSize: 13 }}>{found.description}</UserText>}
    </Box>
  );
}

/** Facts in a narrow card: one column at every width. */
function Column({ facts }: Parameters<typeof Facts>[0]) {
  return (
    <Box sx={{ "& dl": { gridTemplateColumns: "80px minmax(0, 1fr)" } }}>
      <Facts facts={facts} />
    </Box>
  );
}
