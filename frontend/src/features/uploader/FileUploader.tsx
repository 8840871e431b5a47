import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { type ReactNode, useId, useRef, useState } from "react";
import { acceptOf, type FileKind } from "@/transfer/fileRules";
import { formatBytes } from "@/ui/bytes";
import Close from "@/ui/icons/Close";
import CloudUploadOutlined from "@/ui/icons/CloudUploadOutlined";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";
import type { Upload, Uploads } from "./useUploads";

const TILE = 96;

/**
 * Upload area: pictures as tiles, other files as lines. `uploads` comes from `useUploads` with the same rules, so that the form
 * knows when all uploads are done.
 */
export function FileUploader({
  label,
  hint,
  kind,
  most,
  uploads,
}: {
  label: string;
  hint: ReactNode;
  kind: FileKind;
  most: number;
  uploads: Uploads;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const labelId = useId();
  const { items, add, remove, retry } = uploads;
  const tiles = kind === "picture" || kind === "img";
  const full = items.length >= most;

  return (
    <Box
      role="group"
      aria-labelledby={labelId}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        add([...event.dataTransfer.files]);
      }}
    >
      <Box id={labelId} sx={{ mb: 0.75, fontSize: 13, lineHeight: "20px", color: "text.secondary" }}>
        {label}
      </Box>
      <Box
        component="ul"
        sx={{
          m: 0,
          p: 0,
          listStyle: "none",
          display: tiles ? "flex" : "grid",
          flexWrap: "wrap",
          gap: tiles ? 1.5 : 1,
        }}
      >
        {items.map((item) => (
          <Box component="li" key={item.id} sx={{ minWidth: 0 }}>
            {tiles ? (
              <Tile item={item} onRemove={() => remove(item.id)} onRetry={() => retry(item.id)} />
            ) : (
              <Line item={item} onRemove={() => remove(item.id)} onRetry={() => retry(item.id)} />
            )}
          </Box>
        ))}
        {!full && (
          <li>
            <ButtonBase
              onClick={() => input.current?.click()}
              sx={(theme) => ({
                width: tiles ? TILE : "100%",
                height: tiles ? TILE : 44,
                flexDirection: tiles ? "column" : "row",
                gap: tiles ? 0.5 : 1,
                borderRadius: 1,
                border: "1px dashed",
                borderColor: over ? "primary.main" : theme.tokens.textThird,
                bgcolor: over ? theme.tokens.primarySoft : "background.default",
                fontSize: 12,
                color: "text.secondary",
                "&:hover": { borderColor: "primary.main", color: "primary.main" },
              })}
            >
              <CloudUploadOutlined sx={{ fontSize: 22 }} />
              {tiles ? "上传图片" : kind === "video" ? "选择视频" : "选择文件"}
              <Box component="span" className="tabular">{`${items.length}/${most}`}</Box>
            </ButtonBase>
          </li>
        )}
      </Box>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={acceptOf(kind)}
        multiple={most > 1}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // cleared, so that the same file can be chosen again after an error
          event.target.value = "";
          add(files);
        }}
      />
      <Box sx={{ mt: 0.75, fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>{hint}</Box>
    </Box>
  );
}

interface ItemProps {
  item: Upload;
  onRemove: () => void;
  onRetry: () => void;
}

function Tile({ item, onRemove, onRetry }: ItemProps) {
  const failed = item.state === "failed";
  return (
    <Box sx={{ width: TILE }}>
      <Box
        sx={{
          position: "relative",
          width: TILE,
          height: TILE,
          overflow: "hidden",
          borderRadius: 1,
          border: 1,
          borderColor: failed ? "error.main" : "divider",
          bgcolor: "background.default",
        }}
      >
        <Box
          component="img"
          src={item.preview}
          alt={item.name}
          sx={{
            width: "100%",
            height: "100%",
            objectFit: "cover",
            display: "block",
            opacity: item.state === "done" ? 1 : 0.5,
          }}
        />
        <Progress item={item} />
        <RemoveButton
          name={item.name}
          onClick={onRemove}
          sx={{
            position: "absolute",
            top: 4,
            right: 4,
            color: "#fff",
            bgcolor: "rgba(11, 16, 32, .64)",
            borderRadius: "50%",
          }}
        />
      </Box>
      {failed && <Failure item={item} onRetry={onRetry} />}
    </Box>
  );
}

function Line({ item, onRemove, onRetry }: ItemProps) {
  const failed = item.state === "failed";
  return (
    <Box
      sx={{
        position: "relative",
        px: 1.5,
        py: 1,
        border: 1,
        borderColor: failed ? "error.main" : "divider",
        borderRadius: 1,
      }}
    >
      <Box sx={{ display: "flex", alignItems: "center", gap: 1.5 }}>
        <Box
          sx={{ flex: 1, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
        >
          {item.name}
        </Box>
        <Box className="tabular" sx={{ flex: "none", fontSize: 12, color: "text.secondary" }}>
          {item.state === "sending" ? `${Math.round(item.sent * 100)}%` : formatBytes(item.size)}
        </Box>
        <RemoveButton name={item.name} onClick={onRemove} sx={{ color: "text.secondary" }} />
      </Box>
      {failed && <Failure item={item} onRetry={onRetry} />}
      <Progress item={item} />
    </Box>
  );
}

/** A bar at the bottom while the file is being sent or scanned. */
function Progress({ item }: { item: Upload }) {
  if (item.state !== "sending" && item.state !== "checking") return null;
  const percent = Math.round(item.sent * 100);
  return (
    <Box
      role="progressbar"
      aria-label={`${item.name} ${item.state === "checking" ? "正在检查" : "正在上传"}`}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      sx={{
        position: "absolute",
        left: 0,
        right: 0,
        bottom: 0,
        height: 4,
        bgcolor: "rgba(31, 94, 255, .16)",
      }}
    >
      <Box sx={{ height: "100%", width: `${percent}%`, bgcolor: "primary.main" }} />
    </Box>
  );
}

function Failure({ item, onRetry }: { item: Upload; onRetry: () => void }) {
  return (
    <Box role="alert" sx={{ mt: 0.5, fontSize: 12, lineHeight: "18px", color: "error.main" }}>
      {item.error}{" "}
      <ButtonBase
        onClick={onRetry}
        aria-label={`重试 ${item.name}`}
        sx={{ font: "inherit", color: "primary.main", verticalAlign: "baseline" }}
      >
        重试
      </ButtonBase>
    </Box>
  );
}

function RemoveButton({ name, onClick, sx }: { name: string; onClick: () => void; sx: object }) {
  return (
    <ButtonBase onClick={onClick} sx={{ width: 24, height: 24, flex: "none", ...sx }}>
      <Close sx={{ fontSize: 16 }} />
      <Box component="span" sx={VISUALLY_HIDDEN}>{`移除 ${name}`}</Box>
    </ButtonBase>
  );
}
