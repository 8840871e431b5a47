import Button from "@mui/material/Button";

/** An act on the row of a table; `label` says on which, and begins with the text. */
export function RowButton({
  text,
  label,
  danger = false,
  onClick,
}: {
  text: string;
  label: string;
  danger?: boolean;
  onClick: () => void;
}) {
  return (
    <Button
      size="small"
      color={danger ? "error" : "primary"}
      aria-label={label}
      onClick={onClick}
      // its text begins where that of the column does
      sx={{
        minHeight: 24,
        minWidth: 0,
        py: 0,
        px: 0.75,
        "&:first-of-type": { ml: -0.75 },
        whiteSpace: "nowrap",
      }}
    >
      {text}
    </Button>
  );
}
