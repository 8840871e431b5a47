import CssBaseline from "@mui/material/CssBaseline";
import { ThemeProvider } from "@mui/material/styles";
import { createRoot } from "react-dom/client";
import { loadConfig } from "@/api/config";
import { processEndpoints } from "@/calls/process";
import { syncSession } from "@/session/actions";
import { createStore } from "@/store";
import { bindStore } from "@/store/current";
import { darkTheme } from "@/theme";
import { ModelView } from "@/viewer";

/**
 * The viewer alone, for an <iframe>: `/embed.html?fileId=…` shows a file of the signed-in user,
 * `/embed.html?src=/path` a model that this site itself serves. Other origins are refused: a page that frames us
 * must not make visitors fetch from anywhere.
 */
interface Subject {
  url: string;
  posterUrl?: string;
  name: string;
}

class EmbedError extends Error {}

async function find(query: URLSearchParams): Promise<Subject> {
  const src = query.get("src");
  if (src) {
    const url = new URL(src, window.location.href);
    if (url.origin !== window.location.origin) throw new EmbedError("只能嵌入本站的模型");
    return { url: url.href, name: query.get("name") ?? "模型" };
  }
  const fileId = query.get("fileId");
  if (!fileId) throw new EmbedError("没有指定要显示的模型");
  await loadConfig();
  const store = createStore({ isPrivatePath: () => false });
  bindStore(store);
  store.dispatch(syncSession());
  const { data } = await store.dispatch(processEndpoints.processFileDetail.initiate({ fileId }));
  if (!data?.previewUrl) throw new EmbedError("这个模型没有可显示的预览，或需要先登录");
  return {
    url: data.previewUrl,
    posterUrl: data.thumbUrl ?? undefined,
    name: data.modelName || data.fileName,
  };
}

async function start(container: HTMLElement): Promise<void> {
  const subject = await find(new URLSearchParams(window.location.search));
  document.title = subject.name;
  createRoot(container).render(
    <ThemeProvider theme={darkTheme}>
      <CssBaseline />
      <div style={{ position: "fixed", inset: 0 }}>
        <ModelView {...subject} factsOpen={false} />
      </div>
    </ThemeProvider>,
  );
}

const container = document.getElementById("root");
if (container) {
  start(container).catch((error: unknown) => {
    container.className = "boot";
    container.textContent = error instanceof EmbedError ? error.message : "模型没有载入成功，请刷新重试";
  });
}
