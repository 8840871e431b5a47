import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import { Link } from "react-router";

/** Identity numbers and photographs are sensitive: they need a consent separate from the terms. */
export function Consent({
  value,
  onChange,
  error,
}: {
  value: boolean;
  onChange: (value: boolean) => void;
  error?: string;
}) {
  return (
    <Box>
      <Box
        component="label"
        sx={{ display: "flex", alignItems: "flex-start", gap: 0.5, fontSize: 13, lineHeight: "20px" }}
      >
        <Checkbox
          size="small"
          checked={value}
          onChange={(event) => onChange(event.target.checked)}
          sx={{ p: 0, mr: 0.5, mt: "1px" }}
        />
        <span>
          我同意玄览云为本次认证处理所填的证件信息。信息加密保存，只有审核人员可以查看，证件照片在审核后 30
          天删除。详见
          <Box component={Link} to="/secrecy" target="_blank" sx={{ color: "primary.main" }}>
            《隐私政策》
          </Box>
        </span>
      </Box>
      <Box
        role={error ? "alert" : undefined}
        sx={{ minHeight: 26, pt: 0.375, fontSize: 12, color: "error.main" }}
      >
        {error}
      </Box>
    </Box>
  );
}
