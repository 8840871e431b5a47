import Box from "@mui/material/Box";
import CircularProgress from "@mui/material/CircularProgress";
import Link from "@mui/material/Link";
import { type ReactNode, useEffect, useRef } from "react";
import { Link as RouterLink } from "react-router";
import { formatBytes } from "@/ui/bytes";
import CheckCircleOutlined from "@/ui/icons/CheckCircleOutlined";
import ErrorOutlined from "@/ui/icons/ErrorOutlined";
import { type CheckLog, recommendsLightweight, sentence, splitTip } from "./log";

const phases: Record<CheckLog["phase"], string> = {
  waiting: "等待体检",
  checking: "正在体检",
  complete: "体检完成",
  error: "体检未通过",
};

/** Progress of a check: its state, its log that scrolls to the newest line, and its result. */
export function CheckView({
  log,
  offline,
  fileSize,
  modelType,
  lightweightPath,
  onFormats,
  appealHref,
  serviceHref,
  picture,
  actions,
}: {
  log: CheckLog;
  offline: boolean;
  /** bytes; overridden by the check's own value */
  fileSize: number;
  modelType: "object" | "scene";
  lightweightPath: string;
  onFormats: () => void;
  appealHref: string;
  serviceHref: string;
  /** above the log, which then leaves it most of the room */
  picture?: ReactNode;
  actions?: ReactNode;
}) {
  const list = useRef<HTMLOListElement>(null);
  const count = log.lines.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line must scroll the log
  useEffect(() => {
    const element = list.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [count, log.phase]);

  const size = log.facts.fileSize ?? fileSize;
  const facts = [
    formatBytes(size),
    log.facts.format?.toUpperCase(),
    log.facts.modelNum ? `${log.facts.modelNum} 个模型` : undefined,
    log.facts.animated ? "含动画" : undefined,
  ].filter(Boolean);

  return (
    <Box>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5 }}>
        {log.phase === "complete" ? (
          <CheckCircleOutlined color="success" />
        ) : log.phase === "error" ? (
          <ErrorOutlined color="error" />
        ) : (
          <CircularProgress size={20} aria-label="正在体检" />
        )}
        <Box component="h3" role="status" sx={{ m: 0, fontSize: 16, fontWeight: 600 }}>
          {phases[log.phase]}
        </Box>
        <Box sx={{ ml: "auto", fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
          {facts.join("　")}
        </Box>
      </Box>
      {picture}
      <Box
        component="ol"
        ref={list}
        aria-label="体检日志"
        aria-live="polite"
        tabIndex={0}
        sx={{
          listStyle: "none",
          m: 0,
          mt: 2,
          p: 1.5,
          height: picture ? 96 : { xs: 200, sm: 228 },
          overflowY: "auto",
          borderRadius: 2,
          border: 1,
          borderColor: "divider",
          bgcolor: "background.default",
          fontSize: 13,
        }}
      >
        {count === 0 && (
          <Box component="li" sx={{ color: "text.secondary" }}>
            {log.phase === "waiting"
              ? "任务已提交，正在排队"
              : log.phase === "checking"
                ? "正在读取文件"
                : "这次体检没有留下日志"}
          </Box>
        )}
        {log.lines.map((line) => (
          <Box component="li" key={line.seq} sx={{ display: "flex", gap: 1.5, py: "2px" }}>
            <Box
              component="time"
              sx={{ color: "text.secondary", fontVariantNumeric: "tabular-nums", flex: "none" }}
            >
              {clockOf(line.time)}
            </Box>
            <Box sx={{ overflowWrap: "anywhere" }}>{line.text}</Box>
          </Box>
        ))}
      </Box>
      {offline && (log.phase === "waiting" || log.phase === "checking") && (
        <Box sx={{ mt: 1, fontSize: 12, color: "text.secondary" }}>实时连接中断，每 30 秒自动更新一次</Box>
      )}
      {log.phase === "complete" && (
        <Box sx={(theme) => ({ mt: 2, p: 1.5, borderRadius: 2, bgcolor: theme.tokens.primarySoft })}>
          {sentence(log.verdict || "模型可以正常使用")}
          {recommendsLightweight(size, modelType) && (
            <Box component="span">
              {modelType === "scene"
                ? "倾斜摄影数据建议先做轻量化再发布，"
                : "模型在 100 MB 以上，建议先做轻量化再发布，"}
              <Link component={RouterLink} to={lightweightPath}>
                前往轻量化服务
              </Link>
            </Box>
          )}
        </Box>
      )}
      {log.phase === "error" && (
        <Box
          role="alert"
          sx={{
            mt: 2,
            p: 1.5,
            borderRadius: 2,
            border: 1,
            borderColor: "error.main",
            overflowWrap: "anywhere",
          }}
        >
          <ErrorTip
            tip={log.verdict || "体检没有完成，请重试或联系客服。"}
            onFormats={onFormats}
            appealHref={appealHref}
            serviceHref={serviceHref}
          />
        </Box>
      )}
      {actions && <Box sx={{ mt: 2, display: "flex", justifyContent: "flex-end", gap: 1.5 }}>{actions}</Box>}
    </Box>
  );
}

/** An error message, of which three words are links. */
export function ErrorTip({
  tip,
  onFormats,
  appealHref,
  serviceHref,
}: {
  tip: string;
  onFormats: () => void;
  appealHref: string;
  serviceHref: string;
}) {
  return (
    <>
      {splitTip(tip).map((part, i) => {
        const key = `${i}-${part.text}`;
        if (!part.link) return <span key={key}>{part.text}</span>;
        if (part.link === "formats") {
          return (
            <Link
              key={key}
              component="button"
              type="button"
              onClick={onFormats}
              sx={{ verticalAlign: "baseline", font: "inherit" }}
            >
              {part.text}
            </Link>
          );
        }
        return (
          <Link
            key={key}
            href={part.link === "appeal" ? appealHref : serviceHref}
            target="_blank"
            rel="noreferrer"
          >
            {part.text}
          </Link>
        );
      })}
    </>
  );
}

/** Milliseconds (or their text) as a clock time; any other text unchanged. */
function clockOf(time: number | string): string {
  const value = typeof time === "number" ? time : Number(time);
  if (!Number.isFinite(value) || value <= 0) return String(time);
  return new Date(value).toLocaleTimeString("zh-CN", { hour12: false });
}
