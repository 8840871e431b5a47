import Box from "@mui/material/Box";
import { bestOf } from "./grades";
import { useSold } from "./useSold";

/** The cheapest day and the largest discount; reserves its height, so that the server's data does not push the cards down. */
export function BestPrice() {
  const { sold } = useSold();
  const best = sold && bestOf(sold);
  return (
    <Box
      component="p"
      sx={{
        m: 0,
        minHeight: { xs: 48, sm: 24 },
        fontSize: 16,
        lineHeight: "24px",
        color: "text.secondary",
      }}
    >
      {best && `每天 ${best.daily} 元起。会员处理倾斜摄影最高优惠 ${best.reduction}%。`}
    </Box>
  );
}
