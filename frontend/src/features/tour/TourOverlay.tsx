import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import {
  type EventData,
  type FloatingOptions,
  Joyride,
  STATUS,
  type Step,
  type TooltipRenderProps,
} from "react-joyride";
import { inSight, seen } from "./inSight";
import { TOURS, type TourName, type TourStep } from "./steps";

/** The first visible element of that name: on a phone the rail is a bar at the bottom. */
function drawnTarget(name: string): HTMLElement | null {
  const all = document.querySelectorAll<HTMLElement>(`[data-tour~="${name}"]`);
  for (const element of all) {
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.height > 0) return element;
  }
  return null;
}

function toStep(step: TourStep): Step {
  const missing = drawnTarget(step.target) === null;
  return {
    target: missing ? "body" : () => drawnTarget(step.target),
    placement: missing ? "center" : "auto",
    title: step.title,
    content: step.text,
    skipBeacon: true,
  };
}

/** Last word on the card's place. The library counts from the card's offset parent, the view from the window's corner. */
const KEEP_IN_SIGHT: NonNullable<FloatingOptions["middleware"]>[number] = {
  name: "inSight",
  fn: ({ x, y, rects, elements }) => {
    const target = elements.reference.getBoundingClientRect();
    const left = rects.reference.x - target.x;
    const top = rects.reference.y - target.y;
    const { width, height } = rects.floating;
    const place = inSight({ x: x - left, y: y - top, width, height }, seen());
    return { x: place.x + left, y: place.y + top };
  },
};

function Tooltip({
  backProps,
  primaryProps,
  skipProps,
  tooltipProps,
  step,
  index,
  size,
  isLastStep,
}: TooltipRenderProps) {
  return (
    <Box
      {...tooltipProps}
      aria-label={String(step.title)}
      sx={{
        width: 320,
        maxWidth: "calc(100vw - 32px)",
        maxHeight: "calc(100dvh - 32px)",
        overflowY: "auto",
        p: 3,
        borderRadius: 2,
        backgroundColor: "background.paper",
      }}
    >
      <Box sx={{ fontSize: 12, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
        {index + 1} / {size}
      </Box>
      <Box component="h2" sx={{ m: 0, mt: 0.5, fontSize: 18, lineHeight: "28px", fontWeight: 600 }}>
        {step.title}
      </Box>
      <Box component="p" sx={{ m: 0, mt: 1, lineHeight: "24px", color: "text.secondary" }}>
        {step.content}
      </Box>
      <Box sx={{ mt: 3, display: "flex", alignItems: "center", gap: 1 }}>
        {!isLastStep && (
          <Button
            {...skipProps}
            size="small"
            color="inherit"
            title={undefined}
            sx={{ color: "text.secondary", ml: -1.5 }}
          >
            跳过
          </Button>
        )}
        <Box sx={{ flex: 1 }} />
        {index > 0 && (
          <Button {...backProps} size="small" variant="outlined" title={undefined}>
            上一步
          </Button>
        )}
        <Button {...primaryProps} size="small" variant="contained" title={undefined}>
          {isLastStep ? "知道了" : "下一步"}
        </Button>
      </Box>
    </Box>
  );
}

const WORDS = { back: "上一步", close: "关闭", last: "知道了", next: "下一步", skip: "跳过" };

export default function TourOverlay({ name, onEnd }: { name: TourName; onEnd: () => void }) {
  // Kept in state: new steps would restart the tour when the page below re-renders.
  const [steps] = useState(() => TOURS[name].map(toStep));

  function onEvent({ status }: EventData) {
    if (status === STATUS.FINISHED || status === STATUS.SKIPPED) onEnd();
  }
  return (
    <Joyride
      run
      continuous
      steps={steps}
      onEvent={onEvent}
      locale={WORDS}
      tooltipComponent={Tooltip}
      floatingOptions={{ middleware: [KEEP_IN_SIGHT] }}
      options={{
        overlayColor: "rgba(11,16,32,.48)",
        spotlightRadius: 8,
        overlayClickAction: false,
        closeButtonAction: "skip",
        dismissKeyAction: "next",
        scrollOffset: 96,
        zIndex: 1400,
      }}
    />
  );
}
