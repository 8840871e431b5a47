import Box from "@mui/material/Box";
import { useMemo } from "react";
import type { ProcessServiceResult } from "@/calls/process";
import { readResultReport } from "@/features/report";
import { ModelView } from "@/viewer";
import { frame, ReportSections, stage } from "./resultParts";
import { Section } from "./ServicePage";

const uses: Record<string, { title: string; list: "ul" | "ol"; steps: readonly string[]; note: string }> = {
  amrt: {
    title: "怎么用",
    list: "ul",
    steps: ["在玄览云里直接查看：打开时先出现粗模，随后换成完整模型", "下载保存：一个文件，不带散落的贴图"],
    note: "每段数据都带校验，下载不完整时会提示，不会显示残缺的模型。其他软件打不开 AMRT，需要时用格式转换另存。",
  },
  offline: {
    title: "怎么打开",
    list: "ol",
    steps: [
      "点“下载结果”，得到一个 zip",
      "先解开 zip，再双击其中的 index.html",
      "用 Chrome、Edge、Firefox 或 Safari 查看，可断网",
    ],
    note: "页面不会访问任何网络地址，可以拷到 U 盘或发给没有账号的人。左侧画面就是包里的模型。",
  },
};

/** A finished AMRT file or offline package: its model, and how to use the file. */
export function PackageResult({ result }: { result: ProcessServiceResult }) {
  const report = useMemo(() => readResultReport(result.report), [result.report]);
  const use = uses[result.serviceType];
  return (
    <Box sx={stage}>
      <Box sx={frame}>
        {result.previewUrl && (
          <ModelView
            url={result.previewUrl}
            posterUrl={result.thumbUrl ?? undefined}
            name={result.modelName || result.fileName}
            factsOpen={false}
          />
        )}
      </Box>
      <Box sx={{ display: "grid", gap: 2, alignContent: "start" }}>
        {use && (
          <Section title={use.title}>
            <Box component={use.list} sx={{ m: 0, pl: 2.5, display: "grid", gap: 0.75, fontSize: 13 }}>
              {use.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </Box>
            <Box sx={{ mt: 1.5, fontSize: 12, color: "text.secondary" }}>{use.note}</Box>
          </Section>
        )}
        {report && <ReportSections report={report} result={result} />}
      </Box>
    </Box>
  );
}
