import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { withSeenTurns } from "@/lib/direction";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { toast } from "@/ui/toast";
import { UserText } from "@/ui/UserText";
import { messageOf } from "../../api/envelope";
import {
  type PersonalChatConsoleLine,
  type PersonalChatItem,
  personalApi,
  useChatAnswerMutation,
  useChatCloseMutation,
  useChatConversationQuery,
} from "../../api/generated/personal";
import { runQuery } from "../../api/run";
import { minute } from "../../kit/format";
import { Card } from "../../kit/page";
import { RowLink } from "../../kit/RowLink";
import { Loaded, Nothing } from "../../kit/states";
import { TextInput } from "../../kit/TextInput";
import { useObjectTitle } from "../../kit/title";
import { usePolling } from "../../kit/usePolling";
import { useMay } from "../../session/slice";
import { type Known, withNewest, withOlder } from "./lines";

const MOST_OF_LINE = 1_000;
/** Within this distance of the end the view follows new lines, in pixels. */
const NEAR_END = 80;

/** One conversation, polled while the operator is active. */
export function Conversation({ loginId }: { loginId: string }) {
  const may = useMay();
  const query = useChatConversationQuery(
    { loginId },
    { refetchOnMountOrArgChange: true, ...usePolling(3_000) },
  );
  const [known, setKnown] = useState<Known>();
  const { data } = query;
  useObjectTitle(data && withSeenTurns(`会话：${data.conversation.nickname || loginId}`));
  useEffect(() => {
    if (data) setKnown((old) => withNewest(old, data.lines, data.more));
  }, [data]);

  async function readOlder() {
    const before = known?.lines[0]?.id;
    if (!before) return;
    try {
      const { lines, more } = await runQuery(
        personalApi.endpoints.chatConversation.initiate(
          { loginId, before },
          { forceRefetch: true, subscribe: false },
        ),
      );
      setKnown((old) => old && withOlder(old, lines, more));
    } catch (error) {
      toast.error(messageOf(error) || "没有读到更早的消息，请稍后重试");
    }
  }

  // a failed poll does not hide the lines loaded before
  return (
    <Loaded query={{ ...query, error: known ? undefined : query.error }} what="会话" rows={6}>
      {({ conversation }) => (
        <Card
          title={conversation.nickname || loginId}
          aside={
            <>
              <Box sx={{ fontSize: 13 }}>
                <RowLink to={`/users/${encodeURIComponent(loginId)}`}>用户详情</RowLink>
              </Box>
              {may("chat.answer") && conversation.open && <CloseButton loginId={loginId} />}
            </>
          }
        >
          {known && <Lines known={known} conversation={conversation} onOlder={readOlder} />}
          {may("chat.answer") && <AnswerForm loginId={loginId} />}
        </Card>
      )}
    </Loaded>
  );
}

function Lines({
  known: { lines, older },
  conversation,
  onOlder,
}: {
  known: Known;
  conversation: PersonalChatItem;
  onOlder: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const follows = useRef(true);
  const last = lines.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever a line arrives
  useEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [last]);
  return (
    <Box
      ref={box}
      tabIndex={0}
      role="log"
      aria-label="消息"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
      }}
      sx={{
        height: "min(52vh, 560px)",
        overflowY: "auto",
        display: "grid",
        gap: 1,
        alignContent: "start",
        pb: 1,
      }}
    >
      {older && (
        <Button size="small" color="inherit" onClick={onOlder} sx={{ justifySelf: "center" }}>
          更早的消息
        </Button>
      )}
      {lines.length === 0 && <Nothing title="还没有消息" />}
      {lines.map((line) => (
        <Line key={line.id} line={line} user={conversation.nickname || "用户"} />
      ))}
      {!conversation.open && (
        <Box sx={{ textAlign: "center", fontSize: 12, color: "text.secondary" }}>
          会话已结束，用户再次发言时会重新打开
        </Box>
      )}
      {conversation.unread > 0 && (
        <Box sx={{ textAlign: "right", fontSize: 12, color: "text.secondary" }}>
          {`用户还有 ${conversation.unread} 条回复未读`}
        </Box>
      )}
    </Box>
  );
}

function Line({ line, user }: { line: PersonalChatConsoleLine; user: string }) {
  const ours = line.operator !== "";
  return (
    <Box sx={{ justifySelf: ours ? "end" : "start", maxWidth: "80%" }}>
      <Box sx={{ fontSize: 12, color: "text.secondary", textAlign: ours ? "right" : "left" }}>
        <bdi>{withSeenTurns(line.operator || user)}</bdi>
        {` · ${minute(line.createdAt)}`}
      </Box>
      <UserText
        sx={{
          px: 1.5,
          py: 0.75,
          borderRadius: 2,
          backgroundColor: ours ? "action.selected" : "background.default",
          border: 1,
          borderColor: "divider",
        }}
      >
        {line.content}
      </UserText>
    </Box>
  );
}

/** Sends an answer; a retry after a lost response is idempotent. */
function AnswerForm({ loginId }: { loginId: string }) {
  const [send, { isLoading }] = useChatAnswerMutation();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const clientId = useRef({ text: "", id: "" });
  async function submit() {
    const content = text.trim();
    if (!content || isLoading) return;
    setProblem("");
    if (clientId.current.text !== content) clientId.current = { text: content, id: newId() };
    try {
      await send({ loginId, content, clientId: clientId.current.id }).unwrap();
      clientId.current = { text: "", id: "" };
      setText("");
    } catch (error) {
      setProblem(messageOf(error) || "没有发送成功，请稍后重试");
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void submit();
  };
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      sx={{ mt: 1.5 }}
    >
      <TextInput
        label="回复"
        rows={2}
        max={MOST_OF_LINE}
        hint="Enter 发送，Shift+Enter 换行"
        value={text}
        problem={problem}
        onKeyDown={onKeyDown}
        onChange={setText}
      />
      <Button type="submit" size="small" variant="contained" loading={isLoading} disabled={!text.trim()}>
        发送
      </Button>
    </Box>
  );
}

/** The console's listener may be reached without TLS, where browsers have no `randomUUID`. */
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

function CloseButton({ loginId }: { loginId: string }) {
  const [close] = useChatCloseMutation();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button size="small" color="inherit" onClick={() => setAsked(true)}>
        结束会话
      </Button>
      <ConfirmDialog
        open={asked}
        title="结束会话"
        confirmText="结束"
        onClose={() => setAsked(false)}
        onConfirm={async () => {
          try {
            await close({ loginId }).unwrap();
            toast.success("会话已结束");
          } catch (error) {
            toast.error(messageOf(error) || "没有完成，请稍后重试");
          }
          setAsked(false);
        }}
      >
        用户再次发言时，会话会重新打开。
      </ConfirmDialog>
    </>
  );
}
