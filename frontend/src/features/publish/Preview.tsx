import Box from "@mui/material/Box";
import { licenseOf, originOf } from "@/messages/licenses";
import { ModelCard } from "@/ui/ModelCard";
import { Price } from "@/ui/Price";
import { centsOf, type Values } from "./rules";

/** Preview of the card in the mall, from the current input; not interactive. */
export function Preview({
  values,
  picture,
  formats,
}: {
  values: Values;
  picture: string | undefined;
  formats: readonly string[];
}) {
  const cents = centsOf(values.price);
  return (
    <Box component="section" aria-label="商城中的样子">
      <Box sx={{ mb: 1, fontSize: 12, color: "text.secondary" }}>商城中的样子</Box>
      <Box inert sx={{ "& > a": { width: "100%" } }}>
        <ModelCard
          to="/transaction"
          name={values.name.trim() || "模型名称"}
          picture={picture}
          formats={formats.map((format) => format.toUpperCase())}
          foot={cents === undefined ? "价格未填写" : cents === 0 ? "免费" : <Price cents={cents} size={16} />}
          badge={values.origin === "ai" ? originOf(values.origin) : undefined}
        />
      </Box>
      <Box sx={{ mt: 1, fontSize: 13, overflowWrap: "anywhere" }}>{values.intro.trim() || "一句话介绍"}</Box>
      <Box sx={{ fontSize: 12, color: "text.secondary" }}>{licenseOf(values.license).title}</Box>
    </Box>
  );
}
