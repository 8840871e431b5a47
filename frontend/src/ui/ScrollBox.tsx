import Box, { type BoxProps } from "@mui/material/Box";
import { useEffect, useRef, useState } from "react";

/** Scrolls wide content horizontally. Focusable only if it overflows, so that the arrow keys can scroll it. */
export function ScrollBox({ label, children, ...box }: BoxProps & { label: string }) {
  const ref = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element || typeof ResizeObserver === "undefined") return undefined;
    const measure = () => setWide(element.scrollWidth > element.clientWidth);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    for (const child of element.children) watch.observe(child);
    measure();
    return () => watch.disconnect();
  }, []);
  return (
    <Box
      ref={ref}
      {...(wide && { role: "region", "aria-label": label, tabIndex: 0 })}
      {...box}
      sx={{ overflowX: "auto", "&:focus-visible": { outlineOffset: "-2px" } }}
    >
      {children}
    </Box>
  );
}
