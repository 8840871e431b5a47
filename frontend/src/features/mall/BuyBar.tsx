import Box from "@mui/material/Box";
import { type RefObject, useEffect, useState } from "react";
import type { TransactionListing } from "@/calls/transaction";
import { headerHeight } from "@/theme";
import { Getting } from "./Getting";
import { PriceOf } from "./MallCard";

const HEIGHT = 64;

/** Whether an element is out of sight; undefined as long as it never was. */
function useOutOfSight(place: RefObject<HTMLElement | null>): boolean | undefined {
  const [out, setOut] = useState<boolean>();
  useEffect(() => {
    const element = place.current;
    if (!element || typeof IntersectionObserver === "undefined") return;
    const watcher = new IntersectionObserver(
      ([entry]) => setOut((was) => (entry?.isIntersecting ? was && false : true)),
      { rootMargin: `-${headerHeight}px 0px -${HEIGHT}px 0px` },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [place]);
  return out;
}

/**
 * On a phone: price and main button at the bottom of the window, while those of the page are out of sight. Last in the page's
 * content, where it has a place of its own: it rests there, above the footer, and covers neither.
 */
export function BuyBar({
  listing,
  buttons,
  onChanged,
}: {
  listing: TransactionListing;
  /** The page's own. */
  buttons: RefObject<HTMLElement | null>;
  onChanged: () => void;
}) {
  const out = useOutOfSight(buttons);
  useEffect(() => {
    if (!out) return;
    const { style } = document.documentElement;
    // What floats is above it, and what gets the focus is not behind it.
    style.setProperty("--bar", `${HEIGHT}px`);
    style.setProperty("scroll-padding-bottom", "var(--bar)");
    return () => {
      style.removeProperty("--bar");
      style.removeProperty("scroll-padding-bottom");
    };
  }, [out]);
  return (
    <Box
      sx={{
        display: { md: "none" },
        position: "sticky",
        bottom: 0,
        zIndex: 1040,
        height: HEIGHT,
        mt: 3,
        mx: -2,
        pointerEvents: out ? undefined : "none",
      }}
    >
      {out !== undefined && (
        <Box
          component="section"
          aria-label="价格与购买"
          style={{ visibility: out ? "visible" : "hidden" }}
          sx={{
            height: HEIGHT,
            boxSizing: "border-box",
            px: 2,
            display: "flex",
            alignItems: "center",
            justifyContent: "space-between",
            gap: 2,
            borderTop: 1,
            borderColor: "divider",
            backgroundColor: "background.paper",
            "& > :last-child": { flex: "none", width: 176 },
          }}
        >
          <PriceOf cents={listing.price} size={24} />
          <Box>
            <Getting brief listing={listing} onChanged={onChanged} />
          </Box>
        </Box>
      )}
    </Box>
  );
}
