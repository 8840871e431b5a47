import Box from "@mui/material/Box";
import { Link } from "react-router";
import type { ContentContentHit } from "@/calls/content";
import { isKind, KINDS } from "./kinds";

/** Splits a text at the search words, which are separated by white space as in the search. */
function marked(text: string, keyword: string): { text: string; hit: boolean; at: number }[] {
  const words = keyword.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  // lower case may change the length in some scripts: then nothing is marked
  if (words.length === 0 || lower.length !== text.length) return [{ text, hit: false, at: 0 }];
  const parts: { text: string; hit: boolean; at: number }[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const word = words.find((one) => lower.startsWith(one, at));
    if (!word) {
      at += 1;
      continue;
    }
    if (at > from) parts.push({ text: text.slice(from, at), hit: false, at: from });
    parts.push({ text: text.slice(at, at + word.length), hit: true, at });
    at += word.length;
    from = at;
  }
  if (from < text.length) parts.push({ text: text.slice(from), hit: false, at: from });
  return parts;
}

function Marked({ text, keyword }: { text: string; keyword: string }) {
  return marked(text, keyword).map((part) =>
    part.hit ? (
      <Box
        key={part.at}
        component="mark"
        sx={(theme) => ({ color: "inherit", backgroundColor: theme.tokens.primarySoft })}
      >
        {part.text}
      </Box>
    ) : (
      <span key={part.at}>{part.text}</span>
    ),
  );
}

/** Search results, each with an excerpt around the match. */
export function Hits({ hits, keyword }: { hits: readonly ContentContentHit[]; keyword: string }) {
  return (
    <Box component="ol" aria-label="搜索结果" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {hits.map(({ card, excerpt }) => (
        <Box component="li" key={card?.id} sx={{ py: 2.5, borderBottom: 1, borderColor: "divider" }}>
          {card && (
            <>
              <Box
                component={Link}
                to={card.path}
                sx={{
                  fontSize: 17,
                  lineHeight: "26px",
                  fontWeight: 500,
                  color: "primary.main",
                  textDecoration: "none",
                  "&:hover": { textDecoration: "underline" },
                }}
              >
                <Marked text={card.title} keyword={keyword} />
              </Box>
              <Box sx={{ mt: 0.5, lineHeight: "24px", overflowWrap: "anywhere" }}>
                <Marked text={excerpt} keyword={keyword} />
              </Box>
              <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary" }}>
                {[isKind(card.kind) ? KINDS[card.kind].title : "", card.categoryTitle, card.date]
                  .filter(Boolean)
                  .join(" · ")}
              </Box>
            </>
          )}
        </Box>
      ))}
    </Box>
  );
}
