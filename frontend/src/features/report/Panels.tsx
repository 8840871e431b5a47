import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import { Fragment, type ReactNode } from "react";
import { formatBytes } from "@/ui/bytes";
import { StatusTag } from "@/ui/StatusTag";
import { formatLength as formatMetres, usePlaces } from "@/viewer";
import { placesOf } from "./places";
import type { CheckReport, Problem } from "./types";

const severities = {
  error: { tone: "danger", text: "错误" },
  warning: { tone: "warning", text: "提醒" },
  info: { tone: "info", text: "提示" },
} as const;

/** Score, recommendation, and problems with advice. */
export function HealthPanel({ report, action }: { report: CheckReport; action?: ReactNode }) {
  return (
    <Box>
      <Box sx={{ display: "flex", alignItems: "center", gap: 2 }}>
        <Score value={report.score} />
        <Box sx={{ minWidth: 0 }}>
          <Box sx={{ fontWeight: 500 }}>{verdict(report)}</Box>
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>{countText(report.problems)}</Box>
        </Box>
      </Box>
      {report.recommendation.text && (
        <Box
          sx={(theme) => ({
            mt: 2,
            p: 1.5,
            borderRadius: 2,
            bgcolor: theme.tokens.primarySoft,
            fontSize: 13,
          })}
        >
          {report.recommendation.text}
        </Box>
      )}
      {action && <Box sx={{ mt: 1.5 }}>{action}</Box>}
      <Heading>{`问题 ${report.problems.length}`}</Heading>
      <ProblemList problems={report.problems} />
    </Box>
  );
}

/** Locations of a problem. Beside a viewer, each one found in its model is a link that flies there. */
function Places({ where }: { where: string }) {
  const finder = usePlaces();
  const { places, rest } = placesOf(where);
  return (
    <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
      位置：
      {places.map(({ text, place }, i) => (
        <Fragment key={text}>
          {i > 0 && "、"}
          {place && finder?.knows(place) ? (
            <Link
              component="button"
              type="button"
              underline="always"
              title="在模型上查看"
              onClick={() => finder.goTo(place)}
              sx={{ font: "inherit", textAlign: "left", verticalAlign: "baseline" }}
            >
              {text}
            </Link>
          ) : (
            text
          )}
        </Fragment>
      ))}
      {rest}
    </Box>
  );
}

export function ProblemList({
  problems,
  none = "没有发现问题",
}: {
  problems: readonly Problem[];
  /** Said of an empty list. */
  none?: string;
}) {
  if (problems.length === 0) return <Note>{none}</Note>;
  return (
    <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
      {problems.map((problem) => (
        <Box
          component="li"
          key={`${problem.code}|${problem.where}|${problem.message}`}
          sx={{ py: 1.25, borderBottom: 1, borderColor: "divider", fontSize: 13 }}
        >
          <Box sx={{ display: "flex", gap: 1, alignItems: "flex-start" }}>
            <StatusTag tone={severities[problem.severity].tone}>
              {severities[problem.severity].text}
            </StatusTag>
            <Box sx={{ overflowWrap: "anywhere", minWidth: 0 }}>{problem.message}</Box>
          </Box>
          {problem.where && <Places where={problem.where} />}
          {problem.advice && (
            <Box sx={{ mt: 0.25, fontSize: 12, color: "text.secondary" }}>{`建议：${problem.advice}`}</Box>
          )}
        </Box>
      ))}
    </Box>
  );
}

/** The source's unit; if it was assumed, its assumed length. */
function unitTitle({ source, metersPerUnit }: CheckReport["units"]) {
  if (source && !source.startsWith("unknown")) return source;
  return metersPerUnit > 0 ? `未写明，按 1 单位 = ${formatMetres(metersPerUnit)}` : "未写明";
}

export function StatisticsPanel({ report }: { report: CheckReport }) {
  const s = report.statistics;
  const [x, y, z] = report.boundingBox.size;
  const rows: [string, string][] = [
    ["格式", report.format.toUpperCase()],
    ["文件大小", formatBytes(report.fileSize)],
    ["三角面", number(s.triangles)],
    ["顶点", number(s.vertices)],
    ["网格", number(s.meshes)],
    ["节点", number(s.nodes)],
    ["材质", number(s.materials)],
    ["贴图", number(s.textures)],
    ["贴图像素", pixelText(s.texturePixels)],
    ["贴图体积", formatBytes(s.textureBytes)],
    ["尺寸", `${formatMetres(x)} × ${formatMetres(y)} × ${formatMetres(z)}`],
    ["原始单位", unitTitle(report.units)],
    ["原始朝上轴", report.units.upAxis],
  ];
  if (s.skins > 0) rows.push(["骨架", number(s.skins)]);
  if (s.morphTargets > 0) rows.push(["形变目标", number(s.morphTargets)]);
  if (s.lines > 0) rows.push(["线段", number(s.lines)]);
  if (s.points > 0) rows.push(["点", number(s.points)]);
  if (report.mainFile) rows.push(["主文件", report.mainFile]);
  return (
    <Box>
      <Rows rows={rows} />
      {report.animations.length > 0 && (
        <>
          <Heading>{`动画 ${s.animations || report.animations.length}`}</Heading>
          <Rows
            rows={report.animations.map((a, i) => [a.name || `动画 ${i + 1}`, `${a.seconds.toFixed(1)} 秒`])}
          />
        </>
      )}
    </Box>
  );
}

export function MaterialsPanel({ report }: { report: CheckReport }) {
  return (
    <Box>
      <Heading first>{`材质 ${report.statistics.materials}`}</Heading>
      {report.materials.length === 0 && <Note>模型没有材质</Note>}
      {report.materials.map((material, i) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: materials may share a name and have no id
          key={i}
          sx={{ display: "flex", gap: 1.5, py: 1, borderBottom: 1, borderColor: "divider", fontSize: 13 }}
        >
          <Box
            aria-hidden
            sx={{
              flex: "none",
              width: 28,
              height: 28,
              borderRadius: 1,
              border: 1,
              borderColor: "divider",
              bgcolor: css(material.baseColor),
            }}
          />
          <Box sx={{ minWidth: 0 }}>
            <Box sx={{ overflowWrap: "anywhere" }}>{material.name || `材质 ${i + 1}`}</Box>
            <Box sx={{ fontSize: 12, color: "text.secondary" }}>
              {[
                `金属度 ${material.metallic.toFixed(2)}`,
                `粗糙度 ${material.roughness.toFixed(2)}`,
                material.alphaMode === "BLEND" ? "半透明" : material.alphaMode === "MASK" ? "镂空" : "",
                material.doubleSided ? "双面" : "",
                material.textures.length > 0 ? `${material.textures.length} 张贴图` : "",
              ]
                .filter(Boolean)
                .join("　")}
            </Box>
          </Box>
        </Box>
      ))}
      <Heading>{`贴图 ${report.statistics.textures}`}</Heading>
      {report.textures.length === 0 && <Note>模型没有贴图</Note>}
      <Rows
        rows={report.textures.map((texture, i) => [
          texture.name || `贴图 ${i + 1}`,
          `${texture.width}×${texture.height}　${formatBytes(texture.bytes)}`,
        ])}
      />
    </Box>
  );
}

function Score({ value }: { value: number }) {
  const share = Math.max(0, Math.min(100, value)) / 100;
  const round = 2 * Math.PI * 26;
  return (
    <Box
      component="svg"
      role="img"
      aria-label={`体检得分 ${value}`}
      viewBox="0 0 64 64"
      sx={(theme) => ({
        flex: "none",
        width: 64,
        height: 64,
        color:
          share >= 0.8
            ? theme.palette.success.main
            : share >= 0.5
              ? theme.palette.warning.main
              : theme.palette.error.main,
      })}
    >
      <circle cx="32" cy="32" r="26" fill="none" stroke="currentColor" strokeOpacity=".18" strokeWidth="6" />
      <circle
        cx="32"
        cy="32"
        r="26"
        fill="none"
        stroke="currentColor"
        strokeWidth="6"
        strokeLinecap="round"
        strokeDasharray={`${round * share} ${round}`}
        transform="rotate(-90 32 32)"
      />
      <text x="32" y="38" textAnchor="middle" fontSize="18" fontWeight="600" fill="currentColor">
        {value}
      </text>
    </Box>
  );
}

function verdict(report: CheckReport): string {
  if (report.problems.some((p) => p.severity === "error")) return "有需要修复的错误";
  if (report.problems.some((p) => p.severity === "warning")) return "可以使用，有几处可改进";
  return "模型状况良好";
}

function countText(problems: readonly Problem[]): string {
  const of = (severity: Problem["severity"]) => problems.filter((p) => p.severity === severity).length;
  return `错误 ${of("error")}　提醒 ${of("warning")}　提示 ${of("info")}`;
}

function Heading({ children, first }: { children: ReactNode; first?: boolean }) {
  return (
    <Box component="h2" sx={{ m: 0, mt: first ? 0 : 3, mb: 0.5, fontSize: 13, fontWeight: 600 }}>
      {children}
    </Box>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <Box sx={{ py: 1, fontSize: 12, color: "text.secondary" }}>{children}</Box>;
}

export function Rows({ rows }: { rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Box component="dl" sx={{ m: 0, fontSize: 13 }}>
      {rows.map(([name, value], i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may repeat and rows never move
        <Box key={i} sx={{ display: "flex", gap: 2, justifyContent: "space-between", py: "5px" }}>
          <Box component="dt" sx={{ color: "text.secondary", overflowWrap: "anywhere", minWidth: 56 }}>
            {name}
          </Box>
          <Box
            component="dd"
            sx={{ m: 0, textAlign: "right", fontVariantNumeric: "tabular-nums", overflowWrap: "anywhere" }}
          >
            {value}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** 19_922_944 → "1992 万像素". */
export function pixelText(pixels: number): string {
  return pixels < 10_000 ? `${number(pixels)} 像素` : `${number(Math.round(pixels / 10_000))} 万像素`;
}

function number(value: number): string {
  return value.toLocaleString("zh-CN");
}

/** Linear colour factors to a CSS colour, by the sRGB curve. */
function css(rgba: readonly number[]): string {
  const channel = (value: number | undefined) => {
    const v = Math.max(0, Math.min(1, value ?? 1));
    return Math.round((v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055) * 255);
  };
  return `rgba(${channel(rgba[0])}, ${channel(rgba[1])}, ${channel(rgba[2])}, ${rgba[3] ?? 1})`;
}
