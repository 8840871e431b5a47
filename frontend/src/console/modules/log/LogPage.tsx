import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import { useMemo, useState } from "react";
import { saveText } from "@/lib/csv";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { toast } from "@/ui/toast";
import { messageOf } from "../../api/envelope";
import type { AuthAuditItem } from "../../api/generated/auth";
import { authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { moment, shown } from "../../kit/format";
import { type Filter, List, type ListColumn } from "../../kit/list";
import { PageTitle } from "../../kit/page";
import { useNameOf, useParts } from "../../kit/parts";
import { RowLink } from "../../kit/RowLink";
import { serviceName } from "../../kit/services";
import { useList } from "../../kit/useList";
import { useAuditSearchQuery } from "./calls";
import { EntryDialog } from "./Entry";
import { Verify } from "./Verify";
import { AUDITED, isCall, operatorNamed, operatorOf } from "./words";

const PAGE = 50;

const SERVED: Filter = {
  kind: "choice",
  name: "service",
  label: "服务",
  choices: AUDITED.map((value) => ({ value, text: serviceName(value) })),
};

/** Calls that leave an entry, among them those of the command line, by their names. */
function useFilters(): readonly Filter[] {
  const { names, named } = useParts();
  return useMemo(() => {
    const choices = named.flatMap(({ title: group, ids }) =>
      ids.filter(isCall).map((value) => ({ value, text: names[value] ?? value, group })),
    );
    return [
      { kind: "text", name: "operator", label: "操作人" },
      { kind: "choice", name: "call", label: "操作", choices, searched: true },
      { kind: "text", name: "target", label: "对象", placeholder: "对象编号，如用户 ID" },
      SERVED,
      { kind: "days" },
    ];
  }, [names, named]);
}

/** All actions and views of operators. */
export default function LogPage() {
  const filters = useFilters();
  const state = useList(filters);
  const [open, setOpen] = useState<AuthAuditItem>();
  const nameOf = useNameOf();
  const [busy, setBusy] = useState(false);
  const { from, to, ...rest } = state.values;
  const narrowed = {
    ...rest,
    operator: operatorNamed(rest.operator ?? ""),
    from: dayStart(from ?? ""),
    to: dayEnd(to ?? ""),
  };
  const query = useAuditSearchQuery(
    { ...narrowed, after: state.after, size: PAGE },
    { refetchOnMountOrArgChange: true },
  );
  const page = query.currentData ?? (query.error ? undefined : query.data);

  /** The server writes the file, because the export itself is logged. */
  async function save() {
    setBusy(true);
    try {
      const { csv } = await runQuery(
        authApi.endpoints.auditExport.initiate(narrowed, { forceRefetch: true, subscribe: false }),
      );
      saveText(`operator-log-${dayjs().format("YYYYMMDD-HHmmss")}.csv`, csv);
    } catch (error) {
      toast.error(messageOf(error) || "导出没有完成，请稍后重试");
    } finally {
      setBusy(false);
    }
  }

  const columns: readonly ListColumn<AuthAuditItem>[] = [
    { key: "at", title: "时间", width: 168, render: (entry) => moment(entry.at) },
    { key: "operator", title: "操作人", render: (entry) => shown(operatorOf(entry)) },
    {
      key: "act",
      title: "操作",
      render: (entry) => (
        <RowLink label={`${nameOf(entry.call)}，第 ${entry.number} 条`} onClick={() => setOpen(entry)}>
          {nameOf(entry.call)}
        </RowLink>
      ),
    },
    { key: "target", title: "对象", render: (entry) => shown(entry.target) },
    {
      key: "reason",
      title: "原因",
      render: (entry) => <Box sx={{ minWidth: 140, whiteSpace: "normal" }}>{shown(entry.reason)}</Box>,
    },
    { key: "from", title: "来源地址", secondary: true, render: (entry) => shown(entry.remoteAddr) },
    { key: "number", title: "序号", numeric: true, secondary: true, render: (entry) => entry.number },
  ];

  return (
    <>
      <PageTitle title="操作日志" actions={<Verify />} />
      <List
        id="log"
        what="操作记录"
        filters={filters}
        state={state}
        columns={columns}
        rowKey={(entry) => entry.id}
        result={page && { rows: page.entries, next: page.next }}
        error={query.error}
        loading={query.isFetching}
        onRetry={query.refetch}
        actions={
          <Button size="small" variant="outlined" color="inherit" loading={busy} onClick={save}>
            导出 CSV
          </Button>
        }
      />
      <EntryDialog entry={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
