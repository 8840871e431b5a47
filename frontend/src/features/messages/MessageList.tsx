import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import {
  useDeleteMessagesMutation,
  useListMessagesQuery,
  useReadMessagesMutation,
  useUnreadMessagesQuery,
} from "@/calls/personal";
import { useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { LinkTabs } from "@/ui/LinkTabs";
import { PageHeader } from "@/ui/PageHeader";
import { Pager } from "@/ui/Pager";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";
import { GROUPS, pageOf } from "./groups";
import { MessageRow } from "./MessageRow";

const PAGE_SIZE = 10;

/** My messages: of one group, or of all. */
export function MessageList({ group }: { group: string }) {
  const { loginId } = useSession();
  const [pageNo, setPage] = useState(1);
  const asked = { userId: loginId, group, pageNo, pageSize: PAGE_SIZE };
  const list = useListMessagesQuery(asked, { refetchOnMountOrArgChange: true });
  const unread = useUnreadMessagesQuery({ userId: loginId }).data;
  const [read, reading] = useReadMessagesMutation();
  const [remove, removing] = useDeleteMessagesMutation();
  const busy = reading.isLoading || removing.isLoading;
  const counts: Record<string, number> = { ...unread?.groups, "": unread?.total ?? 0 };
  const here = GROUPS.find(({ id }) => id === group);
  const shown = list.isError ? list.currentData : list.data;
  const messages = shown?.results ?? [];
  const left = counts[group] ?? 0;

  async function removeOne(id: string) {
    await remove({ userId: loginId, ids: id });
    // The last one of a page: what comes before is shown.
    if (messages.length === 1 && pageNo > 1) setPage(pageNo - 1);
  }

  return (
    <>
      <PageHeader
        title={here ? here.text : "我的消息"}
        note={unread && (left > 0 ? `${left} 条未读` : "没有未读消息")}
        actions={
          <Button
            variant="outlined"
            disabled={left === 0 || busy}
            onClick={() => void read({ userId: loginId, group })}
          >
            全部已读
          </Button>
        }
      />
      <Box sx={{ mb: 2 }}>
        <LinkTabs
          label="消息分组"
          current={group}
          tabs={[{ id: "", text: "全部" }, ...GROUPS].map(({ id, text }) => ({
            id,
            text,
            to: pageOf(id),
            count: counts[id],
          }))}
        />
      </Box>
      {list.isLoading && <LinesSkeleton lines={6} />}
      {list.isError && !shown && <ReadFailed what="消息" onRetry={list.refetch} />}
      {shown && messages.length === 0 && (
        <EmptyState kind="results" title={here?.empty ?? "还没有消息"} hint="有新消息时，页头会出现红点。" />
      )}
      {messages.length > 0 && (
        <>
          <Box
            component="ul"
            aria-label="消息"
            sx={{
              listStyle: "none",
              m: 0,
              p: 0,
              border: 1,
              borderColor: "divider",
              borderRadius: 2,
              backgroundColor: "background.paper",
            }}
          >
            {messages.map((message) => (
              <MessageRow
                key={message.id}
                message={message}
                busy={busy}
                onRead={() => void read({ userId: loginId, ids: message.id })}
                onDelete={() => void removeOne(message.id)}
              />
            ))}
          </Box>
          <Pager total={shown?.totalCount ?? 0} page={pageNo} pageSize={PAGE_SIZE} onPage={setPage} />
        </>
      )}
    </>
  );
}
