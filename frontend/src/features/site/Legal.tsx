import Box from "@mui/material/Box";

export interface Clause {
  title: string;
  items: readonly string[];
}

/** An agreement with numbered clauses and sentences, so that each can be cited. */
export function Legal({
  title,
  lead,
  date,
  clauses,
}: {
  title: string;
  lead: string;
  date: string;
  clauses: readonly Clause[];
}) {
  return (
    <Box component="article">
      <Box component="h1" sx={{ m: 0, fontSize: { xs: 26, md: 34 }, lineHeight: 1.3, fontWeight: 600 }}>
        {title}
      </Box>
      <Box sx={{ mt: 1.5, fontSize: 12, color: "text.secondary" }}>版本日期：{date}</Box>
      <Box component="p" sx={{ m: 0, mt: 3, fontSize: 15, lineHeight: "28px" }}>
        {lead}
      </Box>
      {clauses.map((clause, index) => (
        <Box component="section" key={clause.title} sx={{ mt: 5 }}>
          <Box component="h2" sx={{ m: 0, fontSize: 18, lineHeight: "28px", fontWeight: 600 }}>
            {index + 1}. {clause.title}
          </Box>
          {clause.items.map((item, at) => (
            <Box
              key={item}
              component="p"
              sx={{ m: 0, mt: 1.5, display: "flex", gap: 2, fontSize: 15, lineHeight: "28px" }}
            >
              <Box
                component="span"
                sx={{
                  flex: "none",
                  minWidth: 28,
                  color: "text.secondary",
                  fontVariantNumeric: "tabular-nums",
                }}
              >
                {index + 1}.{at + 1}
              </Box>
              <span>{item}</span>
            </Box>
          ))}
        </Box>
      ))}
    </Box>
  );
}
