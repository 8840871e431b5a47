import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import type { FileHandle } from "@/transfer/handles";
import CloudUploadOutlined from "@/ui/icons/CloudUploadOutlined";

interface PickerWindow {
  showOpenFilePicker?: (options: {
    multiple: boolean;
  }) => Promise<(FileHandle & { getFile(): Promise<File> })[]>;
}
interface HandleItem {
  getAsFileSystemHandle?: () => Promise<(FileHandle & { kind: string }) | null>;
}

/**
 * Accepts one file by drop, click or keyboard. Passes on a file handle if the browser offers one, so that an interrupted upload
 * can resume after a reload without choosing the file again.
 */
export function DropZone({
  label,
  hint,
  disabled,
  onFile,
}: {
  label: string;
  hint: ReactNode;
  disabled?: boolean;
  onFile: (file: File, via: "picker" | "drop", handle?: FileHandle) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);

  const choose = async () => {
    const { showOpenFilePicker } = window as PickerWindow;
    if (!showOpenFilePicker || !window.isSecureContext) {
      input.current?.click();
      return;
    }
    try {
      const [handle] = await showOpenFilePicker({ multiple: false });
      if (handle) onFile(await handle.getFile(), "picker", handle);
    } catch (error) {
      // the user closed the picker; anything else falls back to the plain one
      if ((error as DOMException).name !== "AbortError") input.current?.click();
    }
  };

  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (disabled) return;
    const file = event.dataTransfer.files[0];
    if (!file) return;
    const item = event.dataTransfer.items[0] as unknown as HandleItem | undefined;
    let handle: FileHandle | undefined;
    try {
      const found = await item?.getAsFileSystemHandle?.();
      if (found?.kind === "file") handle = found;
    } catch {
      // without a handle the file can still be uploaded
    }
    onFile(file, "drop", handle);
  };

  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault();
        if (!disabled) setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      sx={(theme) => ({
        display: "flex",
        flexDirection: "column",
        alignItems: "center",
        justifyContent: "center",
        textAlign: "center",
        minHeight: { xs: 220, sm: 264 },
        px: 2,
        py: 3,
        borderRadius: 2,
        border: "1px dashed",
        borderColor: over ? "primary.main" : theme.tokens.textThird,
        bgcolor: over ? theme.tokens.primarySoft : "background.default",
        transition: "background-color 160ms ease-out, border-color 160ms ease-out",
      })}
    >
      <CloudUploadOutlined sx={{ fontSize: 40, color: "primary.main" }} />
      <Box sx={{ mt: 1.5, fontSize: 16, fontWeight: 500 }}>{label}</Box>
      <Box sx={{ mt: 0.5, fontSize: 12, color: "text.secondary", maxWidth: 460 }}>{hint}</Box>
      <Button variant="contained" onClick={choose} disabled={disabled} sx={{ mt: 2 }}>
        选择文件
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="选择文件"
        onChange={(event) => {
          const file = event.target.files?.[0];
          // cleared, so that the same file can be chosen again after an error
          event.target.value = "";
          if (file) onFile(file, "picker");
        }}
      />
    </Box>
  );
}
