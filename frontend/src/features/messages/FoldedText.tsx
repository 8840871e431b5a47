import Box from "@mui/material/Box";
import { useEffect, useId, useRef, useState } from "react";
import { TextButton } from "@/ui/TextButton";

const LINES = 6;

/** A text of which the first lines are shown; the rest, if there is any at this width, by a button. `of`: what it is the text of. */
export function FoldedText({ text, of }: { text: string; of: string }) {
  const id = useId();
  const ref = useRef<HTMLDivElement>(null);
  const [long, setLong] = useState(false);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    // An open text hides nothing that could be measured.
    if (!element || open) return undefined;
    const measure = () => setLong(element.scrollHeight > element.clientHeight);
    measure();
    if (typeof ResizeObserver === "undefined") return undefined;
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [open]);
  const word = open ? "收起" : "展开";
  return (
    <>
      <Box
        ref={ref}
        id={id}
        sx={
          open
            ? {}
            : {
                display: "-webkit-box",
                WebkitBoxOrient: "vertical",
                WebkitLineClamp: LINES,
                overflow: "hidden",
              }
        }
      >
        {text}
      </Box>
      {long && (
        <TextButton
          aria-label={`${word}：${of}`}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {word}
        </TextButton>
      )}
    </>
  );
}
