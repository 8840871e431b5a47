import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import { Link as RouterLink } from "react-router";
import { type TransactionMyModel, useMyModelsQuery } from "@/calls/transaction";
import { useSession } from "@/session";
import type { Column } from "@/ui/DataTable";
import { dateText } from "@/ui/dateText";
import { ListPage, timeColumn, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { formatCents } from "@/ui/Price";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { WAYS } from "./ways";

/** The user's purchases in the mall as trades: price, order, and whether a return is possible. */
export function Trades() {
  const { loginId } = useSession();
  const list = useListAddress();
  const trades = useMyModelsQuery(
    { userId: loginId, way: "bought", keyword: "", ...list.request, modelId: "" },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <>
      <PageHeader
        title="交易模型"
        note="每一笔模型交易：付了多少，属于哪个订单，还能不能退。未下载过的模型，7 天内可以在订单里退回"
        actions={
          <Button component={RouterLink} to="/workbench/myModel" variant="outlined">
            下载模型
          </Button>
        }
      />
      <ListPage
        what="交易模型"
        query={trades}
        list={list}
        columns={COLUMNS}
        rowKey={({ modelId }) => modelId}
        empty={{
          title: "还没有买过模型",
          hint: "购买、用会员次数或套餐得到的模型会列在这里；免费领取的在“我的模型”。",
          action: (
            <Button component={RouterLink} to="/transaction" variant="contained">
              去模型商城
            </Button>
          ),
        }}
      />
    </>
  );
}

const COLUMNS: readonly Column<TransactionMyModel>[] = [
  {
    key: "name",
    title: "模型",
    render: (model) => (
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: { md: 160 } }}>
        <Thumb src={model.preview} />
        <Box sx={{ minWidth: 0 }}>
          <Box sx={{ overflowWrap: "anywhere" }}>{model.modelName}</Box>
          <Box sx={{ display: { md: "none" }, fontSize: 12, color: "text.secondary" }}>
            {`${WAYS[model.way] ?? model.way}，${dateText(model.gotAt)}`}
          </Box>
        </Box>
      </Box>
    ),
  },
  { key: "way", title: "方式", secondary: true, render: ({ way }) => WAYS[way] ?? way },
  {
    key: "price",
    title: "实付（元）",
    numeric: true,
    render: ({ way, price }) => (way === "paid" ? formatCents(price) : "—"),
  },
  timeColumn("gotAt", "成交时间"),
  { key: "state", title: "状态", render: (model) => <Standing model={model} /> },
  {
    key: "order",
    title: "订单",
    render: ({ orderId, modelName }) =>
      orderId ? (
        <Link
          component={RouterLink}
          to={`/workbench/myOrder?order=${encodeURIComponent(orderId)}`}
          aria-label={`查看订单 ${modelName}`}
          sx={{ whiteSpace: "nowrap" }}
        >
          查看订单
        </Link>
      ) : (
        "—"
      ),
  },
];

function Standing({ model }: { model: TransactionMyModel }) {
  if (model.state !== "active") return <StatusTag tone="warning">正在退货</StatusTag>;
  if (model.returnable) return <StatusTag tone="info">可退货</StatusTag>;
  return <StatusTag>{model.firstDownloadAt > 0 ? "已下载" : "已成交"}</StatusTag>;
}
