import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { Link } from "react-router";
import { SCORE_DRAWS, SCORE_PIXELS, SCORE_TRIANGLES } from "@/facts/score";
import { groupDigits } from "@/lib/digits";

/** Side of a square texture with as many pixels as the check-up's threshold. */
const SIDE = Math.round(Math.sqrt(SCORE_PIXELS));
const MOST = 1e9;

const read = (text: string) =>
  Math.min(MOST, Math.max(0, Math.floor(Number(text.replace(/[\s,，]/g, "")) || 0)));

/** Compares a model's figures with the check-up's thresholds and names what is heavy. */
export function BudgetTool() {
  const [triangles, setTriangles] = useState("820000");
  const [textures, setTextures] = useState("6");
  const [draws, setDraws] = useState("150");
  const pixels = read(textures) * SIDE * SIDE;
  const rows = [
    { title: "三角面", have: read(triangles), most: SCORE_TRIANGLES, advice: "按比例或按面数减面" },
    { title: "贴图总像素", have: pixels, most: SCORE_PIXELS, advice: "限定贴图最长边" },
    { title: "绘制批次", have: read(draws), most: SCORE_DRAWS, advice: "合并材质相同的网格" },
  ];
  const heavy = rows.filter(({ have, most }) => have > most);
  const field = (label: string, value: string, set: (text: string) => void) => (
    <TextField
      label={label}
      value={value}
      onChange={(event) => set(event.target.value.slice(0, 12))}
      slotProps={{ htmlInput: { inputMode: "numeric" } }}
    />
  );
  return (
    <Box
      sx={{
        p: { xs: 2.5, md: 4 },
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        backgroundColor: "background.paper",
        display: "grid",
        gap: { xs: 3, md: 5 },
        gridTemplateColumns: { xs: "minmax(0,1fr)", md: "280px minmax(0,1fr)" },
      }}
    >
      <Box sx={{ display: "grid", gap: 2.5 }}>
        {field("三角面", triangles, setTriangles)}
        {field(`${SIDE} × ${SIDE} 贴图的张数`, textures, setTextures)}
        {field("绘制批次（材质数大致相当）", draws, setDraws)}
      </Box>
      <Box aria-live="polite">
        {rows.map(({ title, have, most }) => (
          <Box key={title} sx={{ mb: 2 }}>
            <Box sx={{ display: "flex", justifyContent: "space-between", gap: 2, flexWrap: "wrap" }}>
              <span>{title}</span>
              <Box component="span" sx={{ color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
                {have > most
                  ? `${groupDigits(have)}，是起扣线 ${groupDigits(most)} 的 ${(have / most).toFixed(1)} 倍`
                  : `${groupDigits(have)}，不超过起扣线 ${groupDigits(most)}`}
              </Box>
            </Box>
            <Box
              aria-hidden
              sx={{
                mt: 0.75,
                height: 6,
                borderRadius: 3,
                overflow: "hidden",
                backgroundColor: "action.hover",
              }}
            >
              <Box
                sx={{
                  height: "100%",
                  width: `${Math.min(100, (have / most) * 50)}%`,
                  backgroundColor: have > most ? "warning.main" : "secondary.main",
                }}
              />
            </Box>
          </Box>
        ))}
        <Box sx={{ mt: 2, fontWeight: 500 }}>
          {heavy.length === 0
            ? "这三项都不扣分，多半不用再减。"
            : `先做：${heavy.map(({ advice }) => advice).join("；")}。`}
        </Box>
        <Button component={Link} to="/workbench/myUpload?upload=1" variant="contained" sx={{ mt: 2 }}>
          上传，量一量真实的数字
        </Button>
      </Box>
    </Box>
  );
}
