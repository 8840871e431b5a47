import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import { useId } from "react";

/** A few choices, each with an explanation. */
export function Choice({
  label,
  choices,
  value,
  disabled,
  onChange,
}: {
  label: string;
  choices: readonly { value: string; title: string; note: string }[];
  value: string;
  disabled?: boolean;
  onChange: (value: string) => void;
}) {
  const id = useId();
  return (
    <Box>
      <Box id={id} sx={{ mb: 1, fontSize: 14, fontWeight: 500 }}>
        {label}
      </Box>
      <RadioGroup
        aria-labelledby={id}
        value={value}
        onChange={(_, chosen) => onChange(chosen)}
        sx={{
          display: "grid",
          gap: 1.5,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: `repeat(${choices.length}, minmax(0, 1fr))` },
        }}
      >
        {choices.map((one) => (
          <FormControlLabel
            key={one.value}
            value={one.value}
            disabled={disabled}
            control={<Radio size="small" />}
            label={
              <>
                <Box component="span" sx={{ display: "block", fontWeight: 500 }}>
                  {one.title}
                </Box>
                <Box component="span" sx={{ display: "block", fontSize: 12, color: "text.secondary" }}>
                  {one.note}
                </Box>
              </>
            }
            sx={{
              m: 0,
              p: 1.5,
              alignItems: "flex-start",
              border: 1,
              borderRadius: 2,
              borderColor: value === one.value ? "primary.main" : "divider",
              "& .MuiRadio-root": { p: 0, mr: 1, mt: 0.25 },
            }}
          />
        ))}
      </RadioGroup>
    </Box>
  );
}
