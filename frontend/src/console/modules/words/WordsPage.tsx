import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import { toast } from "@/ui/toast";
import {
  type PersonalWordItem,
  personalApi,
  useWordListQuery,
  useWordRemoveMutation,
} from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { wordOf } from "../../kit/choices";
import { count, minute, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { ReasonDialog } from "../../kit/reason";
import { State } from "../../kit/State";
import { useList } from "../../kit/useList";
import { useMay } from "../../session/slice";
import { ImportDialog } from "./ImportDialog";
import { TestBox } from "./TestBox";
import { WordDialog } from "./WordDialog";
import { ACTIONS } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "text", name: "text", label: "查找词语" },
  { kind: "choice", name: "action", label: "处理", choices: ACTIONS },
];

const COLUMNS: readonly ListColumn<PersonalWordItem>[] = [
  { key: "word", title: "词语", render: ({ word }) => word, csv: ({ word }) => word },
  {
    key: "action",
    title: "处理",
    render: ({ action }) => <State words={ACTIONS} value={action} />,
    csv: ({ action }) => wordOf(ACTIONS, action).text,
  },
  {
    key: "replacement",
    title: "替换为",
    secondary: true,
    render: ({ action, replacement }) => (action === "replace" ? replacement || "星号" : "—"),
    csv: ({ replacement }) => replacement,
  },
  { key: "note", title: "备注", secondary: true, render: ({ note }) => shown(note), csv: ({ note }) => note },
  {
    key: "by",
    title: "最近修改",
    secondary: true,
    render: ({ changedBy, changedAt }) => `${changedBy || "配置"} · ${minute(changedAt)}`,
    csv: ({ changedAt }) => minute(changedAt),
  },
];

type Act = { kind: "add" | "import" } | { kind: "edit" | "remove"; word: PersonalWordItem };
const small = { minHeight: 24, py: 0, px: 0.5, minWidth: 0 } as const;

/** The word lists that texts are checked against, and a test of them. */
export default function WordsPage() {
  const may = useMay();
  const manage = may("word.manage");
  const state = useList(FILTERS);
  const [act, setAct] = useState<Act>();
  const close = () => setAct(undefined);
  const query = useWordListQuery(
    { ...state.values, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  const columns: readonly ListColumn<PersonalWordItem>[] = manage
    ? [
        ...COLUMNS,
        {
          key: "act",
          title: "操作",
          render: (word) => (
            <Box sx={{ whiteSpace: "nowrap" }}>
              <Button
                size="small"
                sx={small}
                aria-label={`修改 ${word.word}`}
                onClick={() => setAct({ kind: "edit", word })}
              >
                修改
              </Button>
              <Button
                size="small"
                color="error"
                sx={small}
                aria-label={`移除 ${word.word}`}
                onClick={() => setAct({ kind: "remove", word })}
              >
                移除
              </Button>
            </Box>
          ),
        },
      ]
    : COLUMNS;
  return (
    <>
      <PageTitle
        title="敏感词"
        note={page ? `共 ${count(page.totalCount)} 个；改动立即对所有新文本生效` : "改动立即对所有新文本生效"}
      />
      <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2 }}>
        <TestBox />
        <List
          id="words"
          what="敏感词"
          filters={FILTERS}
          state={state}
          columns={columns}
          rowKey={({ word }) => word}
          result={page && { rows: page.words, next: page.next }}
          error={query.error}
          loading={query.isFetching}
          onRetry={query.refetch}
          fetchPage={async (after) => {
            const { words, next } = await runQuery(
              personalApi.endpoints.wordList.initiate(
                { ...state.values, after, size: EXPORT_PAGE },
                { forceRefetch: true },
              ),
            );
            return { rows: words, next };
          }}
          actions={
            manage && (
              <>
                <Button size="small" variant="outlined" onClick={() => setAct({ kind: "import" })}>
                  导入
                </Button>
                <Button size="small" variant="contained" onClick={() => setAct({ kind: "add" })}>
                  添加
                </Button>
              </>
            )
          }
        />
      </Box>
      {act?.kind === "add" && <WordDialog onClose={close} />}
      {act?.kind === "edit" && <WordDialog word={act.word} onClose={close} />}
      {act?.kind === "import" && <ImportDialog onClose={close} />}
      {act?.kind === "remove" && <RemoveDialog word={act.word.word} onClose={close} />}
    </>
  );
}

function RemoveDialog({ word, onClose }: { word: string; onClose: () => void }) {
  const [remove] = useWordRemoveMutation();
  return (
    <ReasonDialog
      ask={{
        title: `移除“${word}”`,
        note: "移除后含有它的新文本不再受影响。",
        confirmText: "移除",
        danger: true,
        templates: ["误判过多", "不再需要"],
        onConfirm: async (reason) => {
          await remove({ word, reason }).unwrap();
          toast.success("已移除");
        },
      }}
      onClose={onClose}
    />
  );
}
