import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useCallback, useRef, useState } from "react";
import { useParams } from "react-router";
import { toast } from "@/ui/toast";
import {
  type ContentArticleShowReply,
  useArticleSaveMutation,
  useArticleShowQuery,
} from "../../api/generated/content";
import { wordOf } from "../../kit/choices";
import { minute } from "../../kit/format";
import { Card, Facts, PageTitle } from "../../kit/page";
import { State } from "../../kit/State";
import { Loaded } from "../../kit/states";
import { useMay } from "../../session/slice";
import { Acts } from "./Acts";
import { ArticleForm } from "./ArticleForm";
import { draftOf, requestOf } from "./form";
import { Revisions } from "./Revisions";
import { KINDS, readKind, STATES } from "./words";

/** One article: its draft, its published state, and every revision. */
export default function ArticlePage() {
  const { id = "" } = useParams();
  const query = useArticleShowQuery({ id }, { refetchOnMountOrArgChange: true });
  return (
    <Loaded query={query} what="文章" rows={10}>
      {(found) => <Page key={found.article.id} found={found} onReload={query.refetch} />}
    </Loaded>
  );
}

function Page({ found, onReload }: { found: ContentArticleShowReply; onReload: () => void }) {
  const { article } = found;
  const may = useMay();
  const [writing, setWriting] = useState(false);
  const shown = article.publishedRevision;
  return (
    <>
      <PageTitle
        back={{ to: "/articles", text: "文章" }}
        title={article.title || article.slug}
        state={<State words={STATES} value={article.state} />}
        note={`${wordOf(KINDS, article.kind).text} · 最近修改 ${minute(article.updatedAt)}`}
        actions={<Acts article={article} writing={writing} />}
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <Card title="在网站上">
          <Facts
            facts={[
              ["地址", article.path],
              ["短名", article.slug],
              ["展示的版本", shown > 0 ? `版本 ${shown}` : "无"],
              ["最新的版本", `版本 ${article.latestRevision}`],
              [
                article.state === "scheduled" ? "将于" : "发布于",
                article.publishedAt > 0 ? minute(article.publishedAt) : "—",
              ],
              ["来源", article.fromSeed ? "随程序提供，保存后以运营的为准" : "运营编辑"],
            ]}
          />
        </Card>
        {may("article.edit") && <Draft found={found} onReload={onReload} onWriting={setWriting} />}
        <Revisions found={found} />
      </Box>
    </>
  );
}

/** The form, started from a revision; a newer one is offered, and never replaces unsaved changes. */
function Draft({
  found,
  onReload,
  onWriting,
}: {
  found: ContentArticleShowReply;
  onReload: () => void;
  onWriting: (writing: boolean) => void;
}) {
  const { article, draft } = found;
  const [save] = useArticleSaveMutation();
  const latest = article.latestRevision;
  const [begun, setBegun] = useState(() => ({ revision: latest, start: draftOf(draft) }));
  const writing = useRef(false);
  const reportWriting = useCallback(
    (changed: boolean) => {
      writing.current = changed;
      onWriting(changed);
    },
    [onWriting],
  );
  const begin = () => {
    writing.current = false;
    setBegun({ revision: latest, start: draftOf(draft) });
  };
  const newer = latest !== begun.revision;
  if (newer && !writing.current) begin();
  return (
    <>
      {newer && writing.current && (
        <Alert
          severity="warning"
          action={
            <Button size="small" color="inherit" onClick={begin}>
              放弃修改并读取
            </Button>
          }
        >
          {`已有新版本 ${latest}，您正在修改的是版本 ${begun.revision}。`}
        </Alert>
      )}
      <ArticleForm
        key={begun.revision}
        kind={readKind(article.kind)}
        start={begun.start}
        onWriting={reportWriting}
        onReload={() => {
          writing.current = false;
          onReload();
        }}
        onSave={async (form, saved) => {
          await save({ id: article.id, draft: requestOf(form), baseRevision: begun.revision }).unwrap();
          writing.current = false;
          saved();
          toast.success("草稿已保存");
        }}
      />
    </>
  );
}
