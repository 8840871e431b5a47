import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";

interface Choice {
  id: string;
  text: string;
  note?: string;
  /** Chosen by another choice; it cannot be taken away alone. */
  fixed?: boolean;
}

/** Checkboxes, under titles where they are grouped. The box takes the height that the dialog leaves it. */
export function Checks({
  label,
  groups,
  chosen,
  onChosen,
}: {
  label: string;
  groups: readonly { title?: string; choices: readonly Choice[] }[];
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
          maxHeight: "max(260px, 100vh - 520px)",
          overflowY: "auto",
          border: 1,
          borderColor: "divider",
          borderRadius: 1,
          px: 1.5,
          py: 0.5,
        }}
      >
        {groups.map(({ title, choices }, index) => (
          <Box
            key={title ?? ""}
            role={title ? "group" : undefined}
            aria-label={title}
            sx={{
              py: 0.5,
              borderTop: index ? 1 : 0,
              borderColor: "divider",
              display: "grid",
              gridTemplateColumns: {
                xs: "minmax(0, 1fr)",
                sm: "repeat(auto-fill, minmax(230px, 1fr))",
              },
            }}
          >
            {title && (
              <Box
                aria-hidden="true"
                sx={{ gridColumn: "1 / -1", fontSize: 12, lineHeight: "20px", color: "text.secondary" }}
              >
                {title}
              </Box>
            )}
            {choices.map(({ id, text, note, fixed }) => (
              <FormControlLabel
                key={id}
                control={
                  <Checkbox
                    size="small"
                    checked={chosen.includes(id)}
                    disabled={fixed}
                    sx={{ py: 0.25 }}
                    onChange={(_event, on) =>
                      onChosen(on ? [...chosen, id] : chosen.filter((one) => one !== id))
                    }
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
        ))}
      </Box>
    </Box>
  );
}
