import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { MatchupDemand, MatchupProviderCard } from "@/calls/matchup";
import { Avatar } from "@/features/avatar";
import { StatusTag } from "@/ui/StatusTag";
import { budgetText, DEMAND_STATES, demandPath, providerPath, starsText, untilText, wordOf } from "./words";

const CARD = {
  display: "flex",
  flexDirection: "column",
  gap: 1,
  height: "100%",
  p: 2,
  border: 1,
  borderColor: "divider",
  borderRadius: 2,
  backgroundColor: "background.paper",
  color: "text.primary",
  textDecoration: "none",
  "&:hover": { borderColor: "primary.main" },
} as const;

const CLAMPED = {
  display: "-webkit-box",
  WebkitBoxOrient: "vertical",
  overflow: "hidden",
  overflowWrap: "anywhere",
} as const;

export function CardRows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        listStyle: "none",
        m: 0,
        p: 0,
        display: "grid",
        gap: 2,
        gridTemplateColumns: {
          xs: "minmax(0, 1fr)",
          sm: "repeat(2, minmax(0, 1fr))",
          md: "repeat(3, minmax(0, 1fr))",
        },
        "& > li": { minWidth: 0 },
      }}
    >
      {children}
    </Box>
  );
}

export function RowsWaiting({ count, what }: { count: number; what: string }) {
  return (
    <Box role="status" aria-label={`正在加载${what}`}>
      <CardRows label="">
        {Array.from({ length: count }, (_, index) => `w${index}`).map((key) => (
          <Box component="li" key={key} aria-hidden>
            <Skeleton variant="rounded" height={196} />
          </Box>
        ))}
      </CardRows>
    </Box>
  );
}

export function Mark({ children }: { children: ReactNode }) {
  return (
    <Box
      component="span"
      sx={(theme) => ({
        flex: "none",
        px: 0.75,
        borderRadius: "4px",
        fontSize: 12,
        lineHeight: "20px",
        color: theme.palette.primary.dark,
        backgroundColor: theme.tokens.primarySoft,
      })}
    >
      {children}
    </Box>
  );
}

/** Rank of a card's title: below the page's own, or below that of a part of it. */
type Heading = "h2" | "h3";

export function DemandCard({
  demand,
  own = false,
  heading = "h3",
}: {
  demand: MatchupDemand;
  own?: boolean;
  heading?: Heading;
}) {
  const state = wordOf(DEMAND_STATES, demand.state);
  return (
    <Box component={Link} to={demandPath(demand.demandId)} sx={CARD}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.75, minHeight: 24, alignItems: "center" }}>
        {own && <StatusTag tone={state.tone}>{state.text}</StatusTag>}
        {demand.category && <Mark>{demand.category}</Mark>}
        {demand.industry && (
          <Box component="span" sx={{ fontSize: 12, color: "text.secondary" }}>
            {demand.industry}
          </Box>
        )}
      </Box>
      <Box
        component={heading}
        sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600, WebkitLineClamp: "2", ...CLAMPED }}
      >
        {demand.title || "未填写标题"}
      </Box>
      <Box
        sx={{ fontSize: 13, lineHeight: "20px", color: "text.secondary", WebkitLineClamp: "2", ...CLAMPED }}
      >
        {summaryOf(demand)}
      </Box>
      <Box
        sx={{
          mt: "auto",
          pt: 1,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "baseline",
          columnGap: 1.5,
          fontSize: 12,
          color: "text.secondary",
        }}
      >
        <Box component="span" className="tabular" sx={{ flex: 1, fontSize: 16, color: "text.primary" }}>
          {budgetText(demand)}
        </Box>
        {!demand.example && <span className="tabular">{`${demand.offerCount} 份报价`}</span>}
        <span className="tabular">{untilText(demand)}</span>
      </Box>
    </Box>
  );
}

/** The text without the sentence that declares it an example: its title says so already. */
function summaryOf({ content, example }: MatchupDemand): string {
  if (!example) return content;
  const [first = "", ...rest] = content.split("\n").filter(Boolean);
  return first.startsWith("这是示例") ? rest.join(" ") : content;
}

export function ProviderCard({ card, heading = "h3" }: { card: MatchupProviderCard; heading?: Heading }) {
  const name = card.name || "服务商";
  return (
    <Box component={Link} to={providerPath(card.providerId)} sx={CARD}>
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5, minWidth: 0 }}>
        <Avatar url={card.avatar} name={card.example ? name.replace(/^示例服务商：/, "") : name} size={40} />
        <Box sx={{ minWidth: 0 }}>
          <Box
            component={heading}
            sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600, overflowWrap: "anywhere" }}
          >
            {name}
          </Box>
          <Box sx={{ fontSize: 12, color: "text.secondary" }}>
            {[card.certified ? "已认证" : "", card.region].filter(Boolean).join(" · ")}
          </Box>
        </Box>
      </Box>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.75 }}>
        {card.skills.map((skill) => (
          <Mark key={skill}>{skill}</Mark>
        ))}
      </Box>
      <Box
        sx={{ fontSize: 13, lineHeight: "20px", color: "text.secondary", WebkitLineClamp: "3", ...CLAMPED }}
      >
        {card.example ? card.introduce.split("\n").filter(Boolean).slice(1).join(" ") : card.introduce}
      </Box>
      <Box className="tabular" sx={{ mt: "auto", pt: 1, fontSize: 12, color: "text.secondary" }}>
        {card.example
          ? "示例，不接受委托"
          : [`结束 ${card.done} 次对接`, starsText(card.ratingCount, card.ratingSum) || "还没有评价"].join(
              " · ",
            )}
      </Box>
    </Box>
  );
}
