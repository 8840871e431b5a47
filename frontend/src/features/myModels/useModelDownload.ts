import { useDownloadModelMutation } from "@/calls/transaction";
import { useSession } from "@/session";
import { startDownload } from "@/ui/startDownload";

/** Requests the link to one version of an owned model, valid for ten minutes, and opens it. */
export function useModelDownload() {
  const { loginId } = useSession();
  const [ask, { isLoading }] = useDownloadModelMutation();
  async function download(modelId: string, version = 0, format = "") {
    try {
      const { url } = await ask({ userId: loginId, modelId, version, format }).unwrap();
      startDownload(url);
    } catch {
      // already reported by the shared wrapper
    }
  }
  return { download, busy: isLoading };
}
