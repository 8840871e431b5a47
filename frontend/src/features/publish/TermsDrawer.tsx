import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Drawer from "@mui/material/Drawer";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { CategoryField } from "./CategoryField";
import { centsOf, isEmpty, PRICE_WRONG, priceTyped } from "./rules";
import type { Terms } from "./useActs";
import { LICENSE_CHOICES, ORIGIN_CHOICES } from "./words";

/** Sets the same terms for many listings; fields left empty keep each listing's value. */
export function TermsDrawer({
  open,
  many,
  busy,
  onSave,
  onClose,
}: {
  open: boolean;
  many: number;
  busy: boolean;
  onSave: (terms: Terms) => void;
  onClose: () => void;
}) {
  return (
    <Drawer
      anchor="right"
      open={open}
      onClose={onClose}
      slotProps={{ paper: { role: "dialog", "aria-labelledby": "terms-title" } }}
    >
      {open && <TermsForm many={many} busy={busy} onSave={onSave} onClose={onClose} />}
    </Drawer>
  );
}

function TermsForm({ many, busy, onSave, onClose }: Omit<Parameters<typeof TermsDrawer>[0], "open">) {
  const [categoryId, setCategory] = useState("");
  const [license, setLicense] = useState("");
  const [origin, setOrigin] = useState("");
  const [price, setPrice] = useState("");
  const [tried, setTried] = useState(false);
  const cents = centsOf(price);
  const wrong = price.trim() !== "" && cents === undefined;
  const terms: Terms = {
    ...(categoryId && { categoryId }),
    ...(license && { license }),
    ...(origin && { origin }),
    ...(cents !== undefined && { price: cents }),
  };
  const choice = (
    label: string,
    value: string,
    set: (value: string) => void,
    choices: readonly { value: string; title: string }[],
  ) => (
    <TextField
      select
      label={label}
      value={value}
      onChange={(event) => set(event.target.value)}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">不修改</MenuItem>
      {choices.map((one) => (
        <MenuItem key={one.value} value={one.value}>
          {one.title}
        </MenuItem>
      ))}
    </TextField>
  );
  return (
    <Box
      component="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!wrong && !isEmpty(terms)) onSave(terms);
      }}
      sx={{ width: "min(400px, 100vw)", p: 3, display: "grid", gap: 2.5 }}
    >
      <Box>
        <Box component="h2" id="terms-title" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
          发布设置
        </Box>
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>
          {many > 0 ? `将修改选中的 ${many} 个模型，未填写的保持原样。` : "先在列表中选择模型。"}
        </Box>
      </Box>
      <CategoryField label="分类（不选则不修改）" value={categoryId} onChange={setCategory} />
      {choice("授权", license, setLicense, LICENSE_CHOICES)}
      {choice("来源", origin, setOrigin, ORIGIN_CHOICES)}
      <TextField
        label="价格（元）"
        value={price}
        error={wrong && tried}
        onBlur={() => setTried(true)}
        helperText={wrong && tried ? PRICE_WRONG : "留空则不修改，0 为免费"}
        onChange={(event) => setPrice(priceTyped(event.target.value, price))}
        slotProps={{ htmlInput: { inputMode: "decimal" }, inputLabel: { shrink: true } }}
      />
      <Box sx={{ display: "flex", gap: 1.5, justifyContent: "flex-end" }}>
        <Button color="inherit" onClick={onClose}>
          取消
        </Button>
        <Button type="submit" variant="contained" loading={busy} disabled={many === 0 || isEmpty(terms)}>
          保存
        </Button>
      </Box>
    </Box>
  );
}
