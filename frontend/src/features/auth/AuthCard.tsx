import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import Typography from "@mui/material/Typography";
import { useEffect, useId, useRef, useState } from "react";
import { InterestForm } from "@/features/interest";
import { authMessages as m } from "@/messages/auth";
import { welcomeMessages } from "@/messages/welcome";
import type { AuthDialogStep } from "@/session/dialog";
import { useAppSelector } from "@/store/hooks";
import { Logo } from "@/ui/Logo";
import { keepStep } from "./afterRegistration";
import { FactorStep } from "./FactorStep";
import type { FactorRequest } from "./factor";
import { BindPhoneForm } from "./forms/BindPhoneForm";
import { PasswordLoginForm } from "./forms/PasswordLoginForm";
import { PromotionForm } from "./forms/PromotionForm";
import { RecoveryForm } from "./forms/RecoveryForm";
import { RegisterForm } from "./forms/RegisterForm";
import { SmsLoginForm } from "./forms/SmsLoginForm";
import { BackIcon } from "./icons";
import { ThirdPartyIcons } from "./ThirdPartyIcons";
import type { FormProps } from "./types";
import { useCardMemory } from "./useCardMemory";

const titles: Record<AuthDialogStep, string> = {
  login: m.loginTitle,
  register: m.registerTitle,
  rebuild: m.rebuildTitle,
  bindPhone: m.bindPhoneTitle,
  interest: m.interestTitle,
  promotion: m.promotionTitle,
  welcome: m.welcomeTitle,
};

interface Props extends Omit<FormProps, "memory"> {
  /** Number that is known already. */
  phone: string;
  step: AuthDialogStep;
  returnURL: string;
  /** A sign-in that began elsewhere and lacks only its second factor. */
  factor?: FactorRequest;
  /** Id of the heading, for the surrounding element. */
  titleId: string;
  /** On its own page, which already shows the brand. */
  bare?: boolean;
  /** The steps after a registration are done; `path` is where to go. */
  onLeave: (path: string) => void;
}

/**
 * One step of the dialog: brand, heading, form. Fills its container, dialog or page. Numbers and sent codes stay when the step or its
 * tab changes; passwords and codes that were typed do not.
 */
export function AuthCard({ step, phone, returnURL, factor, titleId, bare, go, onToken, onLeave }: Props) {
  const memory = useCardMemory(phone);
  const form: FormProps = {
    memory,
    go: (next, number) => {
      if (number) memory.typed(number);
      go(next, number);
    },
    onToken,
  };
  const loginId = useAppSelector((state) => state.session.loginId);
  useEffect(() => keepStep(step, loginId), [step, loginId]);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    // The link that led here is gone, and the focus with it: whoever uses a keyboard or listens goes on at the new form.
    if (document.activeElement === document.body) heading.current?.focus();
  }, [step]);
  return (
    <Box sx={{ p: { xs: 3, sm: 4 }, pt: { xs: 3, sm: 3.5 } }}>
      {!bare && <Logo size={26} />}
      <Typography
        id={titleId}
        ref={heading}
        tabIndex={-1}
        variant="h2"
        // In a dialog, the page below has the h1.
        component={bare ? "h1" : "h2"}
        sx={{ mt: bare ? 0 : 2.5, fontSize: 22, lineHeight: "32px", outline: "none" }}
      >
        {titles[step]}
      </Typography>
      <StepBody
        key={step}
        step={step}
        phone={phone}
        returnURL={returnURL}
        factor={factor}
        onLeave={onLeave}
        form={form}
      />
    </Box>
  );
}

function StepBody({
  step,
  phone,
  returnURL,
  factor,
  onLeave,
  form,
}: Pick<Props, "step" | "phone" | "returnURL" | "factor" | "onLeave"> & { form: FormProps }) {
  switch (step) {
    case "login":
      return <LoginStep form={form} phone={phone} returnURL={returnURL} begun={factor} />;
    case "register":
      return (
        <>
          <Hint before={m.hasAccount} link={m.goLogin} onClick={() => form.go("login")} />
          <RegisterForm {...form} />
        </>
      );
    case "rebuild":
      return (
        <>
          <Hint before="验证手机号后设置新密码" />
          <RecoveryForm {...form} />
          <BackToLogin onClick={() => form.go("login")} />
        </>
      );
    case "bindPhone":
      return (
        <>
          <Hint before="首次使用第三方登录，需要绑定一个手机号" />
          <BindPhoneForm {...form} />
          <BackToLogin onClick={() => form.go("login")} />
        </>
      );
    case "interest":
      return (
        <>
          <Hint before={m.interestHint} />
          <InterestForm skippable onDone={() => form.go("promotion")} />
        </>
      );
    case "promotion":
      return (
        <Box sx={{ mt: 3 }}>
          <PromotionForm onPopup={() => form.go("welcome")} onHome={() => onLeave("/")} />
        </Box>
      );
    case "welcome":
      return (
        <>
          <Hint before={welcomeMessages.hint} />
          <Box sx={{ display: "grid", gap: 1.5 }}>
            <Button variant="contained" size="large" onClick={() => onLeave("/workbench/myUpload")}>
              {welcomeMessages.upload}
            </Button>
            <Button variant="outlined" size="large" onClick={() => onLeave(returnURL || "/")}>
              {welcomeMessages.look}
            </Button>
          </Box>
        </>
      );
  }
}

function LoginStep({
  form,
  phone,
  returnURL,
  begun,
}: {
  form: FormProps;
  phone: string;
  returnURL: string;
  begun?: FactorRequest;
}) {
  // After a recovery the phone number is known and the user signs in with the new password.
  const [tab, setTab] = useState<"sms" | "password">(phone ? "password" : "sms");
  const [factor, setFactor] = useState(begun);
  const id = useId();
  if (factor)
    return <FactorStep request={factor} onToken={form.onToken} onBack={() => setFactor(undefined)} />;
  return (
    <>
      <Hint before={m.noAccount} link={m.goRegister} onClick={() => form.go("register")} />
      <Tabs
        value={tab}
        onChange={(_event, value: "sms" | "password") => setTab(value)}
        aria-label="登录方式"
        sx={{
          minHeight: 40,
          mb: 2.5,
          borderBottom: 1,
          borderColor: "divider",
          "& .MuiTab-root": { minHeight: 40, minWidth: 0, px: 0, mr: 3.5, py: 1 },
        }}
      >
        <Tab value="sms" label={m.smsTab} id={`${id}-sms`} aria-controls={`${id}-panel`} />
        <Tab value="password" label={m.passwordTab} id={`${id}-password`} aria-controls={`${id}-panel`} />
      </Tabs>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`}>
        {tab === "sms" ? (
          <SmsLoginForm {...form} onFactor={setFactor} />
        ) : (
          <PasswordLoginForm {...form} onFactor={setFactor} />
        )}
      </div>
      <Box sx={{ display: "flex", justifyContent: "space-between", mt: 2 }}>
        <Link component="button" type="button" color="text.secondary" onClick={() => form.go("rebuild")}>
          {m.forgot}
        </Link>
        <Link component="button" type="button" onClick={() => form.go("register")}>
          {m.freeRegister}
        </Link>
      </Box>
      <ThirdPartyIcons returnURL={returnURL} />
    </>
  );
}

function Hint({ before, link, onClick }: { before: string; link?: string; onClick?: () => void }) {
  return (
    <Typography sx={{ mt: 0.5, mb: 2.5, color: "text.secondary" }}>
      {before}
      {link && (
        <Link
          component="button"
          type="button"
          onClick={onClick}
          sx={{ verticalAlign: "baseline", font: "inherit" }}
        >
          {link}
        </Link>
      )}
    </Typography>
  );
}

function BackToLogin({ onClick }: { onClick: () => void }) {
  return (
    <Box sx={{ mt: 2 }}>
      <Link
        component="button"
        type="button"
        onClick={onClick}
        sx={{ display: "inline-flex", alignItems: "center", gap: 0.5, ml: -0.5 }}
      >
        <BackIcon />
        {m.backToLogin}
      </Link>
    </Box>
  );
}
