import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { usePromotionCode } from "@/features/auth";
import { dateText } from "@/ui/dateText";

/** The field for a friend's code, for those who skipped it at their registration. */
export function EnterCode({
  until,
  onTaken,
  onRefused,
}: {
  until: number;
  onTaken: () => void;
  /** The server will not take the code, or none any more. */
  onRefused: (message: string) => void;
}) {
  const { field, confirm, busy } = usePromotionCode(onTaken, onRefused);
  return (
    <form onSubmit={(event) => void confirm(event)} noValidate>
      <Box component="h2" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
        填写好友的推广码
      </Box>
      <Box sx={{ mt: 0.5, mb: 2, fontSize: 13, color: "text.secondary" }}>
        {`${dateText(until)} 之前可以填写一次。`}
      </Box>
      <Box sx={{ display: "flex", columnGap: 1.5 }}>
        <Box sx={{ flex: 1, minWidth: 0, maxWidth: 320 }}>{field}</Box>
        {/* In line with the input, below its label. */}
        <Button
          type="submit"
          variant="contained"
          loading={busy}
          sx={{ flex: "none", mt: "26px", height: 40 }}
        >
          提交
        </Button>
      </Box>
    </form>
  );
}
