import { useRef, useState } from "react";
import { FormDialog } from "@/ui/FormDialog";
import { toast } from "@/ui/toast";
import { codeOf, messageOf, WRONG_CODE } from "../../api/envelope";
import { type AuthOperatorAppReply, authApi, useOperatorFinishAppMutation } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { minute } from "../../kit/format";
import { AppCodeInput, AppSecret, appCodeProblem } from "../AppSecret";
import { Problem } from "./Problem";
import { useAct } from "./useAct";

const ABOUT =
  "用新手机或另一个验证器应用扫描二维码。确认之前，原来的验证器仍然有效；确认之后它立即失效，除本次登录外的其他登录会全部结束。";

const beginApp = () =>
  runQuery(authApi.endpoints.operatorBeginApp.initiate({}, { forceRefetch: true, subscribe: false }));

/** Asks before there is a secret for another app; then binds the app by its first code. */
export function AppDialog({ onClose }: { onClose: () => void }) {
  const [finish] = useOperatorFinishAppMutation();
  const { busy, problem, run } = useAct();
  const input = useRef<HTMLInputElement>(null);
  const [app, setApp] = useState<AuthOperatorAppReply>();
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");

  function refused(error: unknown): boolean {
    if (codeOf(error) !== WRONG_CODE) return false;
    setWrong(messageOf(error));
    setCode("");
    input.current?.focus();
    return true;
  }

  function submit() {
    if (!app) {
      void run(async () => setApp(await beginApp()));
      return;
    }
    const missing = appCodeProblem(code);
    setWrong(missing ?? "");
    if (missing) {
      input.current?.focus();
      return;
    }
    void run(async () => {
      await finish({ code }).unwrap();
      toast.success("验证器已更换，其他登录已结束");
      onClose();
    }, refused);
  }

  return (
    <FormDialog
      title={app ? "绑定新的验证器" : "更换验证器"}
      note={app ? `二维码在 ${minute(app.expiresAt)} 前有效。` : ABOUT}
      confirmText={app ? "确认更换" : "显示二维码"}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      {app && (
        <>
          <AppSecret uri={app.uri} secret={app.secret} />
          <AppCodeInput inputRef={input} value={code} problem={wrong} onChange={setCode} />
        </>
      )}
      <Problem>{problem}</Problem>
    </FormDialog>
  );
}
