import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useParams } from "react-router";
import { formatBytes } from "@/ui/bytes";
import { safeHref } from "@/ui/safeHref";
import { UserText } from "@/ui/UserText";
import {
  useWorkShowQuery,
  type WorksWorkModel,
  type WorksWorkReport,
  type WorksWorkShowReply,
} from "../../api/generated/works";
import { wordOf } from "../../kit/choices";
import { minute, shown } from "../../kit/format";
import { Card, Facts, PageTitle, Timeline } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { State } from "../../kit/State";
import { Loaded, Nothing } from "../../kit/states";
import { Decisions } from "./Decisions";
import { ACTIONS, EDIT_STATES, REASONS, STATES, TYPES, VISIBILITIES } from "./words";

/** One work: its author's statements, its model, its reports, and the decision. */
export default function WorkPage() {
  const { id = "" } = useParams();
  const query = useWorkShowQuery({ worksId: id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="作品" rows={10}>
      {(found) => <Work key={found.item.card.id} found={found} />}
    </Loaded>
  );
}

const COLUMN = { display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" } as const;

function Work({ found }: { found: WorksWorkShowReply }) {
  const { item, work, records, reports } = found;
  const { card } = item;
  return (
    <>
      <PageTitle
        back={{ to: "/works", text: "作品审核" }}
        title={card.name || "未命名"}
        state={
          <>
            <State words={STATES} value={item.state} />
            {item.editState !== "" && <State words={EDIT_STATES} value={item.editState} />}
          </>
        }
        note={item.submittedAt > 0 && `于 ${minute(item.submittedAt)} 提交`}
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
        <Box sx={COLUMN}>
          <Card title="模型">
            <Pictures model={work?.model} before={found.shownModel} />
          </Card>
          <Card title="作者填写">
            <Said found={found} />
          </Card>
          <Card title="举报">
            <Reports reports={reports} />
          </Card>
        </Box>
        <Box sx={COLUMN}>
          <Card title="作者">
            <Column
              facts={[
                [
                  "账号",
                  <RowLink key="user" to={`/users/${encodeURIComponent(card.userId)}`}>
                    {card.userId}
                  </RowLink>,
                ],
                ["昵称", shown(card.nickname)],
              ]}
            />
          </Card>
          <Card title="数字">
            <Column
              facts={[
                ["浏览", card.browseNumber],
                ["点赞", card.likeNumber],
                ["收藏", card.collectNumber],
                ["评论", card.commentNumber],
                ["首页推荐", item.recommended ? "是" : "否"],
              ]}
            />
          </Card>
          <Card title="记录">
            <Timeline
              entries={records.map((record) => ({
                id: `${record.at}${record.action}`,
                time: minute(record.at),
                title: `${wordOf(ACTIONS, record.action).text}${record.bundle > 0 ? `　第 ${record.bundle} 版模型` : ""}`,
                detail: record.reason,
              }))}
            />
          </Card>
        </Box>
      </Box>
    </>
  );
}

/** The submitted model, and the one it would replace. */
function Pictures({ model, before }: { model?: WorksWorkModel; before?: WorksWorkModel }) {
  const two = model && before && before.bundle !== model.bundle;
  const all = [
    { title: two ? "提交的" : "", of: model ?? before },
    { title: "正在展示的", of: two ? before : undefined },
  ];
  if (!all[0]?.of) return <Nothing title="模型还没有准备好" />;
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr" } }}>
      {all.map(
        ({ title, of }) =>
          of && (
            <Box key={of.bundle} sx={{ minWidth: 0 }}>
              {of.posterUrl && (
                <Box
                  component="img"
                  src={of.posterUrl}
                  alt={`${title}模型的画面`}
                  sx={{ width: "100%", aspectRatio: "1", objectFit: "contain", bgcolor: "action.hover" }}
                />
              )}
              <Box sx={{ fontSize: 13 }}>
                {[
                  title,
                  `第 ${of.bundle} 版`,
                  of.format.toUpperCase(),
                  formatBytes(of.bytes),
                  `${of.triangles.toLocaleString("zh-CN")} 三角面`,
                ]
                  .filter(Boolean)
                  .join("　")}
              </Box>
              {safeHref(of.modelUrl) && (
                <Button component="a" size="small" href={safeHref(of.modelUrl)} download sx={{ ml: -0.5 }}>
                  下载模型查看
                </Button>
              )}
            </Box>
          ),
      )}
    </Box>
  );
}

function Said({ found: { item, work } }: { found: WorksWorkShowReply }) {
  const { card } = item;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Facts
        facts={[
          ["类型", wordOf(TYPES, String(card.type)).text],
          ["分类", shown(card.categoryName)],
          ["行业", shown(card.industryName)],
          ["标签", shown(card.labels.join("、"))],
          ["可见范围", wordOf(VISIBILITIES, item.visibility).text],
          ["评论", work?.commentsAllowed ? "允许" : "不允许"],
          ["下载", work?.downloadAllowed ? "允许" : "不允许"],
        ]}
      />
      <UserText sx={{ fontSize: 13 }}>{shown(card.description)}</UserText>
    </Box>
  );
}

/** Reports by users. */
export function Reports({ reports }: { reports: readonly WorksWorkReport[] }) {
  if (reports.length === 0) return <Nothing title="没有待处理的举报" />;
  return (
    <Timeline
      entries={reports.map((report) => ({
        id: report.reportId,
        time: minute(report.at),
        title: `${wordOf(REASONS, report.reason).text}　${report.userId}`,
        detail: report.content,
      }))}
    />
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
