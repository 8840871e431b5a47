import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import InputAdornment from "@mui/material/InputAdornment";
import Pagination from "@mui/material/Pagination";
import TextField from "@mui/material/TextField";
import { useDeferredValue, useState } from "react";
import { Link as RouterLink } from "react-router";
import { type ProcessSourceFile, useListFilesQuery } from "@/calls/process";
import { formatBytes } from "@/ui/bytes";
import { EmptyState } from "@/ui/EmptyState";
import Search from "@/ui/icons/Search";
import { TableSkeleton } from "@/ui/Skeletons";
import { Thumb } from "@/ui/Thumb";

const PAGE_SIZE = 8;

/** Chooses one of the user's usable models for the service. */
export function ModelSelector({
  open,
  onClose,
  onPick,
}: {
  open: boolean;
  onClose: () => void;
  onPick: (file: ProcessSourceFile) => void;
}) {
  const [text, setText] = useState("");
  const [page, setPage] = useState(1);
  const keyword = useDeferredValue(text.trim());
  const list = useListFilesQuery(
    { pageNo: page, pageSize: PAGE_SIZE, status: "ready", keyword },
    { skip: !open, refetchOnMountOrArgChange: true },
  );
  const files = list.data?.results ?? [];
  const pages = Math.ceil((list.data?.totalCount ?? 0) / PAGE_SIZE);
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby="selector-title" maxWidth="sm" fullWidth>
      <DialogTitle id="selector-title">选择模型</DialogTitle>
      <DialogContent sx={{ minHeight: 420 }}>
        <TextField
          size="small"
          fullWidth
          placeholder="按名称搜索"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setPage(1);
          }}
          sx={{ mb: 2 }}
          slotProps={{
            htmlInput: { "aria-label": "按名称搜索", maxLength: 60 },
            input: {
              startAdornment: (
                <InputAdornment position="start">
                  <Search fontSize="small" />
                </InputAdornment>
              ),
            },
          }}
        />
        {list.isLoading ? (
          <TableSkeleton rows={5} columns={3} />
        ) : list.isError ? (
          <EmptyState
            kind="error"
            dense
            title="模型列表没有读取成功"
            action={<Button onClick={() => void list.refetch()}>重试</Button>}
          />
        ) : files.length === 0 ? (
          <EmptyState
            kind={keyword ? "search" : "models"}
            dense
            title={keyword ? "没有找到这个名称的模型" : "还没有体检通过的模型"}
            hint={keyword ? "换一个关键词再试。" : "先上传一个模型，体检通过后就能在这里选择。"}
            action={
              keyword ? undefined : (
                <Button component={RouterLink} to="/workbench/myUpload?upload=1" variant="contained">
                  上传模型
                </Button>
              )
            }
          />
        ) : (
          <Box component="ul" aria-label="可用模型" sx={{ listStyle: "none", m: 0, p: 0 }}>
            {files.map((file) => (
              <li key={file.fileId}>
                <ButtonBase
                  disableRipple
                  onClick={() => onPick(file)}
                  sx={{
                    width: "100%",
                    justifyContent: "flex-start",
                    gap: 1.5,
                    p: 1,
                    textAlign: "left",
                    borderRadius: 1,
                    "&:hover, &:focus-visible": { bgcolor: "action.hover" },
                  }}
                >
                  <Thumb src={file.thumbUrl} />
                  <Box sx={{ minWidth: 0, flex: 1 }}>
                    <Box sx={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}>
                      {file.modelName || file.fileName}
                    </Box>
                    <Box sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
                      {`${file.format.toUpperCase()}　${formatBytes(file.fileSize)}　${file.triangles.toLocaleString("zh-CN")} 面`}
                    </Box>
                  </Box>
                </ButtonBase>
              </li>
            ))}
          </Box>
        )}
        {pages > 1 && (
          <Pagination
            count={pages}
            page={page}
            size="small"
            onChange={(_, n) => setPage(n)}
            sx={{ mt: 1.5 }}
          />
        )}
      </DialogContent>
      <DialogActions>
        <Button color="inherit" onClick={onClose}>
          取消
        </Button>
      </DialogActions>
    </Dialog>
  );
}
