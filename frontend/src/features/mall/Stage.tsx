import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ButtonBase from "@mui/material/ButtonBase";
import { useMemo, useState } from "react";
import type { TransactionListingPicture, TransactionModelDetailReply } from "@/calls/transaction";
import { markAsked } from "@/lib/asked";
import { SeamlessPicture } from "@/ui/SeamlessPicture";
import { ModelPreview } from "@/viewer";

const KINDS: Record<string, string> = {
  beauty: "效果图",
  turntable: "旋转展示",
  wire: "线框",
  uv: "UV 布局",
  texture: "贴图",
};

interface View {
  id: string;
  text: string;
  picture?: TransactionListingPicture;
}

/** Views in the order of KINDS; unknown kinds are last, with their own title. */
function viewsOf({ pictures, proxyUrl }: TransactionModelDetailReply): View[] {
  const order = Object.keys(KINDS);
  const rank = (kind: string) => (order.includes(kind) ? order.indexOf(kind) : order.length);
  const sorted = pictures.filter(({ url }) => url).sort((a, b) => rank(a.kind) - rank(b.kind));
  const views = sorted.map((picture) => ({
    id: picture.url,
    text: [KINDS[picture.kind], picture.title].filter(Boolean).join("：") || "图片",
    picture,
  }));
  return proxyUrl ? [{ id: "3d", text: "三维查看" }, ...views] : views;
}

/** The model's picture at once, its 3D proxy on request, and all other pictures below. */
export function Stage({ detail }: { detail: TransactionModelDetailReply }) {
  const views = useMemo(() => viewsOf(detail), [detail]);
  const [id, setId] = useState<string>();
  const [turned, setTurned] = useState(false);
  const { listing } = detail;
  const poster = views.find((view) => view.picture?.kind === "beauty")?.picture?.url || listing.thumbUrl;
  const shown = views.find((view) => view.id === id) ?? views[0];
  const still = shown?.picture?.url ?? poster;

  return (
    <Box>
      <Box
        sx={{
          position: "relative",
          aspectRatio: { xs: "1", sm: "4 / 3" },
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          overflow: "hidden",
          background: "linear-gradient(180deg,#F3F5F9,#E6EAF2)",
        }}
      >
        {shown?.id === "3d" && turned ? (
          // Without a poster: its bright ground does not match the stage.
          <ModelPreview url={detail.proxyUrl} name={listing.name} />
        ) : (
          still && (
            <SeamlessPicture
              eager
              src={still}
              alt={shown?.picture ? `${listing.name}，${shown.text}` : listing.name}
            />
          )
        )}
        {shown?.id === "3d" && !turned && (
          <Button
            variant="contained"
            onClick={() => {
              markAsked();
              setTurned(true);
            }}
            sx={{ position: "absolute", left: "50%", bottom: 24, transform: "translateX(-50%)" }}
          >
            三维查看
          </Button>
        )}
      </Box>
      {shown && (
        <Box sx={{ mt: 1, minHeight: 20, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}>
          {shown.id === "3d" ? "可转动的是带水印的简化模型，购买后得到原模型。" : shown.text}
        </Box>
      )}
      {views.length > 1 && (
        <Box
          role="group"
          aria-label="图片"
          sx={{ display: "flex", gap: 1, mt: 1, pb: 1, overflowX: "auto", scrollbarWidth: "thin" }}
        >
          {views.map((view) => (
            <ButtonBase
              key={view.id}
              disableRipple
              aria-label={view.picture ? view.text : `3D ${view.text}`}
              aria-pressed={view === shown}
              onClick={() => setId(view.id)}
              sx={{
                flex: "none",
                width: 72,
                height: 72,
                borderRadius: 1,
                overflow: "hidden",
                border: 2,
                borderColor: view === shown ? "primary.main" : "divider",
                fontSize: 13,
                fontWeight: 600,
                color: "primary.main",
                backgroundColor: "background.paper",
              }}
            >
              {view.picture ? (
                <Box
                  component="img"
                  src={view.picture.url}
                  alt=""
                  loading="lazy"
                  sx={{ width: "100%", height: "100%", objectFit: "cover" }}
                />
              ) : (
                "3D"
              )}
            </ButtonBase>
          ))}
        </Box>
      )}
    </Box>
  );
}
