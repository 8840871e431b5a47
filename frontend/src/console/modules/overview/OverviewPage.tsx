import Box from "@mui/material/Box";
import { Card, PageTitle } from "../../kit/page";
import { Part, useParts } from "../../kit/parts";
import { Nothing } from "../../kit/states";

/** Pending items and statistics: every area adds its own cards. */
export default function OverviewPage() {
  const { cards } = useParts();
  return (
    <>
      <PageTitle title="总览" />
      {cards.length === 0 && (
        <Nothing title="您的角色没有可以在这里查看的内容" hint="请从左侧导航进入具体页面。" />
      )}
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: {
            xs: "minmax(0, 1fr)",
            md: "repeat(2, minmax(0, 1fr))",
            xl: "repeat(4, minmax(0, 1fr))",
          },
          alignItems: "start",
        }}
      >
        {cards.map((card) => (
          <Box
            key={card.id}
            sx={{
              minWidth: 0,
              gridColumn: {
                md: card.wide === 4 ? "span 2" : undefined,
                xl: card.wide ? `span ${card.wide}` : undefined,
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
