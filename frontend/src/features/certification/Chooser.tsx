import Box from "@mui/material/Box";
import { Link } from "react-router";
import { FIRM, PERSONAL } from "./state";

const CARDS = [
  {
    to: PERSONAL,
    title: "个人认证",
    note: "适合个人创作者与自由职业者",
    needs: ["真实姓名与身份证号", "身份证人像面与国徽面照片"],
    gives: "名字旁显示个人认证标识",
  },
  {
    to: FIRM,
    title: "企业认证",
    note: "适合公司、院校、事业单位等组织",
    needs: ["企业名称与统一社会信用代码", "营业执照照片、法定代表人与联系电话"],
    gives: "名字旁显示企业认证标识与企业名称",
  },
] as const;

/** Choice of certification: a card for each kind, with its requirements. */
export function Chooser() {
  return (
    <Box sx={{ display: "grid", gap: 3, gridTemplateColumns: { xs: "minmax(0,1fr)", md: "1fr 1fr" } }}>
      {CARDS.map((card) => (
        <Box
          key={card.to}
          component={Link}
          to={card.to}
          sx={{
            display: "flex",
            flexDirection: "column",
            gap: 1.5,
            p: 3,
            borderRadius: 2,
            border: 1,
            borderColor: "divider",
            backgroundColor: "background.paper",
            color: "text.primary",
            textDecoration: "none",
            transition: "border-color 160ms",
            "&:hover, &:focus-visible": { borderColor: "primary.main" },
          }}
        >
          <Box component="h2" sx={{ m: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600 }}>
            {card.title}
          </Box>
          <Box sx={{ color: "text.secondary" }}>{card.note}</Box>
          <Box sx={{ mt: 0.5, fontSize: 13, fontWeight: 500 }}>需要准备</Box>
          <Box
            component="ul"
            sx={{ m: 0, pl: 2.5, fontSize: 14, lineHeight: "24px", color: "text.secondary" }}
          >
            {card.needs.map((need) => (
              <li key={need}>{need}</li>
            ))}
          </Box>
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>通过后：{card.gives}</Box>
          <Box sx={{ mt: "auto", pt: 1, color: "primary.main", fontWeight: 500 }}>开始{card.title} →</Box>
        </Box>
      ))}
    </Box>
  );
}
