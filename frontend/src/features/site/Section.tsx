import Box from "@mui/material/Box";
import type { ReactNode } from "react";
import { useLaterLayout } from "@/ui/useLaterLayout";

const HEIGHT = { xs: 600, md: 600 };

/** Section of a public page: container of 1200 px, heading and note. */
export function Section({
  id,
  title,
  note,
  children,
  ground = "none",
  align = "left",
}: {
  id?: string;
  title?: ReactNode;
  note?: ReactNode;
  children: ReactNode;
  ground?: "none" | "paper";
  align?: "left" | "center";
}) {
  const later = useLaterLayout(HEIGHT);
  return (
    <Box
      component="section"
      id={id}
      sx={{
        py: { xs: 7, md: 12 },
        px: 2.5,
        ...later,
        backgroundColor: ground === "paper" ? "background.paper" : "transparent",
      }}
    >
      <Box sx={{ maxWidth: 1200, mx: "auto" }}>
        {title && (
          <Box sx={{ mb: { xs: 4, md: 6 }, textAlign: align }}>
            <Box
              component="h2"
              sx={{
                m: 0,
                fontSize: { xs: 26, md: 36 },
                lineHeight: 1.3,
                fontWeight: 600,
                textWrap: "balance",
              }}
            >
              {title}
            </Box>
            {note && (
              <Box
                component="p"
                sx={{
                  m: 0,
                  mt: 1.5,
                  maxWidth: 640,
                  mx: align === "center" ? "auto" : 0,
                  fontSize: 16,
                  lineHeight: "28px",
                  color: "text.secondary",
                }}
              >
                {note}
              </Box>
            )}
          </Box>
        )}
        {children}
      </Box>
    </Box>
  );
}
