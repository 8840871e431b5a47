import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { type ReactNode, useId, useRef, useState } from "react";
import { type Uploads, useUploads } from "@/features/uploader";
import { acceptOf } from "@/transfer/fileRules";
import { PHOTO_LIMIT_MB } from "./rules";

/**
 * One photograph of a document. Only the reviewer sees it, so it skips the scan of public pictures. Room for two: a replacement
 * is uploaded beside the photograph that it replaces.
 */
export function usePhoto(): Uploads {
  return useUploads({ kind: "picture", limitMb: PHOTO_LIMIT_MB, most: 2, unscanned: true });
}

type Face = "front" | "back" | "license";

/** Line drawing of what the photograph must show. */
function Outline({ face }: { face: Face }) {
  return (
    <svg
      width="104"
      height="66"
      viewBox="0 0 104 66"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      aria-hidden="true"
    >
      <rect x="1" y="1" width="102" height="64" rx="5" />
      {face === "front" && (
        <>
          <circle cx="78" cy="24" r="8" />
          <path d="M64 46c2-9 8-12 14-12s12 3 14 12M12 16h28M12 26h36M12 36h30M12 54h64" />
        </>
      )}
      {face === "back" && (
        <>
          <circle cx="22" cy="22" r="10" />
          <path d="m22 15 2 5h5l-4 3 2 5-5-3-5 3 2-5-4-3h5zM44 16h44M44 26h44M30 44h46M30 54h46" />
        </>
      )}
      {face === "license" && (
        <path d="M40 13h24M14 25h46M14 34h46M14 43h40M14 52h30M74 30h16v16H74zM78 34h3v3h-3zM84 34h3v3h-3zM78 40h3v3h-3z" />
      )}
    </svg>
  );
}

/** Large drop zone for one photograph: choose, drop, view, replace. */
export function PhotoField({
  label,
  face,
  photo,
  error,
}: {
  label: string;
  face: Face;
  photo: Uploads;
  error?: string;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const errorId = useId();
  const [item] = photo.items;
  const failed = item?.state === "failed";
  const shownError = failed ? item.error : item ? undefined : error;

  const take = (files: readonly File[]) => {
    if (files.length === 0) return;
    if (item) photo.remove(item.id);
    photo.add(files.slice(0, 1));
  };

  return (
    <Box role="group" aria-label={label} sx={{ minWidth: 0 }}>
      <ButtonBase
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          take([...event.dataTransfer.files]);
        }}
        aria-label={item ? `更换${label}` : undefined}
        aria-describedby={shownError ? errorId : undefined}
        sx={(theme) => ({
          position: "relative",
          width: "100%",
          aspectRatio: "1.586",
          overflow: "hidden",
          borderRadius: 2,
          border: "1px dashed",
          borderColor: shownError ? "error.main" : over ? "primary.main" : theme.tokens.textThird,
          bgcolor: over ? theme.tokens.primarySoft : "background.default",
          color: "text.secondary",
          "&:hover, &:focus-visible": { borderColor: "primary.main", color: "primary.main" },
        })}
      >
        {item ? <Shown preview={item.preview} name={label} /> : <Asked label={label} face={face} />}
        {item && <Progress state={item.state} sent={item.sent} label={label} />}
      </ButtonBase>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={acceptOf("picture")}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          // cleared, so that the same file can be chosen again after an error
          event.target.value = "";
          take(files);
        }}
      />
      <Box sx={{ minHeight: 26, pt: 0.5, fontSize: 12, lineHeight: "18px", display: "flex", gap: 1 }}>
        {shownError && (
          <Box id={errorId} role="alert" sx={{ color: "error.main" }}>
            {shownError}
          </Box>
        )}
        {item && failed && <Small onClick={() => photo.retry(item.id)}>重试</Small>}
        {item && <Small onClick={() => photo.remove(item.id)}>移除</Small>}
      </Box>
    </Box>
  );
}

function Small({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <ButtonBase onClick={onClick} sx={{ font: "inherit", color: "primary.main" }}>
      {children}
    </ButtonBase>
  );
}

function Asked({ label, face }: { label: string; face: Face }) {
  return (
    <Box sx={{ display: "grid", justifyItems: "center", gap: 1, px: 2, textAlign: "center" }}>
      <Outline face={face} />
      <Box component="span" sx={{ fontSize: 14, fontWeight: 500, color: "text.primary" }}>
        {label}
      </Box>
      <Box component="span" sx={{ fontSize: 12 }}>
        点击或拖入图片，不超过 {PHOTO_LIMIT_MB}M
      </Box>
    </Box>
  );
}

function Shown({ preview, name }: { preview?: string; name: string }) {
  return (
    <Box
      component="img"
      src={preview}
      alt={`${name}预览`}
      sx={{ width: "100%", height: "100%", objectFit: "contain", display: "block" }}
    />
  );
}

function Progress({ state, sent, label }: { state: string; sent: number; label: string }) {
  if (state !== "sending") return null;
  const percent = Math.round(sent * 100);
  return (
    <Box
      component="span"
      role="progressbar"
      aria-label={`${label}正在上传`}
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
      <Box
        component="span"
        sx={{ display: "block", height: "100%", width: `${percent}%`, bgcolor: "primary.main" }}
      />
    </Box>
  );
}
