import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import CircularProgress from "@mui/material/CircularProgress";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import { useEffect, useRef } from "react";
import { captchaMessages } from "@/messages/auth";
import { CloseIcon } from "../icons";
import { QuestionCheck } from "./QuestionCheck";
import { ScratchShield } from "./ScratchShield";
import { SlidePuzzle } from "./SlidePuzzle";
import type { Captcha } from "./useCaptcha";
import { type ChallengeControl, type Kind, useChallenge } from "./useChallenge";

/** The check, shown over the form that requires it. */
export function CaptchaPanel({ captcha }: { captcha: Captcha }) {
  return captcha.open ? <OpenPanel captcha={captcha} first={captcha.open} /> : null;
}

function OpenPanel({ captcha, first }: { captcha: Captcha; first: Kind }) {
  const control = useChallenge(first, captcha.pass);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <Box
      ref={panel}
      role="dialog"
      aria-modal="true"
      aria-label={captchaMessages.title}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Neither Enter nor Escape may reach the form or the dialog below.
        event.stopPropagation();
        if (event.key === "Escape") captcha.dismiss();
      }}
      sx={{
        position: "absolute",
        inset: 0,
        zIndex: 2,
        display: "grid",
        placeItems: "center",
        // On a phone the picture takes the full width.
        p: { xs: 0.5, sm: 2 },
        bgcolor: "rgba(255,255,255,.82)",
        backdropFilter: "blur(6px)",
        outline: 0,
      }}
    >
      <Box
        sx={{
          width: "100%",
          maxWidth: 402,
          p: { xs: 1.25, sm: 2.5 },
          border: 1,
          borderColor: "divider",
          borderRadius: 2,
          bgcolor: "background.paper",
          boxShadow: "0 8px 24px rgba(16,24,40,.08)",
        }}
      >
        <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", mb: 1.5 }}>
          <Typography variant="h4" component="h2">
            {captchaMessages.title}
          </Typography>
          <IconButton aria-label="关闭验证" size="small" onClick={captcha.dismiss}>
            <CloseIcon />
          </IconButton>
        </Box>
        <PanelBody control={control} />
      </Box>
    </Box>
  );
}

function PanelBody({ control }: { control: ChallengeControl }) {
  const { state, remark, submit, fail, retry, turnTo } = control;
  if (state.phase === "failed") {
    return (
      <Box
        role="alert"
        sx={{ minHeight: 200, display: "grid", placeContent: "center", justifyItems: "center", gap: 1.5 }}
      >
        <Typography sx={{ color: "text.secondary", textAlign: "center" }}>{state.message}</Typography>
        <Link component="button" type="button" onClick={retry}>
          {captchaMessages.retry}
        </Link>
        {control.kind === "question" && (
          <Link component="button" type="button" onClick={() => turnTo("slide")}>
            {captchaMessages.toPicture}
          </Link>
        )}
      </Box>
    );
  }
  if (state.phase === "loading") {
    return (
      <Box sx={{ minHeight: 200, display: "grid", placeContent: "center", justifyItems: "center", gap: 1.5 }}>
        <CircularProgress size={24} aria-label={captchaMessages.loading} />
      </Box>
    );
  }
  const { challenge } = state;
  const locked = state.phase !== "ready";
  const passed = state.phase === "passed";
  return (
    <>
      {challenge.kind === "scratch" ? (
        <ScratchShield
          key={challenge.id}
          challenge={challenge}
          locked={locked}
          passed={passed}
          onSubmit={submit}
          onFail={fail}
        />
      ) : challenge.kind === "question" ? (
        <QuestionCheck
          key={challenge.id}
          challenge={challenge}
          locked={locked}
          passed={passed}
          onSubmit={submit}
        />
      ) : (
        <SlidePuzzle
          key={challenge.id}
          challenge={challenge}
          locked={locked}
          passed={passed}
          onSubmit={submit}
        />
      )}
      <Box
        sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", minHeight: 32, mt: 1 }}
      >
        <Typography role="status" variant="caption" sx={{ color: passed ? "success.main" : "warning.main" }}>
          {state.phase === "verifying" ? captchaMessages.verifying : passed ? "" : remark}
        </Typography>
        {!passed && (
          <Box sx={{ flexShrink: 0 }}>
            {challenge.kind !== "scratch" && (
              <Button
                type="button"
                size="small"
                onClick={() => turnTo(challenge.kind === "question" ? "slide" : "question")}
                disabled={locked}
                sx={{ color: "text.secondary", px: 0.5, mr: 1 }}
              >
                {challenge.kind === "question" ? captchaMessages.toPicture : captchaMessages.toQuestion}
              </Button>
            )}
            <Button
              type="button"
              size="small"
              onClick={retry}
              disabled={locked}
              sx={{ color: "text.secondary", px: 0.5 }}
            >
              {challenge.kind === "question" ? captchaMessages.otherQuestion : captchaMessages.otherPicture}
            </Button>
          </Box>
        )}
      </Box>
    </>
  );
}

/** The form's line that starts the check and shows its state. */
export function CaptchaBar({ captcha }: { captcha: Captcha }) {
  const { passed } = captcha;
  return (
    <Box
      component="button"
      type="button"
      onClick={() => !passed && captcha.demand()}
      aria-pressed={passed}
      data-testid="captcha-bar"
      sx={{
        width: "100%",
        height: 44,
        display: "flex",
        alignItems: "center",
        gap: 1.25,
        px: 1.5,
        border: 1,
        borderColor: passed ? "success.main" : "divider",
        borderRadius: 1,
        bgcolor: passed ? "rgba(22,163,74,.06)" : "background.default",
        color: passed ? "success.main" : "text.secondary",
        font: "inherit",
        cursor: passed ? "default" : "pointer",
        transition: "border-color 120ms",
        "&:hover": { borderColor: passed ? "success.main" : "primary.main" },
      }}
    >
      <Box
        aria-hidden="true"
        sx={{
          width: 10,
          height: 10,
          borderRadius: "50%",
          border: 2,
          borderColor: "currentColor",
          bgcolor: passed ? "currentColor" : "transparent",
        }}
      />
      {passed ? captchaMessages.passed : captchaMessages.idle}
    </Box>
  );
}
