import Box from "@mui/material/Box";
import { Card, PageTitle } from "../../kit/page";
import { Part, useParts } from "../../kit/parts";
import { Nothing } from "../../kit/states";

/** Shares of a row of four columns with their gaps. */
const BASES = { 1: "calc(25% - 12px)", 2: "calc(50% - 8px)", 4: "100%" } as const;

/** Pending items and statistics: every area adds its own cards. */
export default function OverviewPage() {
  const { cards } = useParts();
  // Narrow ones first: those with one figure fill their rows, and the last row of each width is stretched.
  const sorted = [...cards].sort((a, b) => (a.wide ?? 1) - (b.wide ?? 1));
  return (
    <>
      <PageTitle title="总览" />
      {cards.length === 0 && (
        <Nothing title="您的角色没有可以在这里查看的内容" hint="请从左侧导航进入具体页面。" />
      )}
      <Box
        sx={{
          display: "flex",
          flexWrap: "wrap",
          gap: 2,
        }}
      >
        {sorted.map((card) => (
          <Box
            key={card.id}
            sx={{
              display: "grid",
              gridTemplateColumns: "minmax(0, 1fr)",
              minWidth: 0,
              flexGrow: 1,
              flexBasis: {
                xs: "100%",
                md: card.wide === 4 ? "100%" : "calc(50% - 8px)",
                xl: BASES[card.wide ?? 1],
              },
            }}
          >
            <Card title={card.title} flush>
              <Part part={card} props={{}} />
            </Card>
          </Box>
        ))}
      </Box>
    </>
  );
}
