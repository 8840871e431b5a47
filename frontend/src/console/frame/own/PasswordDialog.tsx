import Box from "@mui/material/Box";
import { useEffect, useRef, useState } from "react";
import { FormDialog } from "@/ui/FormDialog";
import { toast } from "@/ui/toast";
import { codeOf, messageOf, WRONG_PASSWORD } from "../../api/envelope";
import { useOperatorChangePasswordMutation } from "../../api/generated/auth";
import { TextInput } from "../../kit/TextInput";
import { useOperator } from "../../session/slice";
import { NewPasswordFields, useNewPassword } from "../NewPassword";
import { Problem } from "./Problem";
import { useAct } from "./useAct";

export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const { name } = useOperator();
  const [change] = useOperatorChangePasswordMutation();
  const { busy, problem, run } = useAct();
  const chosen = useNewPassword(name);
  const [current, setCurrent] = useState("");
  const [wrong, setWrong] = useState("");
  const form = useRef<HTMLDivElement>(null);

  // leads to the first field that has a problem, once it is marked
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);
  const toProblem = () => setRefusals((many) => many + 1);

  function refused(error: unknown): boolean {
    const message = messageOf(error);
    if (codeOf(error) === WRONG_PASSWORD) setWrong(message);
    else if (message.includes("密码")) chosen.refuse(message);
    else return false;
    toProblem();
    return true;
  }

  function submit() {
    setWrong(current ? "" : "请输入当前密码");
    const password = chosen.check();
    if (!current || password === undefined) {
      toProblem();
      return;
    }
    void run(async () => {
      await change({ current, password }).unwrap();
      toast.success("密码已修改，其他登录已结束");
      onClose();
    }, refused);
  }

  return (
    <FormDialog
      title="修改密码"
      note="修改后，除本次登录外的其他登录会全部结束。"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <Box ref={form}>
        <TextInput
          label="当前密码"
          type="password"
          value={current}
          problem={wrong}
          autoComplete="current-password"
          autoFocus
          onChange={setCurrent}
        />
        <NewPasswordFields {...chosen.fields} />
        <Problem>{problem}</Problem>
      </Box>
    </FormDialog>
  );
}
