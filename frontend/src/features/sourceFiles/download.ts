import { useState } from "react";
import { useDownloadModelFileMutation } from "@/calls/process";
import { startDownload } from "@/ui/startDownload";

/** Asks for a signed address and lets the browser fetch it. */
export function useDownload(): {
  download: (of: { fileId?: string; resultId?: string }) => Promise<void>;
  busy: boolean;
} {
  const [ask] = useDownloadModelFileMutation();
  const [busy, setBusy] = useState(false);
  const download = async (of: { fileId?: string; resultId?: string }) => {
    setBusy(true);
    try {
      startDownload(await ask(of).unwrap());
    } catch {
      // told by the shared wrapper
    } finally {
      setBusy(false);
    }
  };
  return { download, busy };
}
