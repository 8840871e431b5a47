import Box from "@mui/material/Box";
import { PAID_GRADE_NAMES } from "@/facts/grades";
import { golden } from "@/theme";
import { LogoMark } from "./Logo";

export type Grade = "free" | "basic" | "advanced" | "professional";

export const GRADE_NAMES: Record<Grade, string> = {
  free: "免费版",
  ...PAID_GRADE_NAMES,
};

/** Rank by which grades are compared, the same as on the server. */
export const RANKS: Record<Grade, number> = { free: 0, basic: 1, advanced: 2, professional: 3 };

/** The grade of this rank; the free edition for an unknown one. */
export const gradeOfRank = (rank: number): Grade =>
  (Object.keys(RANKS) as Grade[]).find((grade) => RANKS[grade] === rank) ?? "free";

/** The membership in a profile. */
export interface Membership {
  memberRank: number;
  memberGradeName: string | null;
  memberStatus: number | null;
}

/** A user's grade: the free edition unless a grade is named and its status is active, even after it has expired. */
export function gradeOf(member: Membership | undefined): Grade {
  return member?.memberGradeName && member.memberStatus ? gradeOfRank(member.memberRank) : "free";
}

const LOOK: Record<Grade, { fg: string; bg: string; line: string }> = {
  free: { fg: "#5B6472", bg: "#F1F3F6", line: "#E4E7ED" },
  basic: { fg: golden.text, bg: "#FFF7E6", line: golden.softLine },
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
