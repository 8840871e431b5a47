import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogTitle from "@mui/material/DialogTitle";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import dayjs from "dayjs";
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type PersonalChatLine, useChatLinesMutation, useSendChatMutation } from "@/calls/personal";
import { touches } from "@/lib/pointer";
import { useQueue } from "@/realtime";
import Close from "@/ui/icons/Close";
import { ReadFailed } from "@/ui/ReadFailed";
import { LinesSkeleton } from "@/ui/Skeletons";

/** Polling interval of an open conversation, in addition to pushes. */
const LOOK_MS = 5_000;
const MAX_CONTENT = 1000;

/** The known lines, oldest first, and functions that load newer and older ones. */
function useLines() {
  const [lines, setLines] = useState<readonly PersonalChatLine[]>([]);
  const [earlier, setEarlier] = useState(false);
  const [state, setState] = useState<"asked" | "known" | "failed">("asked");
  const [ask] = useChatLinesMutation();
  const newest = useRef("");
  const add = useCallback((more: readonly PersonalChatLine[]) => {
    setLines((before) => {
      const fresh = more.filter(({ id }) => !before.some((line) => line.id === id));
      const all = [...before, ...fresh].sort((a, b) => (a.id < b.id ? -1 : 1));
      return fresh.length > 0 ? all : before;
    });
  }, []);
  const look = useCallback(async () => {
    const answer = await ask({ after: newest.current });
    if (!answer.data) {
      setState((before) => (before === "known" ? before : "failed"));
      return;
    }
    setState("known");
    if (!newest.current) setEarlier(answer.data.earlier);
    add(answer.data.lines);
    // Only fetched lines move the mark: an unknown line may precede the user's own.
    for (const { id } of answer.data.lines) if (id > newest.current) newest.current = id;
  }, [ask, add]);
  useQueue("CHAT", () => void look());
  useEffect(() => {
    void look();
    const timer = window.setInterval(() => void look(), LOOK_MS);
    return () => window.clearInterval(timer);
  }, [look]);
  const oldest = lines[0]?.id ?? "";
  const lookBack = useCallback(async () => {
    const answer = await ask({ before: oldest });
    if (!answer.data) return;
    setEarlier(answer.data.earlier);
    add(answer.data.lines);
  }, [ask, add, oldest]);
  return { lines, add, look, lookBack, earlier, state };
}

/** Time of today's lines; date and time of older ones. */
const timeText = (ms: number) =>
  dayjs(ms).format(dayjs(ms).isSame(dayjs(), "day") ? "HH:mm" : "YYYY-MM-DD HH:mm");

function Line({ line }: { line: PersonalChatLine }) {
  return (
    <Box
      component="li"
      sx={{ display: "flex", justifyContent: line.mine ? "flex-end" : "flex-start", mb: 1.5 }}
    >
      <Box
        sx={(theme) => ({
          maxWidth: "80%",
          px: 1.5,
          py: 1,
          borderRadius: 2,
          whiteSpace: "pre-wrap",
          overflowWrap: "anywhere",
          backgroundColor: line.mine ? theme.tokens.primarySoft : "background.default",
        })}
      >
        <Box component="span" sx={{ display: "block", fontSize: 12, color: "text.secondary" }}>
          {`${line.mine ? "我" : "客服"} · ${timeText(line.createTime)}`}
        </Box>
        {line.content}
      </Box>
    </Box>
  );
}

/** The conversation with support. */
export function ChatDialog({ onClose }: { onClose: () => void }) {
  const { lines, add, look, lookBack, earlier, state } = useLines();
  const [send, { isLoading }] = useSendChatMutation();
  const [text, setText] = useState("");
  // A retry after a lost response keeps the id, so that sending is idempotent.
  const clientId = useRef(crypto.randomUUID());
  const end = useRef<HTMLDivElement>(null);
  const last = lines.at(-1)?.id;
  const log = useRef<HTMLDivElement>(null);
  // What was read stays in its place when older lines come above it.
  const height = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when older lines have come
  useLayoutEffect(() => {
    if (log.current && height.current !== undefined)
      log.current.scrollTop += log.current.scrollHeight - height.current;
    height.current = undefined;
  }, [lines[0]?.id]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls to a new line
  useEffect(() => {
    // Newer browsers return a promise, which must not become the cleanup.
    void end.current?.scrollIntoView({ block: "end" });
  }, [last]);

  const say = async () => {
    const content = text.trim();
    if (!content || isLoading) return;
    const answer = await send({ content, clientId: clientId.current });
    if (!answer.data) return;
    add([answer.data]);
    setText((now) => (now.trim() === content ? "" : now));
    clientId.current = crypto.randomUUID();
  };

  return (
    <Dialog open fullWidth maxWidth="xs" aria-labelledby="support-chat" onClose={onClose}>
      <DialogTitle id="support-chat" sx={{ display: "flex", alignItems: "center" }}>
        <Box component="span" sx={{ flex: 1 }}>
          在线客服
        </Box>
        <IconButton aria-label="关闭" onClick={onClose}>
          <Close />
        </IconButton>
      </DialogTitle>
      <Box ref={log} sx={{ height: 360, overflowY: "auto", px: 3 }} role="log" aria-label="对话" tabIndex={0}>
        {earlier && (
          <Box sx={{ mb: 1.5, textAlign: "center" }}>
            <Button
              size="small"
              onClick={() => {
                height.current = log.current?.scrollHeight;
                void lookBack();
              }}
            >
              查看更早的消息
            </Button>
          </Box>
        )}
        {state === "asked" && lines.length === 0 && <LinesSkeleton lines={4} />}
        {state === "failed" && <ReadFailed dense what="对话" onRetry={() => void look()} />}
        {state === "known" && lines.length === 0 && (
          <Box sx={{ color: "text.secondary", fontSize: 14 }}>
            您好，请描述您的问题。客服回复后会显示在这里，离开页面也不会丢失。
          </Box>
        )}
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none" }}>
          {lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </Box>
        <div ref={end} />
      </Box>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          void say();
        }}
        sx={{ display: "flex", gap: 1, p: 2, borderTop: 1, borderColor: "divider" }}
      >
        <TextField
          autoFocus
          fullWidth
          multiline
          maxRows={4}
          size="small"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            // Another text is another message.
            clientId.current = crypto.randomUUID();
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            void say();
          }}
          placeholder={touches() ? "输入消息" : "输入消息，Enter 发送"}
          slotProps={{ htmlInput: { maxLength: MAX_CONTENT, "aria-label": "消息" } }}
        />
        <Button type="submit" variant="contained" loading={isLoading} disabled={!text.trim()}>
          发送
        </Button>
      </Box>
    </Dialog>
  );
}
