import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import type { ReactNode } from "react";
import { Link } from "react-router";

/** A model as a card: square picture, name, format chips, a foot (price, size, date). */
export function ModelCard({
  to,
  name,
  picture,
  formats = [],
  foot,
  badge,
}: {
  to: string;
  name: string;
  picture?: string;
  formats?: readonly string[];
  foot?: ReactNode;
  badge?: ReactNode;
}) {
  return (
    <ButtonBase
      component={Link}
      to={to}
      disableRipple
      sx={{
        display: "block",
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
        {picture ? (
          <Box
            component="img"
            src={picture}
            alt=""
            loading="lazy"
            sx={{ width: "100%", height: "100%", objectFit: "cover" }}
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
        {badge && <Box sx={{ position: "absolute", top: 8, left: 8 }}>{badge}</Box>}
      </Box>
      <Box sx={{ p: 1.5 }}>
        <Box
          sx={{
            fontWeight: 500,
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
          }}
        >
          {name}
        </Box>
        <Box
          sx={{
            mt: 1,
            display: "flex",
            justifyContent: "space-between",
            alignItems: "center",
            minHeight: 20,
            fontSize: 12,
            color: "text.secondary",
            fontVariantNumeric: "tabular-nums",
          }}
        >
          <span>{foot}</span>
          <Box component="span" sx={{ display: "flex", gap: 0.5 }}>
            {formats.map((format) => (
              <Box
                component="span"
                key={format}
                sx={{
                  px: 0.75,
                  border: 1,
                  borderColor: "divider",
                  borderRadius: "4px",
                }}
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
