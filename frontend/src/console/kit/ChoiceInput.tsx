import Box from "@mui/material/Box";
import MenuItem from "@mui/material/MenuItem";
import Select from "@mui/material/Select";
import { useId } from "react";
import { Below } from "./Below";

/** A labelled select with few options. */
export function ChoiceInput<V extends string | number>({
  label,
  value,
  choices,
  onChange,
}: {
  label: string;
  value: V;
  choices: readonly { value: V; text: string }[];
  onChange: (value: V) => void;
}) {
  const id = useId();
  return (
    <Box>
      <Box id={id} sx={{ mb: 0.75, fontSize: 13 }}>
        {label}
      </Box>
      <Select
        fullWidth
        value={value}
        onChange={(event) => onChange(event.target.value as V)}
        SelectDisplayProps={{ "aria-labelledby": id }}
      >
        {choices.map((one) => (
          <MenuItem key={one.value} value={one.value}>
            {one.text}
          </MenuItem>
        ))}
      </Select>
      <Below />
    </Box>
  );
}
