import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { Link } from "react-router";
import { CAPABILITIES, CapabilityPicture } from "./capabilityPictures";

/** Four capabilities of the product as tabs: text on the left, a drawing of the screen on the right. */
export function Capabilities() {
  const [index, setIndex] = useState(0);
  const id = useId();
  const tabs = useRef<(HTMLButtonElement | null)[]>([]);
  const shown = CAPABILITIES[index] ?? CAPABILITIES[0];

  function onKeyDown(event: KeyboardEvent) {
    const last = CAPABILITIES.length - 1;
    let next = -1;
    if (event.key === "ArrowRight") next = index === last ? 0 : index + 1;
    if (event.key === "ArrowLeft") next = index === 0 ? last : index - 1;
    if (event.key === "Home") next = 0;
    if (event.key === "End") next = last;
    if (next < 0) return;
    event.preventDefault();
    setIndex(next);
    tabs.current[next]?.focus();
  }

  return (
    <Box>
      <Box
        role="tablist"
        aria-label="能力"
        onKeyDown={onKeyDown}
        sx={{
          display: "flex",
          borderBottom: 1,
          borderColor: "divider",
          overflowX: "auto",
          gap: { xs: 2, md: 5 },
        }}
      >
        {CAPABILITIES.map((capability, at) => (
          <ButtonBase
            key={capability.key}
            ref={(element) => {
              tabs.current[at] = element;
            }}
            role="tab"
            id={`${id}-tab-${capability.key}`}
            aria-selected={at === index}
            aria-controls={`${id}-panel`}
            tabIndex={at === index ? 0 : -1}
            disableRipple
            onClick={() => setIndex(at)}
            sx={{
              flex: "none",
              py: 2,
              fontSize: { xs: 16, md: 18 },
              fontWeight: at === index ? 600 : 400,
              color: at === index ? "text.primary" : "text.secondary",
              boxShadow: at === index ? "inset 0 -2px 0 #1F5EFF" : "none",
              transition: "color 120ms ease-out",
            }}
          >
            {capability.title}
          </ButtonBase>
        ))}
      </Box>
      <Box
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-tab-${shown.key}`}
        sx={{
          pt: { xs: 4, md: 6 },
          display: "grid",
          alignItems: "center",
          gap: { xs: 4, md: 8 },
          gridTemplateColumns: { xs: "1fr", md: "minmax(0,5fr) minmax(0,7fr)" },
        }}
      >
        <Box>
          <Box
            component="h3"
            sx={{ m: 0, fontSize: 24, lineHeight: "34px", fontWeight: 600, textWrap: "balance" }}
          >
            {shown.head}
          </Box>
          <Box component="ul" sx={{ m: 0, mt: 2.5, p: 0, listStyle: "none", display: "grid", gap: 1.5 }}>
            {shown.points.map((point) => (
              <Box
                component="li"
                key={point}
                sx={{
                  position: "relative",
                  pl: 3,
                  lineHeight: "24px",
                  color: "text.secondary",
                  "&::before": {
                    content: '""',
                    position: "absolute",
                    left: 2,
                    top: 8,
                    width: 8,
                    height: 8,
                    border: "2px solid #0FA3A3",
                    borderRadius: "50%",
                  },
                }}
              >
                {point}
              </Box>
            ))}
          </Box>
          <Box
            component={Link}
            to={shown.to}
            sx={{
              display: "inline-block",
              mt: 3,
              color: "primary.main",
              textDecoration: "none",
              fontWeight: 500,
              "&:hover": { textDecoration: "underline" },
            }}
          >
            {shown.action} →
          </Box>
        </Box>
        <CapabilityPicture kind={shown.key} />
      </Box>
    </Box>
  );
}
