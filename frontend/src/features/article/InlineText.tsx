import Box from "@mui/material/Box";
import { Link } from "react-router";
import { monoFamily } from "@/theme/tokens";
import { type Inline, keyed } from "./blocks";

const LINK = { color: "primary.main", textUnderlineOffset: "3px", overflowWrap: "anywhere" } as const;

/** A link of an article: client-side within the site, an anchor, or an external address in a new tab. */
export function ArticleLink({ href, children }: { href: string; children: React.ReactNode }) {
  if (href.startsWith("/"))
    return (
      <Box component={Link} to={href} sx={LINK}>
        {children}
      </Box>
    );
  const away = !href.startsWith("#");
  return (
    <Box component="a" href={href} sx={LINK} {...(away && { target: "_blank", rel: "noreferrer" })}>
      {children}
    </Box>
  );
}

function Run({ run }: { run: Inline }) {
  const text = run.code ? (
    <Box
      component="code"
      sx={{
        px: 0.5,
        py: "1px",
        borderRadius: "4px",
        fontFamily: monoFamily,
        fontSize: "0.9em",
        overflowWrap: "anywhere",
        backgroundColor: "action.hover",
      }}
    >
      {run.text}
    </Box>
  ) : (
    run.text
  );
  const weighted = run.bold ? <strong style={{ fontWeight: 600 }}>{text}</strong> : text;
  return run.href ? <ArticleLink href={run.href}>{weighted}</ArticleLink> : weighted;
}

/** The inline runs of one text. */
export function InlineText({ text }: { text: readonly Inline[] }) {
  return keyed(text).map(({ key, item }) => <Run key={key} run={item} />);
}
