import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useId } from "react";
import { Link } from "react-router";
import {
  bestOf,
  CompareTable,
  GRADES,
  type GradeColumn,
  highlightLines,
  offerOf,
  purchaseBlock,
  useGrade,
  YearPrice,
} from "@/features/membership";
import { PRICE_QUESTIONS } from "@/features/membership/compare";
import { Section } from "@/features/site/Section";
import { useAuthDialog, useSession } from "@/session";
import { useShop } from "@/shop";
import { useOrderSelectMemberGradeListQuery } from "@/shop/calls";
import { LogoMark } from "@/ui/Logo";

function BuyButton({ grade }: { grade: GradeColumn }) {
  const { signedIn } = useSession();
  const auth = useAuthDialog();
  const shop = useShop();
  const mine = useGrade();
  const id = useId();
  if (grade.key === "free") {
    return signedIn ? (
      <Button component={Link} to="/workbench" variant="outlined" fullWidth size="large">
        进入工作台
      </Button>
    ) : (
      <Button onClick={() => auth.open("register")} variant="outlined" fullWidth size="large">
        免费注册
      </Button>
    );
  }
  const paid = grade.key;
  const gold = grade.recommended === true;
  const block = purchaseBlock(paid, mine.grade);
  const word = mine.grade === paid ? "续费" : mine.grade === "free" ? "开通" : "升级到";
  return (
    <>
      <Button
        fullWidth
        size="large"
        variant="contained"
        disabled={block !== undefined}
        aria-describedby={block ? id : undefined}
        onClick={() => shop.buy(paid)}
        sx={
          gold
            ? { color: "#fff", backgroundColor: "#8A6116", "&:hover": { backgroundColor: "#6F4D10" } }
            : { color: "#7A5410", backgroundColor: "#FFF3D6", "&:hover": { backgroundColor: "#FBE7B8" } }
        }
      >
        {block ? `开通${grade.name}` : `${word}${grade.name}`}
      </Button>
      {block && (
        <Box id={id} sx={{ mt: 1, fontSize: 12, lineHeight: "18px", color: "text.secondary" }}>
          {block}
        </Box>
      )}
    </>
  );
}

function GradeCard({ grade, offer }: { grade: GradeColumn; offer: ReturnType<typeof offerOf> }) {
  return (
    <Box
      sx={{
        position: "relative",
        display: "flex",
        flexDirection: "column",
        p: { xs: 3, lg: 4 },
        borderRadius: 2,
        border: 1,
        borderColor: grade.recommended ? "#B8862B" : "divider",
        backgroundColor: "background.paper",
      }}
    >
      {grade.recommended && (
        <Box
          component="span"
          sx={{
            position: "absolute",
            top: -1,
            right: 24,
            px: 1.25,
            pt: 0.5,
            pb: 0.75,
            fontSize: 12,
            lineHeight: "18px",
            color: "#fff",
            backgroundColor: "#8A6116",
            borderRadius: "0 0 4px 4px",
          }}
        >
          推荐
        </Box>
      )}
      <Box
        sx={{
          display: "flex",
          alignItems: "center",
          gap: 1,
          color: grade.key === "free" ? "text.secondary" : "#B8862B",
        }}
      >
        <LogoMark size={22} tone="mono" />
        <Box
          component="h2"
          sx={{ m: 0, fontSize: 20, lineHeight: "30px", fontWeight: 600, color: "text.primary" }}
        >
          {grade.name}
        </Box>
      </Box>
      <Box sx={{ mt: 0.5, color: "text.secondary" }}>{grade.forWhom}</Box>
      <Box sx={{ mt: 3, mb: 3 }}>
        <YearPrice cents={offer?.yearCents} size={44} />
      </Box>
      <BuyButton grade={grade} />
      <Box component="ul" sx={{ m: 0, mt: 3, p: 0, listStyle: "none", display: "grid", gap: 1.25 }}>
        {highlightLines(offer).map(({ key, line }) => (
          <Box component="li" key={key} sx={{ display: "flex", gap: 1, color: "text.secondary" }}>
            <Check />
            {line}
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function Check() {
  return (
    <svg width="16" height="22" viewBox="0 0 16 22" aria-hidden="true" style={{ flex: "none" }}>
      <path
        d="M3 11.5l3.5 3.5L13 8"
        fill="none"
        stroke="#0FA3A3"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}

export default function PricePage() {
  const sold = useOrderSelectMemberGradeListQuery({});
  const best = sold.data && bestOf(sold.data);
  return (
    <>
      <Box sx={{ px: 2.5, pt: { xs: 6, md: 9 }, textAlign: "center" }}>
        <Box component="h1" sx={{ m: 0, fontSize: { xs: 32, md: 44 }, lineHeight: 1.25, fontWeight: 600 }}>
          按用量选，不多买
        </Box>
        <Box component="p" sx={{ m: 0, mt: 2, fontSize: 16, color: "text.secondary" }}>
          全部为年卡，自开通当日起一年
          {best && `，每天 ${best.daily} 元起。会员处理倾斜摄影最高优惠 ${best.reduction}%`}
          。免费版不限时间。
        </Box>
      </Box>
      <Box
        sx={{
          maxWidth: 1240,
          mx: "auto",
          px: 2.5,
          pt: { xs: 4, md: 7 },
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "1fr", sm: "1fr 1fr", lg: "repeat(4, 1fr)" },
        }}
      >
        {GRADES.map((grade) => (
          <GradeCard key={grade.key} grade={grade} offer={offerOf(grade.key, sold.data)} />
        ))}
      </Box>
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
        <CompareTable />
        <Box component="p" sx={{ m: 0, mt: 2, fontSize: 12, lineHeight: "20px", color: "text.secondary" }}>
          容量按 1024
          进位计算。离线包、嵌入代码、格式转换、单模型与倾斜摄影轻量化目前限时免费、不限次数；恢复计次前会提前公告。
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
