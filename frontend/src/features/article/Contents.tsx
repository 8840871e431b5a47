import Box from "@mui/material/Box";
import { useEffect, useState } from "react";
import type { Heading } from "./blocks";

/** Id of the last heading above the middle of the window. */
function useCurrent(headings: readonly Heading[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    let frame = 0;
    const look = () => {
      frame = 0;
      const above = headings.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < window.innerHeight / 3;
      });
      setCurrent((above.at(-1) ?? headings[0])?.id);
    };
    const onScroll = () => {
      frame ||= window.requestAnimationFrame(look);
    };
    window.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      window.removeEventListener("scroll", onScroll);
      window.cancelAnimationFrame(frame);
    };
  }, [headings]);
  return current;
}

function Entries({ headings, current }: { headings: readonly Heading[]; current?: string }) {
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none" }}>
      {headings.map(({ id, level, text }) => (
        <li key={id}>
          <Box
            component="a"
            href={`#${encodeURIComponent(id)}`}
            aria-current={id === current ? "location" : undefined}
            sx={{
              display: "block",
              py: 0.75,
              pl: level === 3 ? 3 : 1.5,
              borderLeft: 2,
              borderColor: "divider",
              fontSize: 13,
              lineHeight: "20px",
              color: "text.secondary",
              textDecoration: "none",
              "&:hover": { color: "primary.main" },
              "&[aria-current]": { color: "primary.main", borderColor: "primary.main" },
            }}
          >
            {text}
          </Box>
        </li>
      ))}
    </Box>
  );
}

const LABEL = "本页内容";

/** Table of contents beside the article, on wide screens. */
export function ContentsBeside({ headings }: { headings: readonly Heading[] }) {
  const current = useCurrent(headings);
  return (
    <Box
      component="nav"
      aria-label={LABEL}
      sx={{ position: "sticky", top: 104, maxHeight: "calc(100vh - 140px)", overflowY: "auto" }}
    >
      <Box sx={{ mb: 1, fontSize: 12, color: "text.secondary" }}>{LABEL}</Box>
      <Entries headings={headings} current={current} />
    </Box>
  );
}

/** Folded table of contents above the article, on narrow screens. */
export function ContentsAbove({ headings }: { headings: readonly Heading[] }) {
  return (
    <Box
      component="details"
      sx={{
        mt: 3,
        px: 2,
        border: 1,
        borderColor: "divider",
        borderRadius: 2,
        "& > summary": { minHeight: 44, lineHeight: "44px", fontSize: 14, cursor: "pointer" },
      }}
    >
      <summary>{LABEL}</summary>
      <Box component="nav" aria-label={LABEL} sx={{ pb: 2 }}>
        <Entries headings={headings} />
      </Box>
    </Box>
  );
}
