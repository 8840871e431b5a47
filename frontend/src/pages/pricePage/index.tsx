import Box from "@mui/material/Box";
import { Link } from "react-router";
import { BestPrice, CompareTable, GradeCards, PRICE_QUESTIONS } from "@/features/membership";
import { Section } from "@/features/site";
import { shopMessages } from "@/messages/shop";

export default function PricePage() {
  return (
    <>
      <Box sx={{ px: 2.5, pt: { xs: 6, md: 9 }, textAlign: "center" }}>
        <Box component="h1" sx={{ m: 0, fontSize: { xs: 32, md: 44 }, lineHeight: 1.25, fontWeight: 600 }}>
          按用量选，不多买
        </Box>
        <Box
          component="p"
          sx={{ m: 0, mt: 2, fontSize: 16, lineHeight: "24px", textWrap: "balance", color: "text.secondary" }}
        >
          全部为年卡，自开通当日起一年。免费版不限时间。
        </Box>
        <BestPrice />
      </Box>
      <GradeCards />
      <Box
        component="p"
        sx={{ m: 0, mt: 3, px: 2.5, textAlign: "center", fontSize: 14, color: "text.secondary" }}
      >
        购买前请阅读
        <Box component={Link} to="/agreement" sx={{ color: "primary.main", textDecoration: "underline" }}>
          《会员服务协议》
        </Box>
      </Box>
      <Section id="compare" title="权益对照">
        <Box component="p" sx={{ m: 0, mb: 2, lineHeight: "24px", color: "text.secondary" }}>
          {shopMessages.freeNowNote}会员现在就多得存储空间和更大的模型。
        </Box>
        <CompareTable />
        <Box component="p" sx={{ m: 0, mt: 2, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}>
          容量按 1024 进位计算。嵌入代码目前同样限时免费。
        </Box>
      </Section>
      <Section ground="paper" title="常见问题">
        <Box
          sx={{ display: "grid", gridTemplateColumns: { xs: "1fr", md: "1fr 1fr" }, columnGap: 8, rowGap: 4 }}
        >
          {PRICE_QUESTIONS.map((item) => (
            <Box key={item.question}>
              <Box component="h3" sx={{ m: 0, fontSize: 16, lineHeight: "24px", fontWeight: 600 }}>
                {item.question}
              </Box>
              <Box component="p" sx={{ m: 0, mt: 1, lineHeight: "24px", color: "text.secondary" }}>
                {item.answer}
              </Box>
            </Box>
          ))}
        </Box>
      </Section>
    </>
  );
}
