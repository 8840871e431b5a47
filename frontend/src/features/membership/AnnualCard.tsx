import Box from "@mui/material/Box";
import type { OrderMemberGrade } from "@/calls/order";
import { golden } from "@/theme";
import { formatCents, Price } from "@/ui/Price";

const DAYS_A_YEAR = 365;

/** The only card on sale, preselected. */
export function AnnualCard({ grade }: { grade: OrderMemberGrade }) {
  const daily = (grade.annualFee / 100 / DAYS_A_YEAR).toFixed(2);
  return (
    <Box role="radiogroup" aria-label="会员卡">
      <Box
        component="label"
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 2,
          p: 2,
          border: `2px solid ${golden.line}`,
          borderRadius: 2,
          backgroundColor: "#FFF7E6",
          color: golden.textStrong,
          "&:focus-within": { outline: "2px solid", outlineColor: "primary.main", outlineOffset: 2 },
        }}
      >
        <Box
          component="input"
          type="radio"
          name="card"
          defaultChecked
          sx={{ accentColor: golden.solid, width: 18, height: 18, m: 0, flex: "none" }}
        />
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Box sx={{ fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>年卡</Box>
          <Box sx={{ fontSize: 12, lineHeight: "18px" }}>
            月均 ¥{formatCents(grade.monthlyAverage)}，约 {daily} 元/天
          </Box>
        </Box>
        <Price cents={grade.annualFee} size={28} trim unit="/年" />
      </Box>
    </Box>
  );
}
