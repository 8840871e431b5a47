import Box from "@mui/material/Box";
import { Link } from "react-router";
import { FACTS } from "./facts";

/** Results of the engine on four public models. */
export function Facts() {
  return (
    <Box
      component="section"
      aria-label="实测结果"
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
              {fact.lead && (
                <Box component="span" sx={{ mr: 0.75, fontSize: 14, color: "text.secondary" }}>
                  {fact.lead}
                </Box>
              )}
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
        <Box
          component="p"
          sx={{ gridColumn: "1 / -1", m: 0, mt: { md: 3 }, fontSize: 12, color: "text.secondary" }}
        >
          在两核服务器上用公开样例模型实测；误差是双向平均距离占包围盒对角线的比例。
          <Box component={Link} to="/case" sx={{ ml: 1, color: "primary.main" }}>
            看示例工程怎样处理
          </Box>
        </Box>
      </Box>
    </Box>
  );
}
