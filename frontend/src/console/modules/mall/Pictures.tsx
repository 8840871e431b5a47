import Box from "@mui/material/Box";
import type { TransactionListingPicture } from "../../api/generated/transaction";
import { wordOf } from "../../kit/choices";
import { Nothing } from "../../kit/states";
import { PICTURES } from "./words";

const rank = ({ kind }: TransactionListingPicture) => PICTURES.findIndex(({ value }) => value === kind);

/** The named pictures of a version, each linked to its full size. */
export function Pictures({ pictures }: { pictures: readonly TransactionListingPicture[] }) {
  if (pictures.length === 0) return <Nothing title="还没有展示图" hint="展示图制作完成后出现在这里。" />;
  const inOrder = [...pictures].sort((a, b) => rank(a) - rank(b));
  const number = new Map<string, number>();
  return (
    <Box
      component="ul"
      sx={{
        listStyle: "none",
        m: 0,
        p: 0,
        display: "grid",
        gap: 1.5,
        gridTemplateColumns: "repeat(auto-fill, minmax(min(180px, 42%), 1fr))",
      }}
    >
      {inOrder.map((picture) => {
        const at = (number.get(picture.kind) ?? 0) + 1;
        number.set(picture.kind, at);
        const title = [wordOf(PICTURES, picture.kind).text, picture.title || at].join(" ");
        return (
          <Box component="li" key={`${picture.kind}${at}`} sx={{ minWidth: 0 }}>
            <Box
              component="a"
              href={picture.url}
              target="_blank"
              rel="noreferrer"
              aria-label={`查看原图：${title}`}
              sx={{
                display: "block",
                aspectRatio: "1",
                border: 1,
                borderColor: "divider",
                borderRadius: 1,
                overflow: "hidden",
                backgroundColor: "background.default",
                "&:hover, &:focus-visible": { borderColor: "primary.main" },
              }}
            >
              <Box
                component="img"
                src={picture.url}
                alt=""
                loading="lazy"
                sx={{ width: "100%", height: "100%", objectFit: "contain" }}
              />
            </Box>
            <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>
              {title}
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
