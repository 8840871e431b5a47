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
  useRunningDeadLettersQuery,
  useRunningOverviewQuery,
  useRunningRedeliverMutation,
} from "../../api/generated/auth";
import { count, moment } from "../../kit/format";
import { Card, PageTitle } from "../../kit/page";
import { ReasonDialog } from "../../kit/reason";
import { Loaded, Nothing } from "../../kit/states";
import { useMay } from "../../session/slice";
import { partName } from "./words";

/** Dead letters by consumer, with a button to redeliver them. */
export default function DeadLettersPage() {
  const [query, setQuery] = useQueryFields();
  const overview = useRunningOverviewQuery({});
  return (
    <>
      <PageTitle
        back={{ to: "/running", text: "运行状况" }}
        title="死信"
        note="消息内容可能含个人信息，不在这里显示"
      />
      <Loaded query={overview} what="队列">
        {({ queues }) => {
          const asked = query.get("queue") ?? "";
          const fullest = [...queues].sort((a, b) => b.dead - a.dead)[0];
          const queue = queues.some(({ name }) => name === asked) ? asked : (fullest?.name ?? "");
          if (!queue) return <Nothing title="没有队列" />;
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
              <Letters queue={queue} />
            </Box>
          );
        }}
      </Loaded>
    </>
  );
}

function Letters({ queue }: { queue: string }) {
  const may = useMay();
  const query = useRunningDeadLettersQuery({ queue });
  const [redeliver] = useRunningRedeliverMutation();
  const [chosen, setChosen] = useState<{ id: string; text: string }>();
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
              <Button
                size="small"
                aria-label={`重新投递 ${letter.key} ${letter.id}`}
                onClick={() =>
                  setChosen({ id: letter.id, text: `“${letter.key}”会再次交给 ${queue} 处理。` })
                }
                sx={{ minHeight: 24, py: 0, px: 0.5, minWidth: 0, whiteSpace: "nowrap" }}
              >
                重新投递
              </Button>
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
                <Button
                  size="small"
                  variant="outlined"
                  onClick={() =>
                    setChosen({ id: "", text: `${partName(queue)}的全部死信会再次交给它处理。` })
                  }
                >
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
              empty={<Nothing title="没有死信" hint="这个消费方没有放弃过消息。" />}
            />
          </Card>
        )}
      </Loaded>
      <ReasonDialog
        ask={
          chosen && {
            title: "重新投递",
            note: chosen.text,
            confirmText: "重新投递",
            templates: ["问题已修复，重新处理", "依赖已恢复"],
            onConfirm: async (reason) => {
              const { redelivered } = await redeliver({ queue, id: chosen.id, reason }).unwrap();
              toast.success(`已重新投递 ${redelivered} 条`);
            },
          }
        }
        onClose={() => setChosen(undefined)}
      />
    </>
  );
}
