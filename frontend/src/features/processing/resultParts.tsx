import Box from "@mui/material/Box";
import type { ProcessServiceResult } from "@/calls/process";
import { type Figures, ProblemList, type ResultReport } from "@/features/report";
import { formatBytes } from "@/ui/bytes";
import { formatError } from "@/viewer";
import { Section } from "./ServicePage";

/** Frame of the viewer. */
export const frame = {
  height: { xs: 460, md: "calc(100vh - 200px)" },
  minHeight: 420,
  borderRadius: 2,
  overflow: "hidden",
} as const;

/** The viewer with its figures beside it. */
export const stage = {
  display: "grid",
  gap: 2,
  gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) 320px" },
} as const;

/** Measurements of a result, and notes on them. */
export function ReportSections({ report, result }: { report: ResultReport; result: ProcessServiceResult }) {
  return (
    <>
      <Section title="前后数据">
        <BeforeAfter report={report} result={result} />
      </Section>
      {report.problems.length > 0 && (
        <Section title={`说明 ${report.problems.length}`}>
          <ProblemList problems={report.problems} />
        </Section>
      )}
    </>
  );
}

function BeforeAfter({ report, result }: { report: ResultReport; result: ProcessServiceResult }) {
  const rows: [string, (f: Figures) => number, (n: number) => string][] = [
    ["三角面", (f) => f.triangles, (n) => n.toLocaleString("zh-CN")],
    ["顶点", (f) => f.vertices, (n) => n.toLocaleString("zh-CN")],
    ["贴图", (f) => f.textures, (n) => n.toLocaleString("zh-CN")],
    ["贴图体积", (f) => f.textureBytes, formatBytes],
  ];
  return (
    <>
      <Box
        component="table"
        sx={{
          width: "100%",
          borderCollapse: "collapse",
          fontSize: 13,
          fontVariantNumeric: "tabular-nums",
          "& th, & td": {
            py: 0.75,
            textAlign: "right",
            fontWeight: 400,
            borderBottom: 1,
            borderColor: "divider",
          },
          "& th:first-of-type": { textAlign: "left", color: "text.secondary" },
          "& thead th": { color: "text.secondary", fontSize: 12 },
        }}
      >
        <thead>
          <tr>
            <th scope="col">项目</th>
            <th scope="col">处理前</th>
            <th scope="col">处理后</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">文件</th>
            <td>{formatBytes(result.sourceSize)}</td>
            <td>{formatBytes(result.fileSize)}</td>
          </tr>
          {rows.map(([label, read, show]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>{show(read(report.input))}</td>
              <td>{show(read(report.output))}</td>
            </tr>
          ))}
        </tbody>
      </Box>
      <Box
        sx={{
          mt: 1.5,
          display: "grid",
          gap: 0.5,
          fontSize: 12,
          color: "text.secondary",
          fontVariantNumeric: "tabular-nums",
        }}
      >
        {report.ratio !== undefined && <span>{`实际保留 ${(report.ratio * 100).toFixed(2)}% 的三角面`}</span>}
        {report.error !== undefined && <span>{`表面误差为对角线的 ${formatError(report.error)}`}</span>}
        {report.seconds !== undefined && <span>{`用时 ${report.seconds.toFixed(1)} 秒`}</span>}
        {report.reached === false && (
          <Box sx={{ color: "warning.main" }}>没有完全达到目标，再减会明显损坏外形</Box>
        )}
      </Box>
    </>
  );
}
