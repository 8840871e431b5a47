import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useMemo, useRef } from "react";
import type { WorksWorkDetailReply } from "@/calls/works";
import { type Pin, StagedModel, type StageHandle } from "@/viewer";
import { readScene, stagingOf } from "@/viewer/scene";
import type { Placing } from "./Comments";
import type { Place } from "./pins";
import { useKept } from "./useKept";

/** The work: its picture at once, its model once loaded, with the pins of comments. */
export function DetailStage({
  detail,
  pins,
  chosen,
  placing,
  onChoose,
  onPlace,
  onReady,
}: {
  detail: WorksWorkDetailReply;
  pins: readonly Pin[];
  chosen?: string;
  placing: Placing;
  onChoose: (commentId: string) => void;
  onPlace: (place: Place) => void;
  onReady: (stage: StageHandle) => void;
}) {
  const { card, scene } = detail;
  const model = useKept(detail.model);
  const staging = useMemo(() => stagingOf(readScene(scene)), [scene]);
  const frame = useRef<HTMLDivElement>(null);
  const marks = useMemo<readonly Pin[]>(
    () =>
      placing.place
        ? [...pins, { id: "new", text: "新", label: "将要标注的位置", spot: placing.place.spot }]
        : pins,
    [pins, placing.place],
  );
  const picture = model?.posterUrl || card.pcPreview || card.preview;
  return (
    <Box
      ref={frame}
      sx={{
        position: "relative",
        aspectRatio: { xs: "1", sm: "4 / 3" },
        borderRadius: 2,
        overflow: "hidden",
        border: 1,
        borderColor: "divider",
        backgroundColor: "#0B1020",
        "&:fullscreen": { aspectRatio: "auto", borderRadius: 0, border: 0 },
      }}
    >
      {model?.modelUrl ? (
        <StagedModel
          url={model.modelUrl}
          proxyUrl={model.proxyUrl || undefined}
          posterUrl={picture || undefined}
          name={card.name}
          staging={staging}
          pins={marks}
          chosen={chosen}
          onChoose={onChoose}
          onSpot={placing.active ? (spot, view) => onPlace({ spot, view }) : undefined}
          onReady={onReady}
        />
      ) : (
        <>
          {picture && (
            <Box
              component="img"
              src={picture}
              alt={card.name}
              fetchPriority="high"
              sx={{ width: "100%", height: "100%", objectFit: "contain", display: "block" }}
            />
          )}
          <Box
            role="status"
            sx={{
              position: "absolute",
              inset: "auto 0 0 0",
              p: 1.5,
              textAlign: "center",
              color: "#E8ECF6",
              backgroundColor: "rgba(11,16,32,.72)",
            }}
          >
            模型正在准备，稍后刷新即可查看
          </Box>
        </>
      )}
      {placing.active && (
        <Box
          role="status"
          sx={{
            position: "absolute",
            zIndex: 3,
            top: 12,
            left: "50%",
            transform: "translateX(-50%)",
            maxWidth: "calc(100% - 24px)",
            px: 1.5,
            py: 0.75,
            borderRadius: 2,
            fontSize: 13,
            color: "#E8ECF6",
            backgroundColor: "rgba(11,16,32,.86)",
          }}
        >
          点击模型选择位置；用键盘时把位置转到画面正中，按回车
        </Box>
      )}
      {model?.modelUrl && (
        <Button
          size="small"
          variant="contained"
          onClick={() =>
            void (document.fullscreenElement
              ? document.exitFullscreen()
              : frame.current?.requestFullscreen?.().catch(() => undefined))
          }
          sx={{
            position: "absolute",
            zIndex: 3,
            right: 12,
            top: 12,
            color: "#E8ECF6",
            backgroundColor: "rgba(11,16,32,.72)",
            "&:hover": { backgroundColor: "rgba(11,16,32,.9)" },
            "@media (max-width: 599px)": { display: "none" },
          }}
        >
          全屏
        </Button>
      )}
    </Box>
  );
}
