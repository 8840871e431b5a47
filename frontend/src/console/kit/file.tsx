import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useEffect, useState } from "react";
import { saveBlob } from "@/lib/csv";
import { messageOf } from "../api/envelope";
import { SECRET_MS } from "./secret";

/** A part of a file as services return it. */
export interface FilePart {
  /** Base64. */
  data: string;
  contentType: string;
  name: string;
  size: number;
  /** Offset of the next part; 0: this was the last. */
  nextOffset: number;
}

export type ReadPart = (offset: number) => Promise<FilePart>;

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

/** Reads a file part by part. */
export async function readFile(readPart: ReadPart): Promise<{ name: string; blob: Blob }> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let offset = 0; ; ) {
    const part = await readPart(offset);
    parts.push(bytesOf(part.data));
    if (part.nextOffset <= offset)
      return { name: part.name, blob: new Blob(parts, { type: part.contentType }) };
    offset = part.nextOffset;
  }
}

/** A picture loaded on demand: each view is logged, and the picture disappears after a minute. */
export function EvidencePicture({ label, readPart }: { label: string; readPart: ReadPart }) {
  const [address, setAddress] = useState("");
  const { busy, problem, run } = useReading(readPart);
  useEffect(() => {
    if (!address) return undefined;
    const timer = window.setTimeout(() => setAddress(""), SECRET_MS);
    return () => {
      window.clearTimeout(timer);
      URL.revokeObjectURL(address);
    };
  }, [address]);

  const show = () => run(({ blob }) => setAddress(URL.createObjectURL(blob)));
  return (
    <Box
      sx={{
        border: 1,
        borderColor: "divider",
        borderRadius: 1,
        p: 1.5,
        minHeight: 120,
        display: "grid",
        gap: 1,
        placeItems: "center",
        backgroundColor: "background.default",
      }}
    >
      {address && (
        <Box
          component="img"
          src={address}
          alt={label}
          sx={{ maxWidth: "100%", maxHeight: "60vh", objectFit: "contain" }}
        />
      )}
      <Button
        size="small"
        variant={address ? "text" : "outlined"}
        loading={busy}
        aria-label={`${address ? "收起" : "查看"}${label}`}
        onClick={address ? () => setAddress("") : show}
      >
        {address ? "收起" : "查看"}
      </Button>
      {problem && <Problem text={problem} />}
      {!address && !problem && (
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>查看会记入操作日志，1 分钟后自动收起</Box>
      )}
    </Box>
  );
}

/** Saves a file that is only for download; each download is logged. */
export function DownloadButton({ name, readPart }: { name: string; readPart: ReadPart }) {
  const { busy, problem, run } = useReading(readPart);
  return (
    <Box sx={{ display: "flex", gap: 1, alignItems: "center", flexWrap: "wrap" }}>
      <Button
        size="small"
        variant="outlined"
        loading={busy}
        aria-label={`下载 ${name}`}
        onClick={() => run((file) => saveBlob(name, file.blob))}
      >
        下载
      </Button>
      {problem && <Problem text={problem} />}
    </Box>
  );
}

function Problem({ text }: { text: string }) {
  return (
    <Box role="alert" sx={{ fontSize: 12, color: "error.main" }}>
      {text}
    </Box>
  );
}

function useReading(readPart: ReadPart) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  async function run(done: (file: { name: string; blob: Blob }) => void) {
    setBusy(true);
    setProblem("");
    try {
      done(await readFile(readPart));
    } catch (error) {
      setProblem(messageOf(error) || "没有读取成功");
    } finally {
      setBusy(false);
    }
  }
  return { busy, problem, run };
}
