import Box from "@mui/material/Box";

export type Certified = "enterprise" | "personal";

const TEXT: Record<Certified, string> = { enterprise: "企业认证", personal: "个人认证" };

/** The `certified` of answers about other people: enterprise or personal; anything else is none. */
export const markOf = (certified: string): Certified | undefined =>
  certified === "enterprise" || certified === "personal" ? certified : undefined;

/** The user's certification, if any: checkStatus 1 is certified; with a company on file it is an enterprise. */
export function certifiedOf(checkStatus: unknown, hasCompany: boolean): Certified | undefined {
  if (checkStatus === null || checkStatus === "" || Number(checkStatus) !== 1) return undefined;
  return hasCompany ? "enterprise" : "personal";
}

function Shield({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
      <path d="M8 .8 2.2 3v4.4c0 3.5 2.4 6.4 5.8 7.8 3.4-1.4 5.8-4.3 5.8-7.8V3zm-.9 10L4.3 8l1-1 1.8 1.8 3.6-3.6 1 1z" />
    </svg>
  );
}

/**
 * The badge beside a certified name; draws nothing for others. `mark` is the shield alone: "corner" on an avatar, "line" in a
 * line of text.
 */
export function CertifiedBadge({ as, mark }: { as: Certified | undefined; mark?: "corner" | "line" }) {
  if (!as) return null;
  const colour = as === "enterprise" ? "#1749D1" : "#0A7373";
  if (mark) {
    const corner = {
      position: "absolute",
      right: -4,
      bottom: -3,
      borderRadius: "50%",
      p: "1px",
      backgroundColor: "#fff",
    };
    return (
      <Box
        component="span"
        role="img"
        aria-label={TEXT[as]}
        title={TEXT[as]}
        sx={{
          display: "inline-grid",
          flex: "none",
          verticalAlign: "-2px",
          color: colour,
          ...(mark === "corner" && corner),
        }}
      >
        <Shield size={14} />
      </Box>
    );
  }
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
        border: "1px solid",
        borderColor: as === "enterprise" ? "#C9D8FF" : "#B5DEDC",
        backgroundColor: as === "enterprise" ? "#EAF0FF" : "#E8F6F5",
        color: colour,
        fontSize: 12,
        lineHeight: 1,
        whiteSpace: "nowrap",
      }}
    >
      <Shield size={12} />
      {TEXT[as]}
    </Box>
  );
}
