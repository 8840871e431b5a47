import { useState } from "react";
import { useDownloadModelFileMutation } from "@/calls/process";
import { startDownload } from "@/ui/startDownload";

/** Requests a signed address and has the browser download it. */
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
      // already reported by the shared wrapper
    } finally {
      setBusy(false);
    }
  };
  return { download, busy };
}
