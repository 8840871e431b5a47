import Box from "@mui/material/Box";
import { Link } from "react-router";
import type { Address } from "@/app/paths";
import type { ProcessStorageReply } from "@/calls/process";
import { formatBytes } from "@/ui/bytes";

/** A count, and the page of what it counts. */
function Figure({ title, value, to }: { title: string; value: string; to: Address }) {
  return (
    <Box
      component={Link}
      to={to}
      sx={{
        p: { xs: 2, md: 2.5 },
        minWidth: 0,
        color: "text.primary",
        textDecoration: "none",
        "&:hover": { color: "primary.main" },
      }}
    >
      <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{title}</Box>
      <Box
        sx={{
          mt: 0.5,
          fontSize: 24,
          lineHeight: "32px",
          fontWeight: 600,
          fontVariantNumeric: "tabular-nums",
        }}
      >
        {value}
      </Box>
    </Box>
  );
}

interface UsageProps {
  /** Counts; undefined while unknown. */
  counts: { files: unknown; models: unknown; results: unknown };
  storage: ProcessStorageReply | undefined;
}

const countText = (value: unknown) => (value === undefined ? "—" : Number(value).toLocaleString("zh-CN"));

/** Number of files, models and results, and storage usage. */
export function Usage({ counts, storage }: UsageProps) {
  const bytes = storage?.usedBytes ?? 0;
  const limit = storage?.limitBytes ?? 0;
  const used = Math.min(100, (bytes / Math.max(limit, 1)) * 100);
  return (
    <Box
      data-tour="figures"
      component="section"
      aria-label="用量"
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "repeat(3, minmax(0, 1fr))", lg: "1fr 1fr 1fr 1.6fr" },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        "& > * + *": { borderLeft: { lg: 1 }, borderColor: { lg: "divider" } },
      }}
    >
      <Figure title="上传的源文件" value={countText(counts.files)} to="/workbench/myUpload" />
      <Figure title="我的模型" value={countText(counts.models)} to="/workbench/myModel" />
      <Figure title="服务结果" value={countText(counts.results)} to="/workbench/serviceResult" />
      <Box sx={{ p: { xs: 2, md: 2.5 }, minWidth: 0, gridColumn: { xs: "1 / -1", lg: "auto" } }}>
        <Box sx={{ fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>源文件占用空间</Box>
        <Box
          sx={{
            mt: 0.5,
            fontSize: 24,
            lineHeight: "32px",
            fontWeight: 600,
            fontVariantNumeric: "tabular-nums",
          }}
        >
          {storage ? formatBytes(bytes) : "—"}
          {storage && (
            <Box component="span" sx={{ ml: 1, fontSize: 14, fontWeight: 400, color: "text.secondary" }}>
              / {storage.unlimited ? "不限" : formatBytes(limit)}
            </Box>
          )}
        </Box>
        {!storage?.unlimited && (
          <Box
            {...(storage && {
              role: "meter",
              "aria-label": "已用空间",
              "aria-valuemin": 0,
              "aria-valuemax": 100,
              "aria-valuenow": Math.round(used),
            })}
            sx={{
              mt: 1,
              height: 6,
              borderRadius: 3,
              backgroundColor: "background.default",
              overflow: "hidden",
            }}
          >
            <Box
              sx={{
                height: "100%",
                width: `${used}%`,
                minWidth: bytes > 0 ? 4 : 0,
                borderRadius: 3,
                backgroundColor: used > 90 ? "warning.main" : "primary.main",
              }}
            />
          </Box>
        )}
      </Box>
    </Box>
  );
}
