import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { StatusTag } from "@/ui/StatusTag";
import { messageOf } from "../../api/envelope";
import { useLazyAuditVerifyQuery } from "../../api/generated/auth";
import { count } from "../../kit/format";

/** Has the server verify the chain, and reports a changed or removed entry. */
export function Verify() {
  const [verify, { data, error, isFetching }] = useLazyAuditVerifyQuery();
  return (
    <Box sx={{ display: "flex", rowGap: 1.5, alignItems: "center", flexWrap: "wrap" }}>
      {/* without a verdict it takes no room, so that the button stands at the edge */}
      <Box role="status" sx={{ fontSize: 13, "&:not(:empty)": { mr: 1.5 } }}>
        {!isFetching && data?.sound && (
          <StatusTag tone="success">{`审计链完整，共 ${count(data.entries)} 条`}</StatusTag>
        )}
        {!isFetching && data?.sound && data.entries > 0 && (
          <Box sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>
            {data.unkeyed > 0 && `其中最早的 ${count(data.unkeyed)} 条写于启用密钥之前。`}
            末条校验值 {data.entries}:{data.hash}，可另行记下，日后核对。
          </Box>
        )}
        {!isFetching && data && !data.sound && (
          <StatusTag tone="danger">
            {data.brokenAt ? `第 ${data.brokenAt} 条不符：${data.problem}` : data.problem}
          </StatusTag>
        )}
        {!isFetching && Boolean(error) && (messageOf(error) || "没有验证成功")}
      </Box>
      <Button size="small" variant="outlined" color="inherit" loading={isFetching} onClick={() => verify({})}>
        验证审计链
      </Button>
    </Box>
  );
}
