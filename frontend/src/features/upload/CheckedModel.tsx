import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useFileDetailQuery } from "@/calls/process";
import { ModelPreview } from "@/viewer";

/** The checked model to turn, by its small copy if it has one; nothing for a file without a preview. */
export function CheckedModel({ fileId }: { fileId: string }) {
  const { data: file, isError, isFetching, refetch } = useFileDetailQuery({ fileId });
  if (isError) {
    return (
      <Box
        role="alert"
        sx={{ mt: 2, display: "flex", alignItems: "center", gap: 1, color: "text.secondary" }}
      >
        预览没有读取成功。
        <Button size="small" loading={isFetching} onClick={() => void refetch()}>
          重试
        </Button>
      </Box>
    );
  }
  const url = file?.proxyUrl || file?.previewUrl;
  if (!file || !url) return null;
  return (
    <Box sx={{ mt: 2, height: { xs: 220, sm: 280 }, borderRadius: 2, overflow: "hidden" }}>
      <ModelPreview filling url={url} name={file.modelName || file.fileName} />
    </Box>
  );
}
