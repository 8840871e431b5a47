import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import { type PointerEvent, type ReactNode, useState } from "react";
import { Link } from "react-router";

const LINE = { overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" } as const;

/**
 * A model as a card: square picture, name, a line of note, a footer (price, size, date) and format chips. Under the
 * pointer it turns if there is a moving picture, which is loaded only then.
 */
export function ModelCard({
  to,
  name,
  picture,
  turning,
  eager = false,
  note,
  facts,
  formats = [],
  foot,
  badge,
}: {
  to: string;
  name: string;
  picture?: string;
  /** Address of the moving picture. */
  turning?: string;
  /** Above the fold: its picture is not lazy. */
  eager?: boolean;
  note?: string;
  /** A second line of note, in tabular figures. */
  facts?: string;
  formats?: readonly string[];
  foot?: ReactNode;
  badge?: string;
}) {
  const [failed, setFailed] = useState<string>();
  const [pointed, setPointed] = useState(false);
  const [turns, setTurns] = useState(false);
  const point = (event: PointerEvent) => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (turning && event.pointerType === "mouse" && !still) setPointed(true);
  };
  const leave = () => {
    setPointed(false);
    setTurns(false);
  };
  const fill = { position: "absolute", inset: 0, width: "100%", height: "100%", objectFit: "cover" } as const;
  return (
    <ButtonBase
      component={Link}
      to={to}
      disableRipple
      onPointerEnter={point}
      onPointerLeave={leave}
      sx={{
        display: "block",
        width: "100%",
        textAlign: "left",
        borderRadius: 2,
        border: 1,
        borderColor: "divider",
        backgroundColor: "background.paper",
        overflow: "hidden",
        transition: "border-color 160ms ease-out",
        "&:hover, &:focus-visible": { borderColor: "primary.main" },
      }}
    >
      <Box
        sx={{
          position: "relative",
          aspectRatio: "1",
          background: "linear-gradient(180deg,#F3F5F9,#E6EAF2)",
          color: "text.disabled",
          display: "grid",
          placeItems: "center",
        }}
      >
        {picture && picture !== failed ? (
          <Box
            component="img"
            src={picture}
            alt=""
            loading={eager ? "eager" : "lazy"}
            fetchPriority={eager ? "high" : undefined}
            decoding="async"
            onError={() => setFailed(picture)}
            sx={fill}
          />
        ) : (
          <svg
            width="72"
            height="72"
            viewBox="0 0 72 72"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
            strokeLinejoin="round"
            aria-hidden="true"
          >
            <path d="M36 8l24 14v28L36 64 12 50V22zM12 22l24 14 24-14M36 36v28" />
          </svg>
        )}
        {pointed && turning && (
          <Box
            component="img"
            src={turning}
            alt=""
            onLoad={() => setTurns(true)}
            onError={leave}
            sx={{ ...fill, opacity: turns ? 1 : 0, transition: "opacity 120ms ease-out" }}
          />
        )}
        {badge && (
          <Box
            sx={{
              position: "absolute",
              top: 8,
              left: 8,
              px: 0.75,
              borderRadius: "4px",
              fontSize: 12,
              lineHeight: "20px",
              color: "#fff",
              backgroundColor: "rgba(11,16,32,.72)",
            }}
          >
            {badge}
          </Box>
        )}
      </Box>
      <Box sx={{ p: 1.5 }}>
        <Box sx={{ fontWeight: 500, lineHeight: "22px", ...LINE }}>{name}</Box>
        {note && (
          <Box sx={{ fontSize: 12, lineHeight: "20px", color: "text.secondary", ...LINE }}>{note}</Box>
        )}
        {facts && (
          <Box
            sx={{
              fontSize: 12,
              lineHeight: "20px",
              color: "text.secondary",
              fontVariantNumeric: "tabular-nums",
              ...LINE,
            }}
          >
            {facts}
          </Box>
        )}
        <Box
          sx={{
            mt: 1,
            display: "flex",
            gap: 1,
            justifyContent: "space-between",
            alignItems: "center",
            height: 24,
            fontSize: 12,
            color: "text.secondary",
            fontVariantNumeric: "tabular-nums",
          }}
        >
          <Box component="span" sx={{ flex: "none" }}>
            {foot}
          </Box>
          <Box
            component="span"
            sx={{
              display: "flex",
              flexWrap: "wrap",
              justifyContent: "flex-end",
              gap: 0.5,
              height: 22,
              overflow: "hidden",
            }}
          >
            {formats.map((format) => (
              <Box
                component="span"
                key={format}
                sx={{ px: 0.75, lineHeight: "20px", border: 1, borderColor: "divider", borderRadius: "4px" }}
              >
                {format}
              </Box>
            ))}
          </Box>
        </Box>
      </Box>
    </ButtonBase>
  );
}
