import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useId, useState } from "react";
import { Link as RouterLink } from "react-router";
import { type TransactionMyModel, useMyModelsQuery } from "@/calls/transaction";
import { licenseOf } from "@/messages/licenses";
import { useSession } from "@/session";
import { modelPath } from "@/shop/paths";
import { formatBytes } from "@/ui/bytes";
import type { Column } from "@/ui/DataTable";
import { LinkTabs } from "@/ui/LinkTabs";
import { ListPage, SearchFilter, timeColumn, useListAddress } from "@/ui/list";
import { PageHeader } from "@/ui/PageHeader";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { useModelDownload } from "./useModelDownload";
import { WAYS } from "./ways";

const PATH = "/workbench/myModel";
const NONE_FOUND = { title: "没有相符的模型", hint: "换一个名称，或看看其他获得方式。" };

/** All models that the user got in the mall, with their downloads. */
export function MyModels() {
  const { loginId } = useSession();
  const list = useListAddress({ fields: ["keyword"], tab: "way" });
  const { way } = list.values;
  const models = useMyModelsQuery(
    { userId: loginId, ...list.request, modelId: "" },
    { refetchOnMountOrArgChange: true },
  );
  const counts = models.data?.counts ?? {};
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const free = counts.free ?? 0;
  return (
    <>
      <PageHeader
        title="我的模型"
        note="在商城购买和领取的模型。作者下架或删除后，您仍可下载已拥有的每个版本"
        actions={
          <>
            <Button component={RouterLink} to="/workbench/transactionModel" variant="outlined">
              交易记录
            </Button>
            <Button component={RouterLink} to="/transaction" variant="contained">
              去模型商城
            </Button>
          </>
        }
      />
      <ListPage
        what="我的模型"
        query={models}
        list={list}
        tabs={
          <LinkTabs
            label="获得方式"
            current={way || "all"}
            tabs={[
              { id: "all", text: "全部", to: PATH, count: all },
              { id: "bought", text: "购买", to: `${PATH}?way=bought`, count: all - free },
              { id: "free", text: "免费领取", to: `${PATH}?way=free`, count: free },
            ]}
          />
        }
        filters={<SearchFilter list={list} name="keyword" label="按名称查找" maxLength={64} />}
        columns={COLUMNS}
        rowKey={({ modelId }) => modelId}
        empty={
          way
            ? { kind: "search", ...NONE_FOUND }
            : {
                title: "还没有模型",
                hint: "每天可以免费领取 5 个模型，领取后出现在这里。",
                action: (
                  <Button component={RouterLink} to="/transaction/search?price=0-1" variant="contained">
                    看免费模型
                  </Button>
                ),
              }
        }
        emptyFiltered={NONE_FOUND}
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
          {model.listingState === "listed" ? (
            <Link component={RouterLink} to={modelPath(model.modelId)} sx={{ overflowWrap: "anywhere" }}>
              {model.modelName}
            </Link>
          ) : (
            <Box sx={{ overflowWrap: "anywhere" }}>{model.modelName}</Box>
          )}
          <Box sx={{ display: { md: "none" }, fontSize: 12, color: "text.secondary" }}>
            {`${WAYS[model.way] ?? model.way}，${licenseOf(model.license).title}`}
          </Box>
          {model.listingState !== "listed" && (
            <Box sx={{ mt: 0.5 }}>
              <StatusTag>商城已下架</StatusTag>
            </Box>
          )}
        </Box>
      </Box>
    ),
  },
  { key: "way", title: "获得方式", secondary: true, render: ({ way }) => WAYS[way] ?? way },
  { key: "license", title: "授权", secondary: true, render: ({ license }) => licenseOf(license).title },
  {
    key: "triangles",
    title: "三角面",
    numeric: true,
    secondary: true,
    render: ({ triangles }) => (triangles > 0 ? triangles.toLocaleString("zh-CN") : "—"),
  },
  timeColumn("gotAt", "获得时间"),
  { key: "act", title: "操作", render: (model) => <Download model={model} /> },
];

/** Downloads a single file at once; lists several in a menu. */
function Download({ model }: { model: TransactionMyModel }) {
  const { download, busy } = useModelDownload();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const id = useId();
  const files = model.versions.flatMap(({ number, notes, formats }) =>
    formats.map(({ format, bytes }) => ({ number, notes, format, bytes })),
  );
  const first = files[0];
  if (model.state !== "active")
    return <Box sx={{ fontSize: 12, color: "text.secondary" }}>正在退货，不能下载</Box>;
  if (!first) return <Box sx={{ fontSize: 12, color: "text.secondary" }}>暂时没有可下载的文件</Box>;
  const several = files.length > 1;
  const text = several ? "下载…" : `下载 ${first.format.toUpperCase()}`;
  return (
    <>
      <Button
        size="small"
        loading={busy}
        aria-label={`${text} ${model.modelName}`}
        aria-haspopup={several ? "menu" : undefined}
        aria-controls={anchor ? id : undefined}
        onClick={(event) =>
          several ? setAnchor(event.currentTarget) : void download(model.modelId, first.number, first.format)
        }
        sx={{ minWidth: 0, whiteSpace: "nowrap" }}
      >
        {text}
      </Button>
      <Menu id={id} open={anchor !== undefined} anchorEl={anchor} onClose={() => setAnchor(undefined)}>
        {files.map(({ number, format, bytes, notes }) => (
          <MenuItem
            key={`${number}/${format}`}
            onClick={() => {
              setAnchor(undefined);
              void download(model.modelId, number, format);
            }}
          >
            <Box sx={{ maxWidth: 280 }}>
              {`第 ${number} 版　${format.toUpperCase()}　${formatBytes(bytes)}`}
              {notes && (
                <Box
                  sx={{
                    fontSize: 12,
                    color: "text.secondary",
                    overflow: "hidden",
                    textOverflow: "ellipsis",
                    whiteSpace: "nowrap",
                  }}
                >
                  {notes}
                </Box>
              )}
            </Box>
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
