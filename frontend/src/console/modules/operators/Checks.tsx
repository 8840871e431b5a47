import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";

/** A group of checkboxes. */
export function Checks({
  label,
  choices,
  chosen,
  onChosen,
}: {
  label: string;
  choices: readonly { id: string; text: string; note?: string }[];
  chosen: readonly string[];
  onChosen: (chosen: string[]) => void;
}) {
  return (
    <Box component="fieldset" sx={{ m: 0, p: 0, border: 0, minWidth: 0 }}>
      <Box component="legend" sx={{ p: 0, mb: 0.5, fontSize: 13 }}>
        {label}
      </Box>
      <Box
        sx={{
          maxHeight: 260,
          overflowY: "auto",
          border: 1,
          borderColor: "divider",
          borderRadius: 1,
          px: 1.5,
          py: 0.5,
          display: "grid",
          gridTemplateColumns: { sm: "repeat(2, minmax(0, 1fr))" },
        }}
      >
        {choices.map(({ id, text, note }) => (
          <FormControlLabel
            key={id}
            control={
              <Checkbox
                size="small"
                checked={chosen.includes(id)}
                onChange={(_event, on) => onChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
              />
            }
            label={
              <Box component="span" sx={{ fontSize: 13 }}>
                {text}
                {note && (
                  <Box component="span" sx={{ color: "text.secondary" }}>
                    {` ${note}`}
                  </Box>
                )}
              </Box>
            }
          />
        ))}
      </Box>
    </Box>
  );
}
