import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useCategories } from "./categories";
import { centsOf, type Values } from "./rules";
import { LICENSE_CHOICES, ORIGIN_CHOICES, priceText, titleOf } from "./words";

const CALLED: Readonly<Record<keyof Values, string>> = {
  name: "模型名称",
  categoryId: "分类",
  labelIds: "标签",
  intro: "一句话介绍",
  description: "详细说明",
  origin: "来源",
  license: "授权",
  price: "价格",
};

/** Below a field that was changed here and elsewhere: what it is there, and a button to take that. */
export function Elsewhere({
  field,
  values,
  onTake,
}: {
  field: keyof Values;
  values: Partial<Values>;
  onTake: () => void;
}) {
  const { nameOf } = useCategories();
  const there = values[field];
  if (there === undefined) return null;
  const texts: Partial<Record<keyof Values, (value: string) => string>> = {
    categoryId: nameOf,
    license: (value) => titleOf(LICENSE_CHOICES, value),
    origin: (value) => titleOf(ORIGIN_CHOICES, value),
    price: (value) => priceText(centsOf(value) ?? -1),
  };
  const text = typeof there === "string" ? (texts[field]?.(there) ?? there) : `${there.length} 个标签`;
  return (
    <Box sx={{ mt: 0.5, display: "flex", alignItems: "flex-start", gap: 1, fontSize: 12 }}>
      <Box
        sx={{
          flex: 1,
          minWidth: 0,
          py: 0.5,
          color: "warning.dark",
          whiteSpace: "pre-wrap",
          overflowWrap: "anywhere",
          overflow: "hidden",
          display: "-webkit-box",
          WebkitBoxOrient: "vertical",
          WebkitLineClamp: "4",
        }}
      >
        {text ? `别处已改为：${text}` : "别处已清空"}
      </Box>
      <Button size="small" aria-label={`改用别处的${CALLED[field]}`} onClick={onTake} sx={{ flex: "none" }}>
        改用别处的
      </Button>
    </Box>
  );
}
