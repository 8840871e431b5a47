import Box from "@mui/material/Box";
import { FREE_SINGLE_MAX_MB, FREE_STORAGE_GB } from "@/facts/limits";
import { READ_COUNT, WRITTEN_COUNT } from "@/facts/names";

const FACTS = [
  { figure: String(READ_COUNT), unit: "种", text: `格式可以读入，可输出 ${WRITTEN_COUNT} 种` },
  { figure: "5", unit: "MB", text: "一片，分片直传；断了从断处接着传" },
  {
    figure: String(FREE_STORAGE_GB),
    unit: "GB",
    text: `免费存储空间，单个模型 ${FREE_SINGLE_MAX_MB} MB 以内`,
  },
  { figure: "100", unit: "分", text: "满分的体检报告，扣分都写明原因" },
];

/** The product in four figures. */
export function Facts() {
  return (
    <Box
      component="section"
      aria-label="产品事实"
      sx={{ backgroundColor: "background.paper", borderBottom: 1, borderColor: "divider" }}
    >
      <Box
        sx={{
          maxWidth: 1240,
          mx: "auto",
          px: 2.5,
          py: { xs: 4, md: 5 },
          display: "grid",
          gap: { xs: 3, md: 0 },
          gridTemplateColumns: { xs: "1fr 1fr", md: "repeat(4, 1fr)" },
        }}
      >
        {FACTS.map((fact, index) => (
          <Box
            key={fact.text}
            sx={{
              pl: { md: index === 0 ? 0 : 4 },
              pr: { md: 3 },
              borderLeft: { md: index === 0 ? 0 : 1 },
              borderColor: { md: "divider" },
            }}
          >
            <Box sx={{ fontVariantNumeric: "tabular-nums" }}>
              <Box component="span" sx={{ fontSize: 40, lineHeight: "48px", fontWeight: 600 }}>
                {fact.figure}
              </Box>
              <Box component="span" sx={{ ml: 0.75, fontSize: 14, color: "text.secondary" }}>
                {fact.unit}
              </Box>
            </Box>
            <Box sx={{ mt: 0.5, color: "text.secondary" }}>{fact.text}</Box>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
