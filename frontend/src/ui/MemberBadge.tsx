import Box from "@mui/material/Box";
import { LogoMark } from "./Logo";

export type Grade = "free" | "basic" | "advanced" | "professional";

export const GRADE_NAMES: Record<Grade, string> = {
  free: "免费版",
  basic: "基础会员",
  advanced: "高级会员",
  professional: "专业会员",
};

/**
 * The grade a badge shows. Membership is active only when both the grade name and the
 * member status are set; an expired membership (status 0) falls back to the free edition.
 */
export function gradeOf(
  memberGradeName: string | null | undefined,
  memberStatus: number | string | null | undefined,
): Grade {
  if (!memberGradeName || !Number(memberStatus)) return "free";
  if (memberGradeName.includes("专业")) return "professional";
  if (memberGradeName.includes("高级")) return "advanced";
  if (memberGradeName.includes("基础")) return "basic";
  return "free";
}

const LOOK: Record<Grade, { fg: string; bg: string; line: string }> = {
  free: { fg: "#5B6472", bg: "#F1F3F6", line: "#E4E7ED" },
  basic: { fg: "#7A5410", bg: "#FFF7E6", line: "#EBD6A6" },
  advanced: { fg: "#6B4A0C", bg: "#FBEBC4", line: "#DDB964" },
  professional: { fg: "#F3D490", bg: "#2A2417", line: "#6A552A" },
};

export function MemberBadge({ grade }: { grade: Grade }) {
  const look = LOOK[grade];
  return (
    <Box
      component="span"
      sx={{
        display: "inline-flex",
        alignItems: "center",
        gap: 0.5,
        height: 22,
        px: 0.875,
        borderRadius: "4px",
        border: `1px solid ${look.line}`,
        color: look.fg,
        backgroundColor: look.bg,
        fontSize: 12,
        lineHeight: 1,
        whiteSpace: "nowrap",
      }}
    >
      <LogoMark size={12} tone="mono" />
      {GRADE_NAMES[grade]}
    </Box>
  );
}
