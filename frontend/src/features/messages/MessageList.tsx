import Button from "@mui/material/Button";
import {
  useDeleteMessagesMutation,
  useListMessagesQuery,
  useReadMessagesMutation,
  useUnreadMessagesQuery,
} from "@/calls/personal";
import { useSession } from "@/session";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, RowList, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { GROUPS, pageOf } from "./groups";
import { MessageRow } from "./MessageRow";

/** The user's messages: of one group, or all. */
export function MessageList({ group }: { group: string }) {
  const { loginId } = useSession();
  const list = useListAddress({ pageSize: 10 });
  const messages = useListMessagesQuery(
    { userId: loginId, group, ...list.request },
    { refetchOnMountOrArgChange: true },
  );
  const unread = useUnreadMessagesQuery({ userId: loginId }).data;
  const [read, reading] = useReadMessagesMutation();
  const [remove, removing] = useDeleteMessagesMutation();
  const busy = reading.isLoading || removing.isLoading;
  const counts: Record<string, number> = { ...unread?.groups, "": unread?.total ?? 0 };
  const here = GROUPS.find(({ id }) => id === group);
  const left = counts[group] ?? 0;

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
      <ListPage
        what="消息"
        query={messages}
        list={list}
        tabs={
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
        }
        empty={{ kind: "results", title: here?.empty ?? "还没有消息", hint: "有新消息时，页头会出现红点。" }}
      >
        {(rows) => (
          <RowList label="消息">
            {rows.map((message) => (
              <MessageRow
                key={message.id}
                message={message}
                busy={busy}
                onRead={() => void read({ userId: loginId, ids: message.id })}
                onDelete={() => void remove({ userId: loginId, ids: message.id })}
              />
            ))}
          </RowList>
        )}
      </ListPage>
    </>
  );
}
