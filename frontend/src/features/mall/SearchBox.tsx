import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import {
  type TransactionSuggestion,
  useSuggestQuery,
  useTransactionLabelCateQuery,
} from "@/calls/transaction";
import SearchIcon from "@/ui/icons/SearchOutlined";
import { searchPath, withChosen } from "./address";
import { filterOf } from "./categories";

/** Debounce of the suggestions, milliseconds. */
const QUIET = 180;
const KINDS: Record<string, string> = { category: "分类", label: "标签", maker: "模型师" };

function useQuiet(text: string): string {
  const [quiet, setQuiet] = useState("");
  useEffect(() => {
    const timer = window.setTimeout(() => setQuiet(text.trim()), QUIET);
    return () => window.clearTimeout(timer);
  }, [text]);
  return quiet;
}

/** The mall's search with suggestions; an empty search lists all models. `rest`: filters and order that stay. */
export function SearchBox({ keyword = "", rest }: { keyword?: string; rest?: string }) {
  const navigate = useNavigate();
  const [text, setText] = useState(keyword);
  useEffect(() => setText(keyword), [keyword]);
  const quiet = useQuiet(text);
  const wanted = quiet !== "" && quiet !== keyword;
  const { currentData } = useSuggestQuery({ keyword: quiet }, { skip: !wanted });
  const found = wanted && text.trim() !== "" ? (currentData ?? []) : [];
  const { data: tree = [] } = useTransactionLabelCateQuery({}, { skip: !wanted });
  const go = (word: string) => navigate(searchPath(word, rest));
  const take = (one: TransactionSuggestion) => {
    const filter = filterOf(tree, one);
    if (!filter) return go(one.text);
    setText("");
    return navigate(searchPath("", withChosen(new URLSearchParams(rest), filter.facet, filter.key)));
  };

  return (
    <Box
      component="form"
      role="search"
      aria-label="搜索模型"
      onSubmit={(event) => {
        event.preventDefault();
        go(text);
      }}
      sx={{ display: "flex", gap: 1, width: "100%", maxWidth: 680 }}
    >
      <Autocomplete
        freeSolo
        fullWidth
        disableClearable
        // the text is the state; a suggestion that became a filter leaves none
        value=""
        options={found}
        filterOptions={(all) => all}
        getOptionLabel={(one) => (typeof one === "string" ? one : one.text)}
        getOptionKey={(one) => (typeof one === "string" ? one : `${one.kind}/${one.text}`)}
        inputValue={text}
        onInputChange={(_, value) => setText(value)}
        // Enter on what is typed submits the form
        onChange={(_, one) => typeof one !== "string" && take(one)}
        renderOption={({ key, ...props }, one) => (
          <Box component="li" key={key} {...props} sx={{ display: "flex", gap: 1 }}>
            <Box component="span" sx={{ flex: 1, overflowWrap: "anywhere" }}>
              {one.text}
            </Box>
            {KINDS[one.kind] && (
              <Box component="span" sx={{ fontSize: 12, color: "text.secondary" }}>
                {KINDS[one.kind]}
              </Box>
            )}
          </Box>
        )}
        renderInput={(params) => (
          <TextField
            {...params}
            placeholder="搜模型：齿轮、chilun、路灯…"
            slotProps={{
              ...params.slotProps,
              htmlInput: { ...params.slotProps.htmlInput, "aria-label": "搜索模型", maxLength: 100 },
            }}
            sx={{ backgroundColor: "background.paper", borderRadius: 1 }}
          />
        )}
      />
      <Button type="submit" variant="contained" aria-label="搜索" sx={{ minWidth: 56, px: { sm: 3 } }}>
        <SearchIcon fontSize="small" />
      </Button>
    </Box>
  );
}
