import { useDownloadModelMutation } from "@/calls/transaction";
import { useSession } from "@/session";
import { startDownload } from "@/ui/startDownload";

/** Asks for the link of one version of a model that one has, which is good for ten minutes, and opens it. */
export function useModelDownload() {
  const { loginId } = useSession();
  const [ask, { isLoading }] = useDownloadModelMutation();
  async function download(modelId: string, version = 0, format = "") {
    try {
      const { url } = await ask({ userId: loginId, modelId, version, format }).unwrap();
      startDownload(url);
    } catch {
      // the shared wrapper has told why
    }
  }
  return { download, busy: isLoading };
}
