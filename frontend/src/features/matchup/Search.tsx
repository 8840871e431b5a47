import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useEffect, useState } from "react";

const LONGEST = 50;

/** Keyword field. */
export function Search({
  label,
  keyword,
  onSearch,
}: {
  label: string;
  keyword: string;
  onSearch: (keyword: string) => void;
}) {
  const [text, setText] = useState(keyword);
  useEffect(() => setText(keyword), [keyword]);
  return (
    <Box
      component="form"
      role="search"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
      sx={{ display: "flex", gap: 1, width: "100%", maxWidth: 560 }}
    >
      <TextField
        size="small"
        fullWidth
        value={text}
        onChange={(event) => setText(event.target.value)}
        slotProps={{ htmlInput: { "aria-label": label, maxLength: LONGEST } }}
      />
      <Button type="submit" variant="contained" sx={{ flex: "none" }}>
        搜索
      </Button>
    </Box>
  );
}
