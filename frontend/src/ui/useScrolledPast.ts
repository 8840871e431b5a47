import { useEffect, useState } from "react";
import { turn } from "@/lib/turn";

/** Whether the window is scrolled further than `offset`, in CSS pixels; false while not `active`. */
export function useScrolledPast(offset: number, active = true): boolean {
  const [past, setPast] = useState(false);
  useEffect(() => {
    if (!active) return;
    let alive = true;
    const read = () => {
      if (alive) setPast(window.scrollY > offset);
    };
    // once the frame is drawn: an earlier read would make the browser lay out the new page within the task that made it
    const frame = window.requestAnimationFrame(() => void turn().then(read));
    window.addEventListener("scroll", read, { passive: true });
    return () => {
      alive = false;
      window.cancelAnimationFrame(frame);
      window.removeEventListener("scroll", read);
    };
  }, [offset, active]);
  return past && active;
}
