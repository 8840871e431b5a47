import Box from "@mui/material/Box";
import { Link } from "react-router";

/** A row of exclusive choices; the chosen one is stored in the address. */
export function Choices({
  label,
  field,
  query,
  choices,
}: {
  label: string;
  field: string;
  query: URLSearchParams;
  choices: readonly string[];
}) {
  if (choices.length === 0) return null;
  const current = query.get(field) ?? "";
  return (
    <Box component="nav" aria-label={label} sx={{ display: "flex", gap: 1, minWidth: 0 }}>
      <Box sx={{ flex: "none", width: 40, lineHeight: "32px", fontSize: 13, color: "text.secondary" }}>
        {label}
      </Box>
      <Box
        sx={{
          display: "flex",
          gap: 0.5,
          minWidth: 0,
          flexWrap: { md: "wrap" },
          overflowX: "auto",
          scrollbarWidth: "none",
        }}
      >
        {["", ...choices].map((text) => {
          const here = text === current;
          return (
            <Box
              component={Link}
              key={text}
              to={`?${changed(query, { [field]: text, page: "" })}`}
              preventScrollReset
              aria-current={here ? "true" : undefined}
              sx={{
                flex: "none",
                px: 1.25,
                lineHeight: "32px",
                fontSize: 14,
                borderRadius: 1,
                textDecoration: "none",
                color: here ? "primary.dark" : "text.primary",
                fontWeight: here ? 600 : 400,
                backgroundColor: here ? (theme) => theme.tokens.primarySoft : undefined,
                "&:hover": { color: "primary.main" },
              }}
            >
              {text || "全部"}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

/** The query with changed fields; empty values remove theirs. */
export function changed(query: URLSearchParams, change: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next.toString();
}
