import { dayEnd, dayStart } from "@/ui/DateRange";
import { personalApi, useFeedbackListQuery } from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { count } from "../../kit/format";
import { type Filter, List } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { useList } from "../../kit/useList";
import { OF_ALL } from "./columns";
import { STATES, TYPES } from "./words";

const PAGE = 50;
const EXPORT_PAGE = 100;

const FILTERS: readonly Filter[] = [
  { kind: "choice", name: "state", label: "状态", choices: STATES, none: { open: "没有待回复的反馈" } },
  { kind: "choice", name: "type", label: "类型", choices: TYPES },
  { kind: "text", name: "loginId", label: "用户 ID" },
  { kind: "days" },
];

/** Users' reports and requests. */
export default function ListPage() {
  const list = useList(FILTERS);
  const { state, type, loginId, from, to } = list.values;
  const narrowed = {
    state,
    type: type ? Number(type) : undefined,
    loginId,
    from: dayStart(from ?? ""),
    to: dayEnd(to ?? ""),
  };
  const query = useFeedbackListQuery(
    { ...narrowed, after: list.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);
  return (
    <>
      <PageTitle title="反馈" note={page && `${count(page.open)} 条待回复`} />
      <List
        id="feedback"
        what="反馈"
        filters={FILTERS}
        state={list}
        columns={OF_ALL}
        rowKey={({ id }) => id}
        result={page && { rows: page.items, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        fetchPage={async (after) => {
          const { items, next } = await runQuery(
            personalApi.endpoints.feedbackList.initiate(
              { ...narrowed, after, size: EXPORT_PAGE },
              { forceRefetch: true },
            ),
          );
          return { rows: items, next };
        }}
      />
    </>
  );
}
