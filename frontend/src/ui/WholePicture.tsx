import Box from "@mui/material/Box";
import { useState } from "react";

/** A small picture is not enlarged beyond this, so that its pixels still tell its size. */
const MOST = 2;

/** A picture that is shown as it is, on a plain ground: for maps, whose edges mean something. Fills its parent. */
export function WholePicture({ src, alt }: { src: string; alt: string }) {
  const [size, setSize] = useState<{ src: string; width: number; height: number }>();
  const known = size?.src === src ? size : undefined;
  return (
    <Box sx={{ position: "absolute", inset: 0, display: "grid", placeItems: "center", bgcolor: "#E6EAF2" }}>
      <Box
        component="img"
        src={src}
        alt={alt}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          setSize({ src, width: naturalWidth * MOST, height: naturalHeight * MOST })
        }
        style={{ maxWidth: known?.width || undefined, maxHeight: known?.height || undefined }}
        sx={{
          width: "100%",
          height: "100%",
          minWidth: 0,
          minHeight: 0,
          objectFit: "contain",
          display: "block",
        }}
      />
    </Box>
  );
}
