import Box from "@mui/material/Box";
import type { AuthCertification } from "@/calls/auth";
import CheckCircleOutlined from "@/ui/icons/CheckCircleOutlined";
import ErrorOutlined from "@/ui/icons/ErrorOutlined";
import { STATUS } from "./state";

interface Step {
  title: string;
  note: string;
  state: "done" | "now" | "refused" | "later";
}

function stepsOf({ checkStatus }: AuthCertification): Step[] {
  const sent: Step = { title: "提交资料", note: "已提交", state: "done" };
  if (checkStatus === STATUS.certified)
    return [
      sent,
      { title: "人工审核", note: "已通过", state: "done" },
      { title: "认证完成", note: "已生效", state: "done" },
    ];
  if (checkStatus === STATUS.refused)
    return [
      sent,
      { title: "人工审核", note: "未通过", state: "refused" },
      { title: "认证完成", note: "修改后可重新提交", state: "later" },
    ];
  return [
    sent,
    { title: "人工审核", note: "审核中，一般 1 个工作日内完成", state: "now" },
    { title: "认证完成", note: "通过后立即生效", state: "later" },
  ];
}

const COLOURS = {
  done: "success.main",
  now: "primary.main",
  refused: "error.main",
  later: "text.disabled",
} as const;

/** Progress of a certification: horizontal, or vertical on narrow screens. */
export function Steps({ of }: { of: AuthCertification }) {
  return (
    <Box
      component="ol"
      aria-label="认证进度"
      sx={{
        m: 0,
        p: 0,
        listStyle: "none",
        display: "grid",
        gap: { xs: 2, sm: 0 },
        gridTemplateColumns: { xs: "1fr", sm: "repeat(3, 1fr)" },
      }}
    >
      {stepsOf(of).map((step, at) => (
        <Box
          component="li"
          key={step.title}
          aria-current={step.state === "now" ? "step" : undefined}
          sx={{ display: "grid", gridTemplateColumns: "28px minmax(0,1fr)", columnGap: 1.5, pr: 2 }}
        >
          <Mark state={step.state} number={at + 1} />
          <Box>
            <Box
              sx={{
                fontSize: 15,
                lineHeight: "28px",
                fontWeight: 600,
                color: step.state === "later" ? "text.secondary" : "text.primary",
              }}
            >
              {step.title}
            </Box>
            <Box
              sx={{
                fontSize: 12,
                lineHeight: "18px",
                color: step.state === "refused" ? "error.main" : "text.secondary",
              }}
            >
              {step.note}
            </Box>
          </Box>
        </Box>
      ))}
    </Box>
  );
}

function Mark({ state, number }: { state: Step["state"]; number: number }) {
  if (state === "done") return <CheckCircleOutlined sx={{ fontSize: 28, color: COLOURS.done }} />;
  if (state === "refused") return <ErrorOutlined sx={{ fontSize: 28, color: COLOURS.refused }} />;
  return (
    <Box
      component="span"
      aria-hidden="true"
      sx={{
        display: "grid",
        placeItems: "center",
        width: 28,
        height: 28,
        borderRadius: "50%",
        border: "2px solid",
        borderColor: COLOURS[state],
        color: state === "now" ? "primary.main" : "text.secondary",
        fontSize: 13,
        fontWeight: 600,
      }}
    >
      {number}
    </Box>
  );
}
