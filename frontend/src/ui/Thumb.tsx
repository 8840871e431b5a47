import Box from "@mui/material/Box";
import { useState } from "react";

/** Picture of a model; the drawn cube if there is none, or while it is still being rendered. */
export function Thumb({ src, size = 48 }: { src: string | null | undefined; size?: number }) {
  const [failed, setFailed] = useState<string>();
  return (
    <Box
      sx={(theme) => ({
        flex: "none",
        width: size,
        height: size,
        borderRadius: 1,
        overflow: "hidden",
        border: 1,
        borderColor: "divider",
        bgcolor: theme.tokens.ground,
        color: theme.tokens.textThird,
        display: "grid",
        placeItems: "center",
      })}
    >
      {src && src !== failed ? (
        <Box
          component="img"
          src={src}
          alt=""
          loading="lazy"
          onError={() => setFailed(src)}
          sx={{ width: "100%", height: "100%", objectFit: "cover" }}
        />
      ) : (
        <svg
          width={size * 0.55}
          height={size * 0.55}
          viewBox="0 0 32 32"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="M16 3l11 6.5v13L16 29 5 22.5v-13zM5 9.5L16 16l11-6.5M16 16v13" />
        </svg>
      )}
    </Box>
  );
}
