import Box from "@mui/material/Box";

/** The line below a field: its problem, or else its hint. It takes the same room when empty, so that all fields stand evenly. */
export function Below({ id, problem, hint }: { id?: string; problem?: string; hint?: string }) {
  return (
    <Box
      id={id}
      role={problem ? "alert" : undefined}
      sx={{
        minHeight: 34,
        pt: 0.25,
        // room to the next label
        pb: 1.75,
        fontSize: 12,
        lineHeight: "18px",
        color: problem ? "error.main" : "text.secondary",
      }}
    >
      {problem || hint}
    </Box>
  );
}
