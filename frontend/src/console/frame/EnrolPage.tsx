import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useNavigate, useParams } from "react-router";
import { saveText } from "@/lib/csv";
import { monoFamily } from "@/theme";
import { CopyText } from "@/ui/CopyText";
import { QrCode } from "@/ui/QrCode";
import { LinesSkeleton } from "@/ui/Skeletons";
import { messageOf } from "../api/envelope";
import { TextInput } from "../kit/TextInput";
import { type Invitation, useEnrolment } from "../session/calls";
import { CodeInput } from "./CodeInput";
import { EntryPage } from "./EntryPage";

const LEAST_PASSWORD = 12;
const MOST_PASSWORD = 64;

/** What is wrong with a password, by the server's rules that can be told without it. */
function passwordProblem(password: string, name: string): string | undefined {
  const letters = [...password];
  if (letters.length < LEAST_PASSWORD || letters.length > MOST_PASSWORD)
    return `密码为 ${LEAST_PASSWORD} 到 ${MOST_PASSWORD} 个字符。`;
  const lower = password.toLowerCase();
  if (name && lower.includes(name.toLowerCase())) return "密码不能包含登录名。";
  if (new Set(lower).size === 1) return "密码不能全为同一个字符。";
  return undefined;
}

/** Target of a one-use link: a password, then the authenticator, then the recovery codes. */
export default function EnrolPage() {
  const { link = "" } = useParams();
  const { show } = useEnrolment();
  const [invitation, setInvitation] = useState<Invitation>();
  const [problem, setProblem] = useState("");
  const [password, setPassword] = useState<string>();
  const [refused, setRefused] = useState("");
  const [codes, setCodes] = useState<readonly string[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per link
  useEffect(() => {
    show(link).then(setInvitation, (error: unknown) =>
      setProblem(messageOf(error) || "链接没有读取成功，请稍后重试。"),
    );
  }, [link]);

  if (codes) return <RecoveryCodes codes={codes} />;
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
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [problems, setProblems] = useState<{ password?: string; again?: string }>({ password: refused });

  function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = {
      password: passwordProblem(password, invitation.name),
      again: password === again ? undefined : "两次输入的密码不一致。",
    };
    setProblems(wrong);
    if (!wrong.password && !wrong.again) onPassword(password);
  }

  return (
    <EntryPage title="开通账号" note="第 1 步，共 3 步：设置密码">
      <form onSubmit={submit} noValidate>
        {/* password managers store the password under this name */}
        <input type="hidden" name="username" autoComplete="username" value={invitation.name} readOnly />
        <Box sx={{ mb: 2.5, fontSize: 13 }}>
          登录名 <strong>{invitation.name}</strong>
        </Box>
        <TextInput
          label="新密码"
          type="password"
          value={password}
          problem={problems.password}
          autoComplete="new-password"
          autoFocus
          onChange={setPassword}
        />
        <TextInput
          label="再输入一次"
          type="password"
          value={again}
          problem={problems.again}
          autoComplete="new-password"
          onChange={setAgain}
        />
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
    if (code.length !== 6) {
      setProblem("请输入 6 位动态口令。");
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
      setProblem(message || "没有完成，请稍后重试。");
      setCode("");
      setBusy(false);
      input.current?.focus();
    }
  }

  return (
    <EntryPage title="绑定验证器" note="第 2 步，共 3 步：用验证器应用扫描二维码">
      <Box sx={{ textAlign: "center" }}>
        <QrCode value={invitation.uri} label="验证器" size={176} />
      </Box>
      <Box sx={{ mt: 1, mb: 3, fontSize: 13, overflowWrap: "anywhere" }}>
        <Box sx={{ color: "text.secondary" }}>无法扫描时，手动输入密钥：</Box>
        <Box sx={{ fontFamily: monoFamily }}>
          <CopyText text={invitation.secret} label="密钥" />
        </Box>
      </Box>
      <form onSubmit={submit} noValidate>
        <CodeInput
          label="验证器显示的 6 位动态口令"
          inputRef={input}
          value={code}
          problem={problem}
          autoFocus
          onChange={setCode}
        />
        <Box sx={{ mb: 2, fontSize: 12, color: "text.secondary" }}>
          输错五次后，这个链接要等一刻钟才能再试。
        </Box>
        <Button type="submit" variant="contained" fullWidth loading={busy} size="large">
          确认
        </Button>
        <Button
          size="small"
          color="inherit"
          disabled={busy}
          onClick={() => onBack("")}
          sx={{ mt: 1.5, color: "text.secondary" }}
        >
          返回修改密码
        </Button>
      </form>
    </EntryPage>
  );
}

/** Shown once; the server keeps only their hashes. */
function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const navigate = useNavigate();
  const [kept, setKept] = useState(false);
  return (
    <EntryPage title="保存恢复码" note="第 3 步，共 3 步：手机丢失时用它们登录">
      <Box
        component="ul"
        aria-label="恢复码"
        sx={{
          m: 0,
          p: 2,
          listStyle: "none",
          display: "grid",
          gridTemplateColumns: "repeat(2, 1fr)",
          gap: 1,
          fontFamily: monoFamily,
          fontSize: 13,
          borderRadius: 1,
          backgroundColor: "background.default",
        }}
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Box>
      <Box sx={{ mt: 2, fontSize: 13, color: "text.secondary" }}>
        每个恢复码只能用一次，只在这里显示这一次。请保存在手机以外的安全地方。
      </Box>
      <Button
        size="small"
        variant="outlined"
        sx={{ mt: 2 }}
        onClick={() =>
          saveText("xuanlan-recovery-codes.txt", `${codes.join("\r\n")}\r\n`, "text/plain;charset=utf-8")
        }
      >
        下载为文本
      </Button>
      <Box sx={{ mt: 1 }}>
        <FormControlLabel
          control={<Checkbox checked={kept} onChange={(_event, checked) => setKept(checked)} />}
          label="我已保存恢复码"
        />
      </Box>
      <Button
        onClick={() => navigate("/")}
        variant="contained"
        fullWidth
        size="large"
        disabled={!kept}
        sx={{ mt: 1 }}
      >
        去登录
      </Button>
    </EntryPage>
  );
}
