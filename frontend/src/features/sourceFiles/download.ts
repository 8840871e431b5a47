import { useState } from "react";
import { useProcessDownloadModelFileMutation } from "@/calls/process";

/** Asks for a signed address and lets the browser fetch it. */
export function useDownload(): {
  download: (of: { fileId?: string; resultId?: string }) => Promise<void>;
  busy: boolean;
} {
  const [ask] = useProcessDownloadModelFileMutation();
  const [busy, setBusy] = useState(false);
  const download = async (of: { fileId?: string; resultId?: string }) => {
    setBusy(true);
    try {
      const url = await ask(of).unwrap();
      const link = document.createElement("a");
      link.href = url;
      link.rel = "noopener";
      link.download = "";
      link.click();
    } catch {
      // told by the shared wrapper
    } finally {
      setBusy(false);
    }
  };
  return { download, busy };
}
