import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import { useEffect, useState } from "react";
import { FUNCTION_TYPES } from "@/shop/labels";
import { DateRange } from "@/ui/DateRange";

export interface OrderFilter {
  /** The order's number, whole. */
  orderNo: string;
  /** Function type as text; empty: all. */
  module: string;
  from: string;
  to: string;
}

/** What the list is narrowed by; the number is taken when it is submitted. */
export function OrderFilters({
  filter,
  onChange,
}: {
  filter: OrderFilter;
  onChange: (change: Partial<OrderFilter>) => void;
}) {
  const [text, setText] = useState(filter.orderNo);
  useEffect(() => setText(filter.orderNo), [filter.orderNo]);
  const filtered = Object.values(filter).some((value) => value !== "");
  return (
    <Box
      component="form"
      role="search"
      aria-label="筛选订单"
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ orderNo: text.trim() });
      }}
      sx={{ display: "flex", gap: 1.5, mb: 2, flexWrap: "wrap", alignItems: "center" }}
    >
      <TextField
        size="small"
        placeholder="订单号"
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: { "aria-label": "订单号", maxLength: 64, inputMode: "numeric" } }}
        sx={{ width: { xs: "100%", sm: 220 } }}
      />
      <TextField
        select
        size="small"
        value={filter.module}
        onChange={(event) => onChange({ module: event.target.value })}
        slotProps={{
          select: { displayEmpty: true, SelectDisplayProps: { "aria-label": "功能类型" } },
        }}
        sx={{ flex: { xs: 1, sm: "none" }, width: { sm: 132 } }}
      >
        <MenuItem value="">全部类型</MenuItem>
        {FUNCTION_TYPES.map((name, code) => (
          <MenuItem key={name} value={String(code)}>
            {name}
          </MenuItem>
        ))}
      </TextField>
      <Box sx={{ order: { xs: 1, sm: 0 }, width: { xs: "100%", sm: "auto" } }}>
        <DateRange from={filter.from} to={filter.to} onChange={onChange} />
      </Box>
      <Button type="submit" variant="outlined">
        查询
      </Button>
      {filtered && (
        <Button
          onClick={() => onChange({ orderNo: "", module: "", from: "", to: "" })}
          sx={{ order: { xs: 2, sm: 0 } }}
        >
          清除条件
        </Button>
      )}
    </Box>
  );
}
