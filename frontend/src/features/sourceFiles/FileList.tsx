import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Tooltip from "@mui/material/Tooltip";
import { useState } from "react";
import { Link as RouterLink } from "react-router";
import type { ProcessSourceFile } from "@/calls/process";
import { formatBytes } from "@/ui/bytes";
import { dateText } from "@/ui/dateText";
import MoreVert from "@/ui/icons/MoreVert";
import { StatusTag } from "@/ui/StatusTag";
import { Thumb } from "@/ui/Thumb";
import { Turntable } from "@/ui/Turntable";
import { fileStatus, LISTING_PATH } from "./status";

export type FileAction = "rename" | "release" | "download" | "delete" | "retry";

export const filePath = (fileId: string, panel?: string): string =>
  `/workbench/myUpload/sourceFile?fileId=${encodeURIComponent(fileId)}${panel ? `&panel=${panel}` : ""}`;
export const servicePath = (fileId: string, service: string): string =>
  `/workbench/service?serviceName=${service}&fileId=${encodeURIComponent(fileId)}`;

type OfferedService = "lightweight" | "convert" | "tile";

const SINGLE: readonly { type: OfferedService; title: string; short: string }[] = [
  { type: "lightweight", title: "轻量化", short: "轻量化" },
  { type: "convert", title: "转换格式", short: "转换" },
];
const SCENE: typeof SINGLE = [{ type: "tile", title: "三维瓦片", short: "三维瓦片" }];

/** The services offered for a file. Oblique photography consists of many files, which only tiling processes as a whole. */
export const servicesOf = (file: Pick<ProcessSourceFile, "modelType">): typeof SINGLE =>
  file.modelType === 2 ? SCENE : SINGLE;

/** Files as a dense table; as separate rows on narrow screens. */
export function FileList({
  files,
  lightest,
  preferred,
  onAction,
}: {
  files: readonly ProcessSourceFile[];
  /** size in bytes after lightweighting, by file */
  lightest: ReadonlyMap<string, number>;
  /** the service the user came for, if any */
  preferred?: "lightweight" | "convert";
  onAction: (action: FileAction, file: ProcessSourceFile) => void;
}) {
  return (
    <Box
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        bgcolor: "background.paper",
        overflow: "hidden",
      }}
    >
      <Box component="ul" aria-label="源文件" sx={{ listStyle: "none", m: 0, p: 0 }}>
        <Box
          component="li"
          aria-hidden
          sx={{
            ...grid,
            display: { xs: "none", lg: "grid" },
            py: 1,
            fontSize: 12,
            color: "text.secondary",
            bgcolor: "background.default",
          }}
        >
          <span>模型</span>
          <span>格式</span>
          <Num>大小</Num>
          <Num>轻量后</Num>
          <Num>三角面</Num>
          <Box component="span" sx={state}>
            状态
          </Box>
          <span>上传时间</span>
          <Box component="span" sx={{ textAlign: "right" }}>
            操作
          </Box>
        </Box>
        {files.map((file) => (
          <Row
            key={file.fileId}
            file={file}
            light={lightest.get(file.fileId)}
            preferred={preferred}
            onAction={onAction}
          />
        ))}
      </Box>
    </Box>
  );
}

const grid = {
  display: "grid",
  gridTemplateColumns: "minmax(120px, 1fr) 44px 72px 72px 84px 108px 128px 184px",
  gap: 2,
  alignItems: "center",
  px: 2,
} as const;

function Num({ children }: { children: string }) {
  return (
    <Box
      component="span"
      sx={{ display: "block", textAlign: "right", fontVariantNumeric: "tabular-nums", whiteSpace: "nowrap" }}
    >
      {children}
    </Box>
  );
}

function Row({
  file,
  light,
  preferred,
  onAction,
}: {
  file: ProcessSourceFile;
  light: number | undefined;
  preferred?: "lightweight" | "convert";
  onAction: (action: FileAction, file: ProcessSourceFile) => void;
}) {
  const status = fileStatus(file);
  const ready = file.status === "ready";
  const refused = file.status === "failed";
  const name = file.modelName || file.fileName;
  return (
    <Box
      component="li"
      sx={{
        ...grid,
        py: 1.25,
        borderTop: 1,
        borderColor: "divider",
        "&:hover": { bgcolor: "action.hover" },
        gridTemplateColumns: { xs: "1fr auto", lg: grid.gridTemplateColumns },
        rowGap: 1,
      }}
    >
      <Turntable src={file.turntableUrl}>
        <Thumb src={file.thumbUrl} />
        <Box sx={{ minWidth: 0 }}>
          {ready || refused ? (
            <Link
              component={RouterLink}
              to={filePath(file.fileId)}
              color="text.primary"
              sx={clip}
              title={name}
            >
              {name}
            </Link>
          ) : (
            <Box sx={clip} title={name}>
              {name}
            </Box>
          )}
          <Box sx={{ ...clip, fontSize: 12, color: "text.secondary" }} title={file.fileName}>
            {file.fileName}
          </Box>
        </Box>
      </Turntable>
      <Box sx={wide}>{file.format.toUpperCase()}</Box>
      <Box sx={wide}>
        <Num>{formatBytes(file.fileSize)}</Num>
      </Box>
      <Box sx={{ ...wide, color: light === undefined ? "text.disabled" : "secondary.dark" }}>
        <Num>{light === undefined ? "—" : formatBytes(light)}</Num>
      </Box>
      <Box sx={wide}>
        <Num>{file.triangles > 0 ? file.triangles.toLocaleString("zh-CN") : "—"}</Num>
      </Box>
      <Box sx={state} title={status.note}>
        <StatusTag tone={status.tone}>{status.text}</StatusTag>
      </Box>
      <Box
        sx={{
          ...wide,

          fontSize: 13,
          color: "text.secondary",
          fontVariantNumeric: "tabular-nums",
        }}
      >
        {dateText(file.createTime)}
      </Box>
      <Box
        sx={{
          display: { xs: "block", lg: "none" },
          gridColumn: "1 / -1",
          fontSize: 12,
          color: "text.secondary",
        }}
      >
        {[
          file.format.toUpperCase(),
          light === undefined
            ? formatBytes(file.fileSize)
            : `${formatBytes(file.fileSize)} → ${formatBytes(light)}`,
          dateText(file.createTime),
        ].join("　")}
      </Box>
      {refused && file.tips && (
        // The whole reason: it says what to do about the file.
        <Box
          sx={{
            gridColumn: "1 / -1",
            order: { xs: 0, lg: 1 },
            fontSize: 13,
            color: "error.main",
            overflowWrap: "anywhere",
          }}
        >
          {file.tips}
        </Box>
      )}
      <Box
        sx={{
          display: "flex",
          justifyContent: { xs: "flex-start", lg: "flex-end" },
          gap: 0.5,
          gridColumn: { xs: "1 / -1", lg: "auto" },
        }}
      >
        <RowActions file={file} ready={ready} preferred={preferred} onAction={onAction} />
      </Box>
    </Box>
  );
}

function RowActions({
  file,
  ready,
  preferred,
  onAction,
}: {
  file: ProcessSourceFile;
  ready: boolean;
  preferred?: "lightweight" | "convert";
  onAction: (action: FileAction, file: ProcessSourceFile) => void;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const pick = (action: FileAction) => {
    setAnchor(null);
    onAction(action, file);
  };
  const service = (kind: OfferedService, text: string) => (
    <Button
      key={kind}
      component={RouterLink}
      to={servicePath(file.fileId, kind)}
      size="small"
      variant={preferred === kind ? "contained" : "text"}
      sx={{ minWidth: 0, px: 1 }}
    >
      {text}
    </Button>
  );
  return (
    <>
      {ready && (
        <>
          <Button
            component={RouterLink}
            to={filePath(file.fileId, "health")}
            size="small"
            sx={{ minWidth: 0, px: 1 }}
          >
            报告
          </Button>
          {servicesOf(file).map(({ type, short }) => service(type, short))}
        </>
      )}
      {file.status === "failed" && (
        <Button size="small" onClick={() => onAction("retry", file)}>
          重新体检
        </Button>
      )}
      <Tooltip title="更多操作">
        <IconButton
          size="small"
          aria-label={`${file.modelName || file.fileName}：更多操作`}
          aria-haspopup="menu"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <MoreVert fontSize="small" />
        </IconButton>
      </Tooltip>
      <Menu open={anchor !== null} anchorEl={anchor} onClose={() => setAnchor(null)}>
        {ready && (
          <MenuItem component={RouterLink} to={filePath(file.fileId)}>
            查看模型
          </MenuItem>
        )}
        <MenuItem onClick={() => pick("rename")}>重命名</MenuItem>
        {ready && !file.released && <MenuItem onClick={() => pick("release")}>发布</MenuItem>}
        {ready && file.released && (
          <MenuItem component={RouterLink} to={LISTING_PATH}>
            去上架
          </MenuItem>
        )}
        <MenuItem onClick={() => pick("download")}>下载源文件</MenuItem>
        <MenuItem onClick={() => pick("delete")} sx={{ color: "error.main" }}>
          删除
        </MenuItem>
      </Menu>
    </>
  );
}

const clip = {
  display: "block",
  overflow: "hidden",
  textOverflow: "ellipsis",
  whiteSpace: "nowrap",
} as const;
const wide = { display: { xs: "none", lg: "block" } } as const;
/** Distance from the numbers before it. */
const state = { pl: { lg: 1.5 } } as const;
