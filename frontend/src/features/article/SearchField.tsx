import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useState } from "react";
import SearchIcon from "@/ui/icons/SearchOutlined";

/** Limit of the search call. */
export const MOST_OF_KEYWORD = 64;

/** Search field; `onSearch` navigates to the address that lists the results. */
export function SearchField({
  label,
  placeholder,
  keyword,
  onSearch,
}: {
  label: string;
  placeholder: string;
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
      onSubmit={(event: React.FormEvent) => {
        event.preventDefault();
        onSearch(text.trim().slice(0, MOST_OF_KEYWORD));
      }}
      sx={{
        mt: 3,
        display: "flex",
        alignItems: "center",
        gap: 1,
        maxWidth: 600,
        height: 52,
        pl: 2,
        pr: 0.75,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        color: "text.primary",
        backgroundColor: "background.paper",
        "&:has(input:focus)": {
          borderColor: "primary.main",
          boxShadow: (theme) => `inset 0 0 0 1px ${theme.palette.primary.main}`,
        },
      }}
    >
      <SearchIcon sx={{ color: "text.secondary" }} />
      <Box
        component="input"
        type="search"
        value={text}
        placeholder={placeholder}
        aria-label={label}
        maxLength={MOST_OF_KEYWORD}
        onChange={(event: React.ChangeEvent<HTMLInputElement>) => setText(event.target.value)}
        sx={{
          flex: 1,
          minWidth: 0,
          border: 0,
          outline: 0,
          font: "inherit",
          fontSize: 16,
          color: "inherit",
          background: "none",
        }}
      />
      <Button type="submit" variant="contained">
        搜索
      </Button>
    </Box>
  );
}
