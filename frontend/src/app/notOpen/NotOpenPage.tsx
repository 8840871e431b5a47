import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { Link } from "react-router";
import { useAsk } from "@/features/ask";
import type { Area } from "../paths";
import { usePageHandle } from "../routeTitle";
import { PLANS, type Plan } from "./areas";
import { SoonPicture } from "./SoonPicture";

/** The page of product addresses that are not built yet: what is planned, and what is available today. */
export default function NotOpenPage() {
  const page = usePageHandle();
  const ask = useAsk();
  // An area whose pages are all open has no plan, and never gets here.
  const plan: Plan | undefined = page?.area && (PLANS as Partial<Record<Area, Plan>>)[page.area];
  if (!plan) return null;
  return (
    <Box
      sx={{
        maxWidth: 1080,
        mx: "auto",
        px: { xs: 2.5, md: 4 },
        py: { xs: 4, md: 9 },
        display: "grid",
        alignItems: "center",
        gap: { xs: 3, md: 8 },
        gridTemplateColumns: { xs: "minmax(0,1fr)", md: "minmax(0,1fr) minmax(0,1.05fr)" },
      }}
    >
      <meta name="robots" content="noindex" />
      <Box>
        <Typography sx={{ color: "primary.main", fontWeight: 500 }}>{page?.title}</Typography>
        <Typography variant="h1" sx={{ mt: 1 }}>
          该页面尚未开放
        </Typography>
        <Typography sx={{ mt: 1.5, fontSize: 16, lineHeight: "26px" }}>{plan.purpose}</Typography>
        <Typography variant="h6" component="h2" sx={{ mt: 3, color: "text.secondary" }}>
          开放后可以
        </Typography>
        <Box component="ul" sx={{ m: 0, mt: 1, pl: 2.5, lineHeight: "28px" }}>
          {plan.plans.map((plan) => (
            <li key={plan}>{plan}</li>
          ))}
        </Box>
        <Box sx={{ mt: 3.5, pl: 2, borderLeft: 3, borderColor: "secondary.main" }}>
          <Typography variant="h6" component="h2" sx={{ color: "text.secondary" }}>
            现在可以
          </Typography>
          <Typography sx={{ mt: 0.5 }}>{plan.today}</Typography>
        </Box>
        <Box sx={{ mt: 3.5, display: "flex", flexWrap: "wrap", gap: 1.5 }}>
          <Button component={Link} to={plan.to} variant="contained">
            {plan.act}
          </Button>
          <Button component={Link} to="/siteMap" variant="outlined" color="inherit">
            全部已开放的页面
          </Button>
          <Button onClick={ask.feedback}>告诉我们您的需要</Button>
        </Box>
      </Box>
      <Box sx={{ order: { xs: -1, md: 0 } }}>
        <SoonPicture kind={plan.drawing} />
      </Box>
      {ask.dialogs}
    </Box>
  );
}
