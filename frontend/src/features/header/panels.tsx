import Box from "@mui/material/Box";
import { Link } from "react-router";
import { SoonTag } from "@/ui/SoonTag";
import { DEVELOPER_LINKS, type NavLink, PRODUCT_GROUPS } from "./nav";

function PanelLink({ link, close }: { link: NavLink; close: () => void }) {
  return (
    <Box
      component={Link}
      to={link.to}
      onClick={close}
      sx={{
        display: "block",
        p: 1.5,
        mx: -1.5,
        borderRadius: 2,
        textDecoration: "none",
        color: "text.primary",
        "&:hover, &:focus-visible": (theme) => ({ backgroundColor: theme.tokens.primarySoft }),
      }}
    >
      <Box sx={{ fontWeight: 500, display: "flex", alignItems: "center" }}>
        {link.title}
        <SoonTag to={link.to} />
      </Box>
      {link.note && <Box sx={{ mt: 0.25, fontSize: 12, color: "text.secondary" }}>{link.note}</Box>}
    </Box>
  );
}

export function ProductPanel({ close }: { close: () => void }) {
  return (
    <Box
      sx={{
        maxWidth: 1200,
        mx: "auto",
        px: 3,
        py: 4,
        display: "grid",
        gridTemplateColumns: "1fr 1fr 1.2fr",
        gap: 6,
      }}
    >
      {PRODUCT_GROUPS.map((group, index) => (
        <Box key={group.title}>
          <Box sx={{ fontSize: 12, color: "text.secondary", mb: 1 }}>{group.title}</Box>
          <Box
            sx={
              index === PRODUCT_GROUPS.length - 1
                ? { display: "grid", gridTemplateColumns: "1fr 1fr", columnGap: 4 }
                : undefined
            }
          >
            {group.links.map((link) => (
              <PanelLink key={link.to} link={link} close={close} />
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

export function DeveloperPanel({ close }: { close: () => void }) {
  return (
    <Box sx={{ px: 3, py: 1.5 }}>
      {DEVELOPER_LINKS.map((link) => (
        <PanelLink key={link.to} link={link} close={close} />
      ))}
    </Box>
  );
}
