import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import OutlinedInput from "@mui/material/OutlinedInput";
import { type FormEvent, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import SearchIcon from "@/ui/icons/Search";
import { changed } from "./address";

/** Searches names, texts and labels; keeps the other filters. */
export function SearchBox({ query = new URLSearchParams() }: { query?: URLSearchParams }) {
  const navigate = useNavigate();
  const word = query.get("keyword") ?? "";
  const [text, setText] = useState(word);
  useEffect(() => setText(word), [word]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    void navigate(changed(query, { keyword: text.trim() }));
  };
  return (
    <Box component="form" role="search" onSubmit={search} sx={{ display: "flex", gap: 1, maxWidth: 640 }}>
      <OutlinedInput
        fullWidth
        size="small"
        placeholder="按名称、介绍或标签查找作品"
        value={text}
        onChange={(event) => setText(event.target.value)}
        startAdornment={<SearchIcon fontSize="small" sx={{ mr: 1, color: "text.secondary" }} />}
        inputProps={{ "aria-label": "搜索作品", maxLength: 50, enterKeyHint: "search" }}
        sx={{ bgcolor: "background.paper" }}
      />
      <Button type="submit" variant="contained" sx={{ flex: "none" }}>
        搜索
      </Button>
    </Box>
  );
}
