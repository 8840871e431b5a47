import Box from "@mui/material/Box";

/** Screens on which an ad is shown, and the scale of their previews. */
const SCREENS = [
  { name: "电脑", width: 1440, height: 900, scale: 0.2 },
  { name: "手机", width: 375, height: 812, scale: 0.25 },
] as const;

/** The margins of the site's popup around a picture, and the picture's largest size. */
const LARGEST = { width: 560, height: 720, beside: 48, above: 112 };

/** A picture as in the site's popup, at desktop and phone size. */
export function AdPreview({ src, title }: { src: string; title: string }) {
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2, justifyContent: "center" }}>
      {SCREENS.map(({ name, width, height, scale }) => (
        <Box key={name} component="figure" sx={{ m: 0, display: "grid", gap: 0.5, justifyItems: "center" }}>
          <Box
            sx={{
              width: width * scale,
              height: height * scale,
              overflow: "hidden",
              border: 1,
              borderColor: "divider",
              borderRadius: 1,
            }}
          >
            <Box
              sx={{
                width,
                height,
                transform: `scale(${scale})`,
                transformOrigin: "top left",
                display: "grid",
                placeItems: "center",
                backgroundColor: "rgba(11,16,32,.5)",
              }}
            >
              <Box
                component="img"
                src={src}
                alt={`${title}（${name}）`}
                sx={{
                  display: "block",
                  maxWidth: Math.min(LARGEST.width, width - LARGEST.beside),
                  maxHeight: Math.min(LARGEST.height, height - LARGEST.above),
                }}
              />
            </Box>
          </Box>
          <Box component="figcaption" sx={{ fontSize: 12, color: "text.secondary" }}>
            {`${name} ${width} × ${height}`}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
