import { processEndpoints } from "@/calls/process";
import { currentStore } from "@/store/current";
import { dropEarly, loadEarly, makeEarly, modelAhead, viewerAhead } from "@/viewer";

/** Reads the file's details and begins to load its picture, its copy and the viewer, while the page is being drawn. */
export function fileAhead({ searchParams }: URL): void {
  const fileId = searchParams.get("fileId");
  if (!fileId) return;
  viewerAhead();
  makeEarly();
  const details = processEndpoints.fileDetail.initiate({ fileId }, { subscribe: false });
  void currentStore()
    .dispatch(details)
    .then(({ data }) => {
      if (!data?.previewUrl) return dropEarly();
      const proxyUrl = data.proxyUrl || undefined;
      modelAhead({ proxyUrl, posterUrl: data.thumbUrl });
      loadEarly({ url: data.previewUrl, proxyUrl });
    });
}
