import Button from "@mui/material/Button";
import dayjs from "dayjs";
import { useRef, useState } from "react";
import { csvText, saveText } from "@/lib/csv";
import { toast } from "@/ui/toast";
import { messageOf } from "../api/envelope";
import type { ListColumn, Rows } from "./list";

/** Larger exports are a task for the database, not for a browser. */
export const MOST_ROWS = 10_000;

/** Reads every row of a list, page by page; `go` receives the count and returns whether to continue. */
export async function readAll<Row>(
  fetchPage: (after: string) => Promise<Rows<Row>>,
  go: (done: number) => boolean,
): Promise<{ rows: Row[]; whole: boolean } | undefined> {
  const all: Row[] = [];
  for (let after = ""; ; ) {
    const { rows, next } = await fetchPage(after);
    all.push(...rows);
    if (!go(all.length)) return undefined;
    if (!next) return { rows: all, whole: true };
    if (all.length >= MOST_ROWS) return { rows: all.slice(0, MOST_ROWS), whole: false };
    after = next;
  }
}

/** Exports all rows of the current filters as a CSV file. A second click stops it. */
export function ExportButton<Row>({
  name,
  columns,
  empty,
  fetchPage,
}: {
  name: string;
  columns: readonly ListColumn<Row>[];
  empty: boolean;
  fetchPage: (after: string) => Promise<Rows<Row>>;
}) {
  const [done, setDone] = useState<number>();
  const running = useRef(false);

  async function run() {
    if (running.current) {
      running.current = false;
      return;
    }
    running.current = true;
    setDone(0);
    try {
      const all = await readAll(fetchPage, (rows) => {
        setDone(rows);
        return running.current;
      });
      if (!all) return;
      const exported = columns.flatMap(({ title, csv }) => (csv ? [{ title, csv }] : []));
      const text = csvText([
        exported.map(({ title }) => title),
        ...all.rows.map((row) => exported.map(({ csv }) => csv(row))),
      ]);
      saveText(`${name}-${dayjs().format("YYYYMMDD-HHmmss")}.csv`, text);
      if (!all.whole) toast.warning(`只导出了前 ${MOST_ROWS.toLocaleString("zh-CN")} 条，请缩小筛选范围`);
    } catch (error) {
      toast.error(messageOf(error) || "导出没有完成，请稍后重试");
    } finally {
      running.current = false;
      setDone(undefined);
    }
  }

  return (
    <Button size="small" variant="outlined" color="inherit" disabled={empty} onClick={run}>
      {done === undefined ? "导出 CSV" : `已读 ${done} 条，点击停止`}
    </Button>
  );
}
