import Box from "@mui/material/Box";
import { useState } from "react";
import { SeamlessPicture } from "@/ui/SeamlessPicture";
import type { Recipe } from "./blocks";
import { Drawn } from "./Drawn";
import { useSample } from "./samples";

/** Picture of a model: the mall's render if it has one, else our drawing. */
export function Picture({ recipe, alt, eager = false }: { recipe: Recipe; alt: string; eager?: boolean }) {
  const { listing } = useSample(recipe);
  const [failed, setFailed] = useState(false);
  const src = failed ? undefined : listing?.thumbUrl;
  if (!src) return <Drawn recipe={recipe} alt={alt} />;
  return (
    <Box sx={{ position: "relative", width: "100%", height: "100%" }}>
      <SeamlessPicture src={src} alt={alt} eager={eager} onError={() => setFailed(true)} />
    </Box>
  );
}

/** Frame of every picture in an article: its size is fixed before the picture loads. */
export function PictureFrame({ children, ratio = "16 / 10" }: { children: React.ReactNode; ratio?: string }) {
  return (
    <Box
      sx={{
        position: "relative",
        aspectRatio: ratio,
        overflow: "hidden",
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
      }}
    >
      {children}
    </Box>
  );
}

export function Caption({ children }: { children: React.ReactNode }) {
  return (
    <Box component="figcaption" sx={{ mt: 1, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>
      {children}
    </Box>
  );
}
