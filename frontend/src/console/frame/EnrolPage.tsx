import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { LinesSkeleton } from "@/ui/Skeletons";
import { TextButton } from "@/ui/TextButton";
import { messageOf } from "../api/envelope";
import { type Invitation, useEnrolment } from "../session/calls";
import { AppCodeInput, AppSecret, appCodeProblem } from "./AppSecret";
import { EntryPage } from "./EntryPage";
import { NewPasswordFields, useNewPassword } from "./NewPassword";
import { RecoveryCodes } from "./RecoveryCodes";

/** Target of a one-use link: a password, then the authenticator, then the recovery codes. */
export default function EnrolPage() {
  const { link = "" } = useParams();
  const navigate = useNavigate();
  const { show } = useEnrolment();
  const [invitation, setInvitation] = useState<Invitation>();
  const [problem, setProblem] = useState("");
  const [password, setPassword] = useState<string>();
  const [refused, setRefused] = useState("");
  const [codes, setCodes] = useState<readonly string[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per link
  useEffect(() => {
    show(link).then(setInvitation, (error: unknown) =>
      setProblem(messageOf(error) || "链接没有读取成功，请稍后重试"),
    );
  }, [link]);

  if (codes)
    return (
      <EntryPage title="保存恢复码" note="第 3 步，共 3 步：手机丢失时用它们登录">
        <RecoveryCodes codes={codes} doneText="去登录" onDone={() => navigate("/")} />
      </EntryPage>
    );
  if (problem)
    return (
      <EntryPage title="开通账号">
        <Box role="alert">{problem}</Box>
        <Box sx={{ mt: 1, fontSize: 13, color: "text.secondary" }}>
          链接只能使用一次，24 小时内有效。请向管理员索取新的链接。
        </Box>
      </EntryPage>
    );
  if (!invitation)
    return (
      <EntryPage title="开通账号">
        <LinesSkeleton lines={4} />
      </EntryPage>
    );
  if (password === undefined)
    return <PasswordStep invitation={invitation} refused={refused} onPassword={setPassword} />;
  const toPassword = (why: string) => {
    setRefused(why);
    setPassword(undefined);
  };
  return (
    <AuthenticatorStep
      link={link}
      password={password}
      invitation={invitation}
      onCodes={setCodes}
      onBack={toPassword}
    />
  );
}

function PasswordStep({
  invitation,
  refused,
  onPassword,
}: {
  invitation: Invitation;
  /** Why the server took the last password back. */
  refused: string;
  onPassword: (password: string) => void;
}) {
  const chosen = useNewPassword(invitation.name, refused);

  function submit(event: FormEvent) {
    event.preventDefault();
    const password = chosen.check();
    if (password !== undefined) onPassword(password);
  }

  return (
    <EntryPage title="开通账号" note="第 1 步，共 3 步：设置密码">
      <form onSubmit={submit} noValidate>
        <Box sx={{ mb: 2.5, fontSize: 13 }}>
          登录名 <strong>{invitation.name}</strong>
        </Box>
        <NewPasswordFields {...chosen.fields} autoFocus />
        <Button type="submit" variant="contained" fullWidth size="large">
          下一步
        </Button>
      </form>
    </EntryPage>
  );
}

function AuthenticatorStep({
  link,
  password,
  invitation,
  onCodes,
  onBack,
}: {
  link: string;
  password: string;
  invitation: Invitation;
  onCodes: (codes: readonly string[]) => void;
  /** Leads back to the password; with the reason if the server refused it. */
  onBack: (why: string) => void;
}) {
  const { finish } = useEnrolment();
  const input = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = appCodeProblem(code);
    if (wrong) {
      setProblem(wrong);
      return;
    }
    setBusy(true);
    setProblem("");
    try {
      onCodes(await finish(link, password, code));
    } catch (error) {
      const message = messageOf(error);
      // The code was not the reason, and was not used up.
      if (message.includes("密码")) {
        onBack(message);
        return;
      }
      setProblem(message || "没有完成，请稍后重试");
      setCode("");
      setBusy(false);
      input.current?.focus();
    }
  }

  return (
    <EntryPage title="绑定验证器" note="第 2 步，共 3 步：用验证器应用扫描二维码">
      <AppSecret uri={invitation.uri} secret={invitation.secret} />
      <form onSubmit={submit} noValidate>
        <AppCodeInput inputRef={input} value={code} problem={problem} onChange={setCode} />
        <Box sx={{ mb: 2, fontSize: 12, color: "text.secondary" }}>
          输错五次后，这个链接要等一刻钟才能再试。
        </Box>
        <Button type="submit" variant="contained" fullWidth loading={busy} size="large">
          确认
        </Button>
        <TextButton
          color="inherit"
          disabled={busy}
          onClick={() => onBack("")}
          sx={{ mt: 1.5, color: "text.secondary" }}
        >
          返回修改密码
        </TextButton>
      </form>
    </EntryPage>
  );
}
