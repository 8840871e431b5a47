import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { COMPARE, type CompareRow, GRADES, type GradeColumn, PRICE_QUESTIONS } from "@/features/site/grades";
import { Section } from "@/features/site/Section";
import { useAuthDialog, useSession } from "@/session";
import { LogoMark } from "@/ui/Logo";
import { Price } from "@/ui/Price";
import { toast } from "@/ui/toast";
import { VISUALLY_HIDDEN } from "@/ui/visuallyHidden";

const NOT_OPEN = "在线购买尚未开放，开放后可在本页开通；现在可以先用免费版";

function BuyButton({ grade }: { grade: GradeColumn }) {
  const { signedIn } = useSession();
  const auth = useAuthDialog();
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
  const gold = grade.recommended === true;
  return (
    <Button
      fullWidth
      size="large"
      variant="contained"
      onClick={() => (signedIn ? toast.warning(NOT_OPEN) : auth.open("login", { returnURL: "/pricePage" }))}
      sx={
        gold
          ? { color: "#fff", backgroundColor: "#8A6116", "&:hover": { backgroundColor: "#6F4D10" } }
          : { color: "#7A5410", backgroundColor: "#FFF3D6", "&:hover": { backgroundColor: "#FBE7B8" } }
      }
    >
      开通{grade.name}
    </Button>
  );
}

function GradeCard({ grade }: { grade: GradeColumn }) {
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
        <Price cents={grade.yearCents} size={44} trim unit="/年" />
      </Box>
      <BuyButton grade={grade} />
      <Box component="ul" sx={{ m: 0, mt: 3, p: 0, listStyle: "none", display: "grid", gap: 1.25 }}>
        {grade.highlights.map((line) => (
          <Box component="li" key={line} sx={{ display: "flex", gap: 1, color: "text.secondary" }}>
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

function Cell({ value }: { value: string }) {
  if (value) return <>{value}</>;
  return (
    <>
      <span aria-hidden="true">—</span>
      <Box component="span" sx={VISUALLY_HIDDEN}>
        不含
      </Box>
    </>
  );
}

function Row({ row }: { row: CompareRow }) {
  return (
    <tr>
      <th scope="row">
        {row.title}
        {row.note && (
          <Box
            component="span"
            sx={{
              display: "block",
              fontSize: 12,
              lineHeight: "18px",
              color: "text.secondary",
              fontWeight: 400,
            }}
          >
            {row.note}
          </Box>
        )}
      </th>
      {row.values.map((value, index) => (
        <td key={GRADES[index]?.key}>
          <Cell value={value} />
        </td>
      ))}
    </tr>
  );
}

function CompareTable() {
  return (
    <Box
      tabIndex={0}
      role="region"
      aria-label="权益对照表"
      sx={{
        // A box that scrolls sideways would hold the sticky head; on wide screens it need not scroll.
        overflowX: { xs: "auto", md: "visible" },
        "& table": {
          width: "100%",
          minWidth: 720,
          borderCollapse: "separate",
          borderSpacing: 0,
          backgroundColor: "background.paper",
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
        },
        "& th, & td": {
          px: { xs: 2, md: 3 },
          py: 1.75,
          textAlign: "left",
          borderBottom: 1,
          borderColor: "divider",
          fontVariantNumeric: "tabular-nums",
          verticalAlign: "top",
        },
        "& td": { position: "relative", width: "18%" },
        "& tbody th": { fontWeight: 500 },
        "& tbody:last-of-type tr:last-of-type > *": { borderBottom: 0 },
        "& thead th": {
          position: { md: "sticky" },
          top: 72,
          zIndex: 2,
          fontWeight: 600,
          backgroundColor: "background.paper",
          borderRadius: 2,
        },
        "& .group th": {
          fontSize: 12,
          color: "text.secondary",
          backgroundColor: "background.default",
          py: 1,
        },
      }}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">权益</th>
            {GRADES.map((grade) => (
              <th scope="col" key={grade.key}>
                {grade.name}
                <Box component="span" sx={{ display: "block", fontWeight: 400, color: "text.secondary" }}>
                  <Price cents={grade.yearCents} size={14} trim unit="/年" />
                </Box>
              </th>
            ))}
          </tr>
        </thead>
        {COMPARE.map((group) => (
          <tbody key={group.title}>
            <tr className="group">
              <th colSpan={5} scope="colgroup">
                {group.title}
              </th>
            </tr>
            {group.rows.map((row) => (
              <Row key={row.title} row={row} />
            ))}
          </tbody>
        ))}
      </table>
    </Box>
  );
}

export default function PricePage() {
  return (
    <>
      <Box sx={{ px: 2.5, pt: { xs: 6, md: 9 }, textAlign: "center" }}>
        <Box component="h1" sx={{ m: 0, fontSize: { xs: 32, md: 44 }, lineHeight: 1.25, fontWeight: 600 }}>
          按用量选，不多买
        </Box>
        <Box component="p" sx={{ m: 0, mt: 2, fontSize: 16, color: "text.secondary" }}>
          全部为年卡，自开通当日起一年。免费版不限时间。
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
          <GradeCard key={grade.key} grade={grade} />
        ))}
      </Box>
      <Box
        component="p"
        sx={{ m: 0, mt: 3, px: 2.5, textAlign: "center", fontSize: 14, color: "text.secondary" }}
      >
        {NOT_OPEN}。购买前请阅读
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
