import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import { useState } from "react";
import { cleanLabel, MOST } from "./rules";

/** Search labels, chosen by the author. */
export function Labels({
  labels,
  disabled,
  onChange,
}: {
  labels: readonly string[];
  disabled: boolean;
  onChange: (labels: readonly string[]) => void;
}) {
  const [text, setText] = useState("");
  const full = labels.length >= MOST.labels;
  const add = () => {
    const label = cleanLabel(text);
    setText("");
    if (label && !full && !labels.includes(label)) onChange([...labels, label]);
  };
  return (
    <Box>
      <Box sx={{ display: "flex", gap: 1, alignItems: "flex-start" }}>
        <TextField
          size="small"
          label="标签"
          value={text}
          disabled={disabled || full}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
            event.preventDefault();
            add();
          }}
          helperText={`${labels.length} / ${MOST.labels}，每个最多 ${MOST.label} 个字符`}
          sx={{ flex: 1, maxWidth: 320 }}
        />
        <Button variant="outlined" disabled={disabled || full || !cleanLabel(text)} onClick={add}>
          添加
        </Button>
      </Box>
      {labels.length > 0 && (
        <Box sx={{ mt: 1, display: "flex", flexWrap: "wrap", gap: 1 }}>
          {labels.map((label) => (
            <Chip
              key={label}
              label={label}
              disabled={disabled}
              aria-label={`移除标签 ${label}`}
              onDelete={() => onChange(labels.filter((one) => one !== label))}
            />
          ))}
        </Box>
      )}
    </Box>
  );
}
