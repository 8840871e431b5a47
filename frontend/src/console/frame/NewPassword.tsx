import { useState } from "react";
import { TextInput } from "../kit/TextInput";

const LEAST_PASSWORD = 12;
const MOST_PASSWORD = 64;

/** What is wrong with a password, by the server's rules that can be told without it. */
function passwordProblem(password: string, name: string): string | undefined {
  const letters = [...password];
  if (letters.length < LEAST_PASSWORD || letters.length > MOST_PASSWORD)
    return `密码为 ${LEAST_PASSWORD} 到 ${MOST_PASSWORD} 个字符`;
  const lower = password.toLowerCase();
  if (name && lower.includes(name.toLowerCase())) return "密码不能包含登录名";
  if (new Set(lower).size === 1) return "密码不能全为同一个字符";
  return undefined;
}

function againProblem(password: string, again: string): string | undefined {
  if (!again) return "请再输入一次密码";
  return password === again ? undefined : "两次输入的密码不一致";
}

interface Problems {
  password?: string;
  again?: string;
}

interface Fields {
  name: string;
  password: string;
  again: string;
  problems: Problems;
  onPassword: (password: string) => void;
  onAgain: (again: string) => void;
}

/**
 * A new password that is typed twice, for `NewPasswordFields`.
 *
 * @param refused why the server refused the last one
 */
export function useNewPassword(name: string, refused = "") {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [problems, setProblems] = useState<Problems>({ password: refused });
  const fields: Fields = { name, password, again, problems, onPassword: setPassword, onAgain: setAgain };
  /** The password; undefined if something is wrong with it, which the fields then tell. */
  const check = (): string | undefined => {
    const wrong = {
      password: passwordProblem(password, name),
      again: againProblem(password, again),
    };
    setProblems(wrong);
    return wrong.password || wrong.again ? undefined : password;
  };
  const refuse = (why: string) => setProblems({ password: why });
  return { fields, check, refuse };
}

export function NewPasswordFields({
  name,
  password,
  again,
  problems,
  autoFocus,
  onPassword,
  onAgain,
}: Fields & { autoFocus?: boolean }) {
  return (
    <>
      {/* password managers store the password under this name */}
      <input type="hidden" name="username" autoComplete="username" value={name} readOnly />
      <TextInput
        label="新密码"
        type="password"
        value={password}
        problem={problems.password}
        autoComplete="new-password"
        autoFocus={autoFocus}
        onChange={onPassword}
      />
      <TextInput
        label="再输入一次"
        type="password"
        value={again}
        problem={problems.again}
        autoComplete="new-password"
        onChange={onAgain}
      />
    </>
  );
}
