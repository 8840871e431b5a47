import Autocomplete from "@mui/material/Autocomplete";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { matching, useCategories } from "./categories";

/** The category, searchable by name. */
export function CategoryField({
  value,
  problem,
  disabled,
  required = false,
  label = "分类",
  onChange,
}: {
  value: string;
  problem?: string;
  disabled?: boolean;
  required?: boolean;
  label?: string;
  onChange: (id: string) => void;
}) {
  const { choices, loading, failed, retry } = useCategories();
  return (
    <Box>
      <Autocomplete
        size="small"
        options={choices}
        loading={loading}
        disabled={disabled}
        value={choices.find(({ id }) => id === value) ?? null}
        groupBy={({ top }) => top}
        getOptionLabel={({ name }) => name}
        getOptionKey={({ id }) => id}
        isOptionEqualToValue={(one, other) => one.id === other.id}
        filterOptions={(all, { inputValue }) => matching(all, inputValue)}
        autoHighlight
        noOptionsText="没有这个分类"
        loadingText="正在读取分类"
        clearText="清除"
        openText="展开分类"
        closeText="收起分类"
        onChange={(_, chosen) => onChange(chosen?.id ?? "")}
        renderInput={(params) => (
          <TextField
            {...params}
            label={label}
            required={required}
            error={problem !== undefined}
            helperText={problem}
            slotProps={{ ...params.slotProps, inputLabel: { ...params.slotProps?.inputLabel, shrink: true } }}
          />
        )}
      />
      {failed && (
        <Box role="alert" sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>
          分类没有读取成功，已选的会保留。
          <Button size="small" onClick={retry}>
            重试
          </Button>
        </Box>
      )}
    </Box>
  );
}
