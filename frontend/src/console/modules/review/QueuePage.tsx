import Button from "@mui/material/Button";
import { personalApi, useReviewListQuery } from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { count } from "../../kit/format";
import { type Filter, List } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { Nothing } from "../../kit/states";
import { useList } from "../../kit/useList";
import { usePolling } from "../../kit/usePolling";
import { useShortcuts } from "../../kit/useShortcuts";
import { useMay } from "../../session/slice";
import { OF_ALL } from "./columns";
import { useNext } from "./useNext";
import { KINDS } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "kind", label: "类型", choices: KINDS },
  {
    kind: "choice",
    name: "state",
    label: "待审",
    usual: "waiting",
    choices: [
      { value: "waiting", text: "待审" },
      { value: "decided", text: "已审核" },
      { value: "accepted", text: "已通过" },
      { value: "refused", text: "已驳回" },
    ],
  },
  { kind: "text", name: "loginId", label: "用户 ID" },
];

/** Pictures and texts that the automatic checks could not decide, the oldest first. */
export default function QueuePage() {
  const may = useMay();
  const list = useList(FILTERS);
  const next = useNext();
  const { state } = list.values;
  const narrowed = { kind: list.values.kind, state, loginId: list.values.loginId };
  const query = useReviewListQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true, ...usePolling(30_000) },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  const begin = may("review.decide") && page && page.waiting > 0 ? () => void next() : undefined;
  useShortcuts({ KeyN: begin });
  return (
    <>
      <PageTitle
        title="图文审核"
        note={page && `${count(page.waiting)} 份待审`}
        actions={
          begin && (
            <Button size="small" variant="contained" aria-keyshortcuts="Alt+N" title="Alt+N" onClick={begin}>
              开始审核
            </Button>
          )
        }
      />
      <List
        id="review"
        what="图文"
        filters={FILTERS}
        state={list}
        columns={OF_ALL}
        rowKey={({ id }) => id}
        result={page && { rows: page.items, next: page.next }}
        error={query.error}
        loading={query.isFetching && !page}
        onRetry={query.refetch}
        empty={<Nothing title="没有待审内容" />}
        fetchPage={async (after) => {
          const { items, next: further } = await runQuery(
            personalApi.endpoints.reviewList.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: items, next: further };
        }}
      />
    </>
  );
}
