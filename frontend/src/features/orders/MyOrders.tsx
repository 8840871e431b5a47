import Button from "@mui/material/Button";
import { useState } from "react";
import { messageOf } from "@/api";
import { useCancelOrderMutation, useListOrdersQuery } from "@/calls/order";
import { failureMessages } from "@/messages/failures";
import { shopMessages } from "@/messages/shop";
import { useShop } from "@/shop";
import { FUNCTION_TYPES, ORDER_STATUS } from "@/shop/labels";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { dayEnd, dayStart } from "@/ui/DateRange";
import { ChoiceFilter, DaysFilter, ListPage, ListTabs, SearchFilter, useListAddress } from "@/ui/list";
import { TableSkeleton } from "@/ui/Skeletons";
import { toast } from "@/ui/toast";
import { useQueryFields } from "@/ui/useQueryFields";
import { OrderDrawer } from "./OrderDrawer";
import { OrderTable } from "./OrderTable";

const TABS: readonly { key: string; text: string; status?: number }[] = [
  { key: "all", text: "全部" },
  { key: "unpaid", text: "待付款", status: ORDER_STATUS.toBePaid },
  { key: "paid", text: "已付款", status: ORDER_STATUS.paid },
  { key: "cancelled", text: "已取消", status: ORDER_STATUS.cancelled },
  { key: "expired", text: "已超时", status: ORDER_STATUS.expired },
];

/** Name of a tab with its number of orders, regardless of filters. */
function TabText({ text, status }: { text: string; status?: number }) {
  const { data } = useListOrdersQuery({ pageNo: 1, pageSize: 1, status });
  return <>{data ? `${text}（${data.totalCount}）` : text}</>;
}

/** The user's orders by state, filtered and paged; one of them open beside the list. */
export function MyOrders() {
  const [query, setQuery] = useQueryFields();
  const list = useListAddress({ fields: ["orderNo", "module", "from", "to"], tab: "tab", pageSize: 10 });
  const shop = useShop();
  const [cancelling, setCancelling] = useState("");
  const [cancel] = useCancelOrderMutation();
  const { orderNo, module, from, to } = list.values;
  const tab = TABS.find((one) => one.key === list.values.tab);

  const orders = useListOrdersQuery(
    {
      pageNo: list.page,
      pageSize: list.pageSize,
      status: tab?.status,
      functionModule: /^\d$/.test(module) ? Number(module) : undefined,
      orderNo,
      beginTime: dayStart(from),
      endTime: dayEnd(to),
    },
    { refetchOnMountOrArgChange: true },
  );

  async function confirmCancel() {
    const { error } = await cancel({ orderId: cancelling });
    setCancelling("");
    if (error) toast.error(messageOf(error) || failureMessages.network);
    else toast.success(shopMessages.cancelDone);
  }

  const acts = {
    onOpen: (orderId: string) => setQuery({ order: orderId }),
    onPay: (orderId: string) => shop.pay(orderId),
    onCancel: setCancelling,
    onEnd: () => void orders.refetch(),
  };

  return (
    <>
      <ListPage
        what="订单"
        query={orders}
        list={list}
        tabs={
          <ListTabs
            list={list}
            name="tab"
            label="订单状态"
            tabs={TABS.map(({ key, ...one }) => ({ key, text: <TabText {...one} /> }))}
          />
        }
        filters={
          <>
            <SearchFilter list={list} name="orderNo" label="订单号" maxLength={64} numeric button="查询" />
            <ChoiceFilter
              list={list}
              name="module"
              label="功能类型"
              all="全部类型"
              choices={FUNCTION_TYPES}
            />
            <DaysFilter list={list} />
          </>
        }
        skeleton={<TableSkeleton rows={5} columns={4} />}
        empty={{
          kind: "results",
          title: tab?.status === undefined ? "还没有订单" : `没有${tab.text}的订单`,
          hint: "购买模型、开通会员、充值云币后，订单会列在这里。",
          action: (
            <Button variant="outlined" onClick={() => shop.buy()}>
              开通会员
            </Button>
          ),
        }}
      >
        {(rows) => <OrderTable orders={rows} acts={acts} />}
      </ListPage>
      <OrderDrawer
        orderId={query.get("order") ?? ""}
        onClose={() => setQuery({ order: undefined })}
        onPay={(orderId) => {
          setQuery({ order: undefined });
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
