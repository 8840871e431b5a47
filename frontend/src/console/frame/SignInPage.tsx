import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type FormEvent, useRef, useState } from "react";
import { TextButton } from "@/ui/TextButton";
import { messageOf } from "../api/envelope";
import { TextInput } from "../kit/TextInput";
import { useSignIn } from "../session/calls";
import { type Ended, useSession } from "../session/slice";
import { CodeInput } from "./CodeInput";
import { EntryPage } from "./EntryPage";

const ENDED: Record<Ended, string> = {
  idle: "长时间没有操作，已自动退出，请重新登录",
  expired: "登录已失效，请重新登录",
  left: "已退出登录",
  unconfirmed: "本页已退出，但服务器没有确认：这次登录最迟在 30 分钟后失效",
};

/** Name, password and code in one step: a failure does not reveal which of them was wrong. */
export default function SignInPage() {
  const signIn = useSignIn();
  const { ended } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [recovery, setRecovery] = useState(false);
  const [problems, setProblems] = useState<{ name?: string; password?: string; code?: string; all?: string }>(
    {},
  );
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const wrong = {
      name: name.trim() ? undefined : "请输入登录名",
      password: password ? undefined : "请输入密码",
      code: (recovery ? code.length > 0 : code.length === 6)
        ? undefined
        : recovery
          ? "请输入恢复码"
          : "请输入 6 位动态口令",
    };
    setProblems(wrong);
    if (Object.values(wrong).some(Boolean)) {
      // the fields are marked invalid in the next render
      window.setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setBusy(true);
    try {
      await signIn({ name: name.trim(), password, code });
    } catch (error) {
      setProblems({ all: messageOf(error) || "没有登录成功，请稍后重试" });
      setCode("");
      setBusy(false);
      // The server does not say which is wrong; the emptied field has to be filled in any case.
      codeField.current?.focus();
    }
  }

  return (
    <EntryPage title="登录" note={ended && <span role="status">{ENDED[ended]}</span>}>
      <form ref={form} onSubmit={submit} noValidate>
        <TextInput
          label="登录名"
          value={name}
          problem={problems.name}
          autoComplete="username"
          autoFocus
          onChange={setName}
        />
        <TextInput
          label="密码"
          type="password"
          value={password}
          problem={problems.password}
          autoComplete="current-password"
          onChange={setPassword}
        />
        <CodeInput
          label={recovery ? "恢复码" : "动态口令"}
          recovery={recovery}
          inputRef={codeField}
          value={code}
          problem={problems.code}
          onChange={setCode}
        />
        {problems.all && (
          <Box role="alert" sx={{ mb: 2, fontSize: 13, color: "error.main" }}>
            {problems.all}
          </Box>
        )}
        <Button type="submit" variant="contained" fullWidth loading={busy} size="large">
          登录
        </Button>
        <TextButton
          color="inherit"
          sx={{ mt: 1.5, color: "text.secondary" }}
          onClick={() => {
            setRecovery(!recovery);
            setCode("");
            setProblems({});
          }}
        >
          {recovery ? "改用动态口令" : "手机不在身边？使用恢复码"}
        </TextButton>
      </form>
    </EntryPage>
  );
}
