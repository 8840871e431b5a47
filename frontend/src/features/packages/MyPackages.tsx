import dayjs from "dayjs";
import { type PersonalOwnPackage, useMyPackageListQuery } from "@/calls/personal";
import { type Column, DataTable } from "@/ui/DataTable";
import { EmptyState } from "@/ui/EmptyState";
import { ReadFailed } from "@/ui/ReadFailed";
import { StatusTag } from "@/ui/StatusTag";

const day = (ms: number) => dayjs(ms).format("YYYY-MM-DD");

const COLUMNS: readonly Column<PersonalOwnPackage>[] = [
  { key: "name", title: "套餐", render: (own) => own.name },
  {
    key: "storage",
    title: "存储",
    numeric: true,
    render: (own) => `${own.storageGb.toLocaleString("zh-CN")} GB`,
  },
  { key: "start", title: "生效", secondary: true, render: (own) => day(own.startTime) },
  { key: "end", title: "到期", render: (own) => day(own.expireTime) },
  {
    key: "status",
    title: "状态",
    render: (own) =>
      own.status === 1 ? (
        <StatusTag tone="success">生效中</StatusTag>
      ) : (
        <StatusTag tone="neutral">已到期</StatusTag>
      ),
  },
];

/** The user's packages, current and expired. */
export function MyPackages() {
  const list = useMyPackageListQuery({}, { refetchOnMountOrArgChange: true });
  if (list.isError) return <ReadFailed what="已购套餐" onRetry={list.refetch} />;
  return (
    <DataTable
      caption="已购套餐"
      columns={COLUMNS}
      rows={list.data ?? []}
      rowKey={(own) => own.orderId}
      loading={list.isLoading}
      empty={<EmptyState kind="results" title="还没有购买过套餐" />}
    />
  );
}
