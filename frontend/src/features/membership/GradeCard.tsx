import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { memo, useId } from "react";
import { Link } from "react-router";
import type { OrderMemberGrade } from "@/calls/order";
import { useAuthDialog, useSession } from "@/session";
import { useShop } from "@/shop";
import { goldButton, golden } from "@/theme";
import { LogoMark } from "@/ui/Logo";
import { type GradeColumn, offerOf } from "./grades";
import { highlightLines } from "./Highlights";
import { purchaseBlock } from "./rules";
import { useGrade } from "./useGrade";
import { YearPrice } from "./YearPrice";

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
            ? { ...goldButton }
            : {
                color: golden.text,
                backgroundColor: golden.soft,
                "&:hover": { backgroundColor: golden.softHover },
              }
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

/** A grade with its yearly price and benefits; placeholders until the offer is loaded. */
export const GradeCard = memo(function GradeCard({
  grade,
  sold,
}: {
  grade: GradeColumn;
  sold: readonly OrderMemberGrade[] | undefined;
}) {
  const offer = offerOf(grade.key, sold);
  return (
    <Box
      sx={{
        position: "relative",
        display: "flex",
        flexDirection: "column",
        p: { xs: 3, lg: 4 },
        borderRadius: 2,
        border: 1,
        borderColor: grade.recommended ? golden.line : "divider",
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
            backgroundColor: golden.solid,
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
          color: grade.key === "free" ? "text.secondary" : golden.line,
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
      <Box
        component="ul"
        sx={{
          m: 0,
          mt: 3,
          p: 0,
          listStyle: "none",
          display: "grid",
          gap: 1.25,
          color: "text.secondary",
          "& > li": { display: "flex", gap: 1 },
        }}
      >
        {highlightLines(offer).map(({ key, line }) => (
          <li key={key}>
            <Check />
            {line}
          </li>
        ))}
      </Box>
    </Box>
  );
});

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
