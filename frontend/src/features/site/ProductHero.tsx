import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { ThemeProvider } from "@mui/system";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { darkTheme } from "@/theme";

/** Dark head of a product page: summary, call to action, picture on the right. */
export function ProductHero({
  title,
  lead,
  action,
  second,
  picture,
}: {
  title: string;
  lead: ReactNode;
  action: { text: string; to: string };
  second?: { text: string; to: string };
  picture: ReactNode;
}) {
  return (
    <ThemeProvider theme={darkTheme}>
      <Box
        component="section"
        sx={{
          color: "text.primary",
          backgroundColor: "background.default",
          backgroundImage: "radial-gradient(50% 90% at 78% 40%, rgba(31,94,255,.26), transparent 70%)",
          px: 2.5,
        }}
      >
        <Box
          sx={{
            maxWidth: 1200,
            mx: "auto",
            py: { xs: 6, md: 9 },
            display: "grid",
            alignItems: "center",
            gap: { xs: 4, md: 8 },
            gridTemplateColumns: { xs: "1fr", md: "1fr 1fr" },
          }}
        >
          <Box>
            <Box
              component="h1"
              sx={{ m: 0, fontSize: { xs: 32, md: 44 }, lineHeight: 1.25, fontWeight: 600 }}
            >
              {title}
            </Box>
            <Box
              component="p"
              sx={{ m: 0, mt: 2, fontSize: 16, lineHeight: "28px", color: "#C9D2E6", maxWidth: 480 }}
            >
              {lead}
            </Box>
            <Box sx={{ mt: 4, display: "flex", flexWrap: "wrap", gap: 2 }}>
              <Button
                component={Link}
                to={action.to}
                variant="contained"
                size="large"
                sx={{ color: "#fff", backgroundColor: "#1F5EFF", "&:hover": { backgroundColor: "#3D74FF" } }}
              >
                {action.text}
              </Button>
              {second && (
                <Button
                  component={Link}
                  to={second.to}
                  size="large"
                  sx={{
                    color: "#fff",
                    border: "1px solid rgba(232,236,246,.32)",
                    "&:hover": { borderColor: "#fff" },
                  }}
                >
                  {second.text}
                </Button>
              )}
            </Box>
          </Box>
          <Box sx={{ minWidth: 0 }}>{picture}</Box>
        </Box>
      </Box>
    </ThemeProvider>
  );
}
