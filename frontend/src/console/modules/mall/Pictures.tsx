import Box from "@mui/material/Box";
import { pictureGroups } from "@/messages/pictures";
import type { TransactionListingPicture } from "../../api/generated/transaction";
import { Nothing } from "../../kit/states";

/** The named pictures of a version, each linked to its full size. */
export function Pictures({
  pictures,
  gone = false,
  label,
}: {
  pictures: readonly TransactionListingPicture[];
  /** The listing is deleted, and its pictures with it. */
  gone?: boolean;
  /** Where there are several such lists. */
  label?: string;
}) {
  if (gone) return <Nothing title="展示图已删除" hint="模型永久删除时，展示图一并删除。" />;
  if (pictures.length === 0) return <Nothing title="还没有展示图" hint="展示图制作完成后出现在这里。" />;
  const named = pictureGroups(pictures).flatMap((group) => group.pictures);
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        listStyle: "none",
        m: 0,
        p: 0,
        display: "grid",
        gap: 1.5,
        gridTemplateColumns: "repeat(auto-fill, minmax(min(180px, 42%), 1fr))",
      }}
    >
      {named.map(({ picture: { url }, name }) => (
        <Box component="li" key={name} sx={{ minWidth: 0 }}>
          <Box
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            aria-label={`查看${label ?? ""}原图：${name}`}
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
              src={url}
              alt=""
              loading="lazy"
              sx={{ width: "100%", height: "100%", objectFit: "contain" }}
            />
          </Box>
          <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary", overflowWrap: "anywhere" }}>{name}</Box>
        </Box>
      ))}
    </Box>
  );
}
