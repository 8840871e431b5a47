import Box from "@mui/material/Box";
import { ReadFailed } from "@/ui/ReadFailed";
import { GradeCard } from "./GradeCard";
import { GRADES } from "./grades";
import { useSold } from "./useSold";

/** The four editions side by side. */
export function GradeCards() {
  const { sold, isError, refetch } = useSold();
  if (isError) return <ReadFailed what="会员价格" onRetry={refetch} />;
  return (
    <Box
      sx={{
        maxWidth: 1240,
        mx: "auto",
        px: 2.5,
        pt: { xs: 4, md: 7 },
        display: "grid",
        gap: 2,
        gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr", lg: "repeat(4, 1fr)" },
      }}
    >
      {GRADES.map((grade) => (
        <GradeCard key={grade.key} grade={grade} sold={sold} />
      ))}
    </Box>
  );
}
