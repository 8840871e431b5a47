import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import { useState } from "react";
import { messageOf } from "@/api";
import { useCancelOrderMutation, useListOrdersQuery } from "@/calls/order";
import { errorMessages } from "@/messages/errors";
import { shopMessages } from "@/messages/shop";
import { useShop } from "@/shop";
import { ORDER_STATUS } from "@/shop/labels";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { EmptyState } from "@/ui/EmptyState";
import { Pager } from "@/ui/Pager";
import { ReadFailed } from "@/ui/ReadFailed";
import { TableSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { useQueryFields } from "@/ui/useQueryFields";
import { OrderDrawer } from "./OrderDrawer";
import { OrderFilters } from "./OrderFilters";
import { OrderTable } from "./OrderTable";

const PAGE_SIZE = 10;

const TABS: readonly { key: string; text: string; status?: number }[] = [
  { key: "all", text: "全部" },
  { key: "unpaid", text: "待付款", status: ORDER_STATUS.toBePaid },
  { key: "paid", text: "已付款", status: ORDER_STATUS.paid },
  { key: "cancelled", text: "已取消", status: ORDER_STATUS.cancelled },
  { key: "expired", text: "已超时", status: ORDER_STATUS.expired },
];

/** A tab's name with how many orders stand behind it, whatever the filters. */
function TabText({ text, status }: { text: string; status?: number }) {
  const { data } = useListOrdersQuery({ pageNo: 1, pageSize: 1, status });
  return <>{data ? `${text}（${data.totalCount}）` : text}</>;
}

/** My orders: by state, filtered, page by page; one of them open beside the list. */
export function MyOrders() {
  const [query, set] = useQueryFields();
  const shop = useShop();
  const [cancelling, setCancelling] = useState("");
  const [cancel] = useCancelOrderMutation();
  const text = (name: string) => query.get(name) ?? "";
  const tab = TABS.find((one) => one.key === text("tab")) ?? TABS[0];
  const page = Math.max(1, Math.trunc(Number(query.get("page"))) || 1);
  const filter = { orderNo: text("orderNo"), module: text("module"), from: text("from"), to: text("to") };
  const filtered = Object.values(filter).some((value) => value !== "");

  const list = useListOrdersQuery(
    {
      pageNo: page,
      pageSize: PAGE_SIZE,
      status: tab?.status,
      functionModule: /^\d$/.test(filter.module) ? Number(filter.module) : undefined,
      orderNo: filter.orderNo,
      beginTime: dayStart(filter.from),
      endTime: dayEnd(filter.to),
    },
    { refetchOnMountOrArgChange: true },
  );
  const orders = list.data?.results ?? [];

  async function confirmCancel() {
    const { error } = await cancel({ orderId: cancelling });
    setCancelling("");
    if (error) toast.error(messageOf(error) || errorMessages.network);
    else toast.success(shopMessages.cancelDone);
  }

  const acts = {
    onOpen: (orderId: string) => set({ order: orderId }),
    onPay: (orderId: string) => shop.pay(orderId),
    onCancel: setCancelling,
    onEnd: () => void list.refetch(),
  };

  return (
    <>
      <Tabs
        value={tab?.key}
        onChange={(_event, value: string) =>
          set({ tab: value === "all" ? undefined : value, page: undefined })
        }
        variant="scrollable"
        aria-label="订单状态"
        sx={{ mb: 2, borderBottom: 1, borderColor: "divider" }}
      >
        {TABS.map((one) => (
          <Tab key={one.key} value={one.key} label={<TabText text={one.text} status={one.status} />} />
        ))}
      </Tabs>
      <OrderFilters filter={filter} onChange={(change) => set({ ...change, page: undefined })} />
      {list.isLoading ? (
        <TableSkeleton rows={5} columns={4} />
      ) : list.isError ? (
        <ReadFailed what="订单" onRetry={list.refetch} />
      ) : orders.length === 0 ? (
        filtered ? (
          <EmptyState
            kind="search"
            title="没有符合条件的订单"
            hint="换一个条件再试。"
            action={
              <Button onClick={() => set({ orderNo: "", module: "", from: "", to: "", page: undefined })}>
                清除条件
              </Button>
            }
          />
        ) : (
          <EmptyState
            kind="results"
            title={tab?.status === undefined ? "还没有订单" : `没有${tab.text}的订单`}
            hint="购买模型、开通会员、充值云币后，订单会列在这里。"
            action={
              <Button variant="outlined" onClick={() => shop.buy()}>
                开通会员
              </Button>
            }
          />
        )
      ) : (
        <Box
          aria-busy={list.isFetching}
          sx={{ opacity: list.isFetching ? 0.7 : 1, transition: "opacity 160ms" }}
        >
          <OrderTable orders={orders} acts={acts} />
          <Pager
            total={list.data?.totalCount ?? 0}
            page={page}
            pageSize={PAGE_SIZE}
            onPage={(next) => set({ page: next > 1 ? String(next) : undefined })}
          />
        </Box>
      )}
      <OrderDrawer
        orderId={text("order")}
        onClose={() => set({ order: undefined })}
        onPay={(orderId) => {
          set({ order: undefined });
          shop.pay(orderId);
        }}
        onCancel={setCancelling}
      />
      <ConfirmDialog
        open={cancelling !== ""}
        title={shopMessages.cancelQuestion}
        danger
        confirmText="取消订单"
        cancelText="再想想"
        onConfirm={confirmCancel}
        onClose={() => setCancelling("")}
      >
        取消后不能再支付，用到的优惠券会退回。
      </ConfirmDialog>
    </>
  );
}
