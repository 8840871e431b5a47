import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import { useState } from "react";
import { type Column, DataTable } from "@/ui/DataTable";
import { toast } from "@/ui/toast";
import { useQueryFields } from "@/ui/useQueryFields";
import {
  type AuthRunningDeadLetter,
  type AuthRunningQueue,
  useRunningDeadLettersQuery,
  useRunningDiscardMutation,
  useRunningOverviewQuery,
  useRunningRedeliverMutation,
} from "../../api/generated/auth";
import { count, moment } from "../../kit/format";
import { Card, PageTitle } from "../../kit/page";
import { RowButton } from "../../kit/RowButton";
import { type ReasonAsk, ReasonDialog } from "../../kit/reason";
import { Loaded, Nothing } from "../../kit/states";
import { useMay } from "../../session/slice";
import { partName } from "./words";

/** Dead letters by consumer; they can be redelivered or discarded. */
export default function DeadLettersPage() {
  const overview = useRunningOverviewQuery({});
  return (
    <>
      <PageTitle
        back={{ to: "/running", text: "运行状况" }}
        title="死信"
        note="消息内容可能含个人信息，不在这里显示"
      />
      <Loaded query={overview} what="队列">
        {({ queues }) => (queues.length > 0 ? <ByQueue queues={queues} /> : <Nothing title="没有队列" />)}
      </Loaded>
    </>
  );
}

/** The queue of the address, otherwise the one that was the fullest when the page was opened: it stays while it empties. */
function ByQueue({ queues }: { queues: readonly AuthRunningQueue[] }) {
  const [query, setQuery] = useQueryFields();
  const [fullest] = useState(() => [...queues].sort((a, b) => b.dead - a.dead)[0]?.name ?? "");
  const asked = query.get("queue") ?? "";
  const queue = queues.some(({ name }) => name === asked) ? asked : fullest;
  return (
    <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Select
        size="small"
        value={queue}
        onChange={(event) => setQuery({ queue: event.target.value })}
        inputProps={{ "aria-label": "消费方" }}
        sx={{ width: { xs: "100%", sm: 280 }, fontSize: 13 }}
      >
        {queues.map(({ name, dead }) => (
          <MenuItem key={name} value={name}>
            {`${partName(name)}：${count(dead)} 条`}
          </MenuItem>
        ))}
      </Select>
      {/* not those of the queue before while they are read */}
      <Letters key={queue} queue={queue} />
    </Box>
  );
}

/** What was chosen: to redeliver one letter, or all without one, or to discard one. */
interface Act {
  kind: "redeliver" | "discard";
  letter?: AuthRunningDeadLetter;
}

const nameOf = ({ key, id }: AuthRunningDeadLetter) => `${key} ${id}`;

/** An operator's act on its way to the log: discarded, it would never stand there. */
const isAct = ({ key }: AuthRunningDeadLetter) => key.endsWith(".audit.recorded");

function Letters({ queue }: { queue: string }) {
  const may = useMay();
  const query = useRunningDeadLettersQuery({ queue });
  const [act, setAct] = useState<Act>();
  const manage = may("running.manage");
  const columns: Column<AuthRunningDeadLetter>[] = [
    { key: "at", title: "时间", render: (letter) => moment(letter.at) },
    { key: "key", title: "事件", render: (letter) => letter.key },
    { key: "error", title: "最后一次错误", render: (letter) => letter.error },
    { key: "id", title: "编号", secondary: true, render: (letter) => letter.id },
    ...(manage
      ? [
          {
            key: "act",
            title: "操作",
            render: (letter: AuthRunningDeadLetter) => (
              <Box sx={{ display: "flex", alignItems: "center", whiteSpace: "nowrap" }}>
                <RowButton
                  text="重新投递"
                  label={`重新投递 ${nameOf(letter)}`}
                  onClick={() => setAct({ kind: "redeliver", letter })}
                />
                {isAct(letter) ? (
                  <Box sx={{ color: "text.secondary", ml: 0.75 }}>操作日志，不能丢弃</Box>
                ) : (
                  <RowButton
                    text="丢弃"
                    label={`丢弃 ${nameOf(letter)}`}
                    danger
                    onClick={() => setAct({ kind: "discard", letter })}
                  />
                )}
              </Box>
            ),
          },
        ]
      : []),
  ];
  return (
    <>
      <Loaded query={query} what="死信">
        {({ letters }) => (
          <Card
            title={partName(queue)}
            flush
            aside={
              manage &&
              letters.length > 1 && (
                <Button size="small" variant="outlined" onClick={() => setAct({ kind: "redeliver" })}>
                  全部重新投递
                </Button>
              )
            }
          >
            <DataTable
              caption={`${partName(queue)}的死信`}
              columns={columns}
              rows={letters}
              rowKey={(letter) => letter.id}
              cards
              empty={<Nothing title="没有死信" hint="这个消费方没有放弃过消息。" />}
            />
          </Card>
        )}
      </Loaded>
      <ActDialog act={act} queue={queue} onClose={() => setAct(undefined)} />
    </>
  );
}

/** Asks for the reason. A refusal, for example because a colleague was quicker, is shown, and the letters are read anew. */
function ActDialog({ act, queue, onClose }: { act: Act | undefined; queue: string; onClose: () => void }) {
  const [redeliver] = useRunningRedeliverMutation();
  const [discard] = useRunningDiscardMutation();
  const { key, id } = act?.letter ?? { key: "", id: "" };
  const asks: Record<Act["kind"], ReasonAsk> = {
    redeliver: {
      title: "重新投递",
      note: id
        ? `“${key}”会再次交给${partName(queue)}处理。`
        : `${partName(queue)}的全部死信会再次交给它处理。`,
      confirmText: "重新投递",
      templates: ["问题已修复，重新处理", "依赖已恢复"],
      onConfirm: async (reason) => {
        const { redelivered } = await redeliver({ queue, id, reason }).unwrap();
        toast.success(`已重新投递 ${redelivered} 条`);
      },
    },
    discard: {
      title: "丢弃死信",
      note: `“${key}”会被永久删除，${partName(queue)}再也不会处理这个事件，也无法恢复。确定不需要它的结果再丢弃。`,
      confirmText: "丢弃",
      danger: true,
      templates: ["已手工处理", "对象已不存在，无需处理", "重复事件"],
      onConfirm: async (reason) => {
        await discard({ queue, id, reason }).unwrap();
        toast.success("死信已丢弃");
      },
    },
  };
  return <ReasonDialog ask={act && asks[act.kind]} onClose={onClose} />;
}
