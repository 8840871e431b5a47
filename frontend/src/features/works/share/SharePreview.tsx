import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import { useCallback, useEffect, useState } from "react";
import { getConfig } from "@/api/config";
import { usePreviewShareMutation, type WorksShare } from "@/calls/works";
import { useSession } from "@/session";
import { ReadFailed } from "@/ui/ReadFailed";
import { connect, type Viewer } from "../../../../sdk/index.js";
import { linkOf, readOptions } from "./shareRules";

/** The share as embedded by another site, without password and uncounted; reloads whenever its content changes. */
export function SharePreview({
  share,
  onViewer,
}: {
  share: WorksShare;
  onViewer: (viewer: Viewer | undefined) => void;
}) {
  const { loginId } = useSession();
  const { shareId, options, worksName } = share;
  const [ask] = usePreviewShareMutation();
  const [preview, setPreview] = useState<{ of: string; key: string }>();
  const [failed, setFailed] = useState(false);
  const [tries, setTries] = useState(0);
  const wanted = `${shareId} ${options}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry requests again
  useEffect(() => {
    let gone = false;
    setFailed(false);
    ask({ userId: loginId, shareId })
      .unwrap()
      .then(
        (reply) => !gone && setPreview({ of: wanted, key: reply.preview }),
        () => !gone && setFailed(true),
      );
    return () => {
      gone = true;
    };
  }, [ask, loginId, shareId, wanted, tries]);
  const speak = useCallback(
    (frame: HTMLIFrameElement) => {
      const viewer = connect(frame);
      onViewer(viewer);
      return () => {
        viewer.close();
        onViewer(undefined);
      };
    },
    [onViewer],
  );
  const { width, height } = readOptions(options);
  if (failed) return <ReadFailed what="预览" onRetry={() => setTries((count) => count + 1)} />;
  return (
    <Box component="section" aria-label="预览">
      <Box
        sx={{
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          overflow: "hidden",
          backgroundColor: "#0B1020",
          width: width ? `min(100%, ${width}px)` : "100%",
          height: Math.min(height || 480, 640),
          lineHeight: 0,
        }}
      >
        {preview?.of !== wanted && (
          <Skeleton variant="rectangular" width="100%" height="100%" sx={{ bgcolor: "#1B2130" }} />
        )}
        {preview?.of === wanted && (
          <iframe
            key={preview.key}
            ref={speak}
            title={`预览：${worksName}`}
            src={`${linkOf(getConfig().embedUrl, shareId)}?preview=${preview.key}`}
            allow="fullscreen"
            referrerPolicy="strict-origin-when-cross-origin"
            style={{ width: "100%", height: "100%", border: 0 }}
          />
        )}
      </Box>
    </Box>
  );
}
