import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { Section } from "@/features/site";
import { whenNear } from "@/ui/whenNear";
import { Capabilities } from "./Capabilities";

const UPLOAD = "/workbench/myUpload?upload=1";

const STEPS = [
  {
    title: "上传",
    text: "把文件拖进来。浏览器直传到对象存储，关掉页面再回来也能接着传。",
  },
  {
    title: "体检与轻量",
    text: "体检日志逐行到达。照建议减面，或换一种格式，进度随时可见。",
  },
  {
    title: "比较与下载",
    text: "前后并排、同步转动。满意了下载，不满意换个目标再来一次。",
  },
] as const;

function Steps() {
  return (
    <Box
      component="ol"
      sx={{
        m: 0,
        p: 0,
        listStyle: "none",
        display: "grid",
        gap: { xs: 4, md: 6 },
        gridTemplateColumns: { xs: "1fr", md: "repeat(3, 1fr)" },
      }}
    >
      {STEPS.map((step, index) => (
        <Box
          component="li"
          key={step.title}
          sx={{ borderTop: 2, borderColor: index === 0 ? "primary.main" : "divider", pt: 3 }}
        >
          <Box
            sx={{ fontSize: 14, fontWeight: 500, color: "primary.main", fontVariantNumeric: "tabular-nums" }}
          >
            第 {index + 1} 步
          </Box>
          <Box component="h3" sx={{ m: 0, mt: 1, fontSize: 20, lineHeight: "30px", fontWeight: 600 }}>
            {step.title}
          </Box>
          <Box component="p" sx={{ m: 0, mt: 1, lineHeight: "24px", color: "text.secondary" }}>
            {step.text}
          </Box>
        </Box>
      ))}
    </Box>
  );
}

/** A chunk of its own, with the shop's calls, to keep the first load small. */
const Editions = whenNear(() => import("./Editions").then((m) => m.Editions), 240);

/** The home page below its first two screens: capabilities, steps, editions and call to action. */
export function Below() {
  return (
    <>
      <Section title="从一份文件，到一个好用的模型">
        <Capabilities />
      </Section>
      <Section ground="paper" title="三步走完">
        <Steps />
      </Section>
      <Section
        title="先免费用，用得多再升级"
        note={
          <>
            免费版不限时间。完整的权益对照见{" "}
            <Box component={Link} to="/pricePage" sx={{ color: "primary.main", textDecoration: "underline" }}>
              会员价格
            </Box>
            。
          </>
        }
      >
        <Editions />
      </Section>
      <Box component="section" sx={{ backgroundColor: "#1749D1", color: "#fff", px: 2.5 }}>
        <Box
          sx={{
            maxWidth: 1200,
            mx: "auto",
            py: { xs: 6, md: 9 },
            display: "flex",
            flexWrap: "wrap",
            gap: 3,
            alignItems: "center",
            justifyContent: "space-between",
          }}
        >
          <Box>
            <Box component="h2" sx={{ m: 0, fontSize: { xs: 26, md: 34 }, lineHeight: 1.3, fontWeight: 600 }}>
              传一个模型，看看它的体检报告
            </Box>
            <Box component="p" sx={{ m: 0, mt: 1, fontSize: 16, color: "#D5E0FF" }}>
              用手机号注册，免费版当天可用。
            </Box>
          </Box>
          <Button
            component={Link}
            to={UPLOAD}
            size="large"
            variant="contained"
            sx={{
              px: 4,
              color: "#1749D1",
              backgroundColor: "#fff",
              "&:hover": { backgroundColor: "#EAF0FF" },
            }}
          >
            上传模型
          </Button>
        </Box>
      </Box>
    </>
  );
}
