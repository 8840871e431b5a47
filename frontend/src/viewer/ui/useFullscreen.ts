import { type RefObject, useEffect, useState } from "react";
import { toast } from "@/ui/toast";

/** The stage around an element, over the whole screen and back. */
export function useFullscreen(inside: RefObject<HTMLElement | null>) {
  const [fullscreen, setFullscreen] = useState(false);
  useEffect(() => {
    const changed = () => setFullscreen(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", changed);
    return () => document.removeEventListener("fullscreenchange", changed);
  }, []);
  const [toggleFullscreen] = useState(() => () => {
    const frame = inside.current?.closest<HTMLElement>("[data-stage]");
    const done = document.fullscreenElement ? document.exitFullscreen() : frame?.requestFullscreen?.();
    done?.catch(() => toast.warning("浏览器不允许全屏"));
  });
  return { fullscreen, toggleFullscreen };
}
