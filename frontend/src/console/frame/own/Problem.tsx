import Box from "@mui/material/Box";

/** Why an act failed, where no field is the reason. */
export function Problem({ children }: { children: string }) {
  if (!children) return null;
  return (
    <Box role="alert" sx={{ mt: 1, fontSize: 13, color: "error.main" }}>
      {children}
    </Box>
  );
}
