import { createElement, useEffect, useRef } from "react";
import { embed } from "./index.js";

/** A shared work as a component; `onReady` receives the viewer once the model is drawn. */
export function XuanlanEmbed({ url, title, onReady, onError, ...rest }) {
  const holder = useRef(null);
  const told = useRef({ onReady, onError });
  told.current = { onReady, onError };
  useEffect(() => {
    const viewer = embed(holder.current, { url, title });
    viewer.on("ready", () => told.current.onReady?.(viewer));
    viewer.on("error", ({ message }) => told.current.onError?.(message));
    return () => viewer.remove();
  }, [url, title]);
  return createElement("div", { ...rest, ref: holder });
}
