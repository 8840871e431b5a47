import Box from "@mui/material/Box";
import { memo } from "react";
import type { OrderMemberGrade } from "@/calls/order";
import { GRADES, highlightLines, offerOf, useSold, YearPrice } from "@/features/membership";
import { golden } from "@/theme";
import { ReadFailed } from "@/ui/ReadFailed";

/** The editions with the server's prices. */
export function Editions() {
  const { sold, isError, refetch } = useSold();
  if (isError) return <ReadFailed dense what="会员价格" onRetry={refetch} />;
  return <Grades sold={sold} />;
}

const Grades = memo(function Grades({ sold }: { sold: readonly OrderMemberGrade[] | undefined }) {
  return (
    <Box
      sx={{
        display: "grid",
        gridTemplateColumns: { xs: "1fr 1fr", md: "repeat(4, 1fr)" },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        overflow: "hidden",
      }}
    >
      {GRADES.map((grade, index) => (
        <Box
          key={grade.key}
          sx={{
            p: { xs: 2, md: 4 },
            borderLeft: { xs: index % 2 ? 1 : 0, md: index ? 1 : 0 },
            borderTop: { xs: index > 1 ? 1 : 0, md: 0 },
            borderColor: { xs: "divider", md: "divider" },
          }}
        >
          <Box sx={{ fontWeight: 500, color: grade.key === "free" ? "text.primary" : golden.text }}>
            {grade.name}
          </Box>
          <Box sx={{ mt: 1 }}>
            <YearPrice cents={offerOf(grade.key, sold)?.yearCents} size={32} />
          </Box>
          <Box
            component="ul"
            sx={{ m: 0, mt: 2, p: 0, listStyle: "none", color: "text.secondary", lineHeight: "26px" }}
          >
            {highlightLines(offerOf(grade.key, sold)).map(({ key, line }) => (
              <li key={key}>{line}</li>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
});
