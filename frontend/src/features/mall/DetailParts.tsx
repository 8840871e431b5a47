import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { TransactionAuthor, TransactionModelDetailReply } from "@/calls/transaction";
import { Avatar } from "@/features/avatar";
import { ProblemList, Rows } from "@/features/report";
import { authorPath } from "@/lib/paths";
import { licenseOf, originOf } from "@/messages/licenses";
import { calledBy } from "@/session";
import { formatBytes } from "@/ui/bytes";
import { CertifiedBadge, markOf } from "@/ui/CertifiedBadge";
import { dayOf, shortCount } from "@/ui/numbers";
import { formatLength } from "@/viewer";
import { readFacts } from "./facts";
import { makerKind } from "./words";

export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box component="section" aria-label={title} sx={{ mt: 4 }}>
      <Box component="h2" sx={{ m: 0, mb: 1.5, fontSize: 18, lineHeight: "26px", fontWeight: 600 }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}

/** Average rating, or a text if there are no ratings. */
export function starsText({ ratingSum, ratingCount }: { ratingSum: number; ratingCount: number }): string {
  return ratingCount > 0
    ? `${(ratingSum / ratingCount).toFixed(1)} 分（${shortCount(ratingCount)}）`
    : "暂无评分";
}

const count = (n: number) => n.toLocaleString("zh-CN");

/** Results of the check-up, measured on the original model. */
export function FactRows({ detail }: { detail: TransactionModelDetailReply }) {
  const { listing } = detail;
  const facts = readFacts(detail.facts);
  const rows: [string, string][] = [
    ["体检得分", `${listing.score} / 100`],
    ["格式", listing.formats.map((format) => format.toUpperCase()).join("、")],
    ["文件大小", formatBytes(detail.bytes)],
    ["三角面", count(listing.triangles)],
  ];
  const known: [string, number][] = [
    ["顶点", facts.vertices],
    ["网格", facts.meshes],
    ["材质", facts.materials],
    ["贴图", facts.textureCount],
    ["骨架", facts.skins],
    ["形变目标", facts.morphTargets],
  ];
  for (const [name, value] of known) if (value > 0) rows.push([name, count(value)]);
  const largest = Math.max(0, ...facts.textures.map(({ width, height }) => Math.max(width, height)));
  if (largest > 0) rows.push(["最大贴图", `${count(largest)} 像素`]);
  if (facts.boundingBox) rows.push(["尺寸", facts.boundingBox.size.map(formatLength).join(" × ")]);
  rows.push([
    "动画",
    listing.animation ? (facts.animationCount ? `${facts.animationCount} 段` : "有") : "无",
  ]);
  const origin = originOf(listing.origin);
  if (origin) rows.push(["来源", origin]);
  return (
    <>
      <Rows rows={rows} />
      {facts.problems && (
        <Box sx={{ mt: 2 }}>
          <ProblemList problems={facts.problems} none="体检未发现问题" />
        </Box>
      )}
    </>
  );
}

export function LicenseText({ license }: { license: string }) {
  const { title, allowed, refused } = licenseOf(license);
  const list = (name: string, lines: readonly string[]) => (
    <Box>
      <Box component="h3" sx={{ m: 0, mb: 0.5, fontSize: 14, fontWeight: 600 }}>
        {name}
      </Box>
      <Box component="ul" sx={{ m: 0, pl: 2.5, fontSize: 14, lineHeight: "26px", color: "text.secondary" }}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </Box>
    </Box>
  );
  return (
    <Block title={title}>
      <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { sm: "1fr 1fr" } }}>
        {list("可以", allowed)}
        {list("不可以", refused)}
      </Box>
    </Block>
  );
}

export function Versions({ detail }: { detail: TransactionModelDetailReply }) {
  if (detail.versions.length === 0) return null;
  return (
    <Block title="版本">
      <Box component="ol" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {detail.versions.map((version) => (
          <Box
            component="li"
            key={version.number}
            sx={{ py: 1.5, borderBottom: 1, borderColor: "divider", "&:last-child": { borderBottom: 0 } }}
          >
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1.5, fontVariantNumeric: "tabular-nums" }}>
              <Box component="span" sx={{ fontWeight: 500 }}>{`第 ${version.number} 版`}</Box>
              <Box component="span" sx={{ fontSize: 13, color: "text.secondary" }}>
                {[dayOf(version.createdAt), version.format.toUpperCase(), formatBytes(version.bytes)].join(
                  "　",
                )}
              </Box>
            </Box>
            {version.notes && (
              <Box
                sx={{
                  mt: 0.5,
                  fontSize: 14,
                  color: "text.secondary",
                  whiteSpace: "pre-line",
                  overflowWrap: "anywhere",
                }}
              >
                {version.notes}
              </Box>
            )}
          </Box>
        ))}
      </Box>
    </Block>
  );
}

export function MakerCard({ author }: { author: TransactionAuthor }) {
  const name = calledBy(author.nickname, author.authorId);
  return (
    <Box
      component={Link}
      to={authorPath(author.authorId)}
      sx={{
        display: "flex",
        alignItems: "center",
        gap: 1.5,
        p: 1.5,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        color: "text.primary",
        textDecoration: "none",
        "&:hover": { borderColor: "primary.main" },
      }}
    >
      <Avatar url={author.avatar} name={name} size={44} />
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, fontWeight: 500 }}>
          <Box component="span" sx={{ overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}>
            {name}
          </Box>
          <CertifiedBadge as={markOf(author.certified)} mark="line" />
        </Box>
        <Box sx={{ fontSize: 12, lineHeight: "20px", color: "text.secondary" }}>
          {`${makerKind(author.uploaderType)} · ${shortCount(author.models)} 个模型 · 售出 ${shortCount(author.sold)}`}
        </Box>
      </Box>
    </Box>
  );
}
