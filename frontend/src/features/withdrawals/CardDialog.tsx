import { useForm } from "react-hook-form";
import { type PaymentBankCard, useModifyBankMutation } from "@/calls/payment";
import { useSession } from "@/session";
import { Field } from "@/ui/Field";
import { FormDialog } from "@/ui/FormDialog";
import { toast } from "@/ui/toast";
import { BRANCH_MAX, cardName, cardProblem, cardText } from "./rules";

const HOLDER_MAX = 100;

/** Adds a card, or replaces the number of one. */
export function CardDialog({
  current,
  onClose,
}: {
  current: PaymentBankCard | undefined;
  onClose: () => void;
}) {
  const { loginId: userId } = useSession();
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { cardNo: "", holder: "", branch: current?.branch ?? "" },
  });
  const { errors } = formState;
  const [modify, { isLoading }] = useModifyBankMutation();
  const submit = handleSubmit(async ({ cardNo, holder, branch }) => {
    const suffix = current ? "update" : "add";
    const paymentModifyBankRequest = { userId, cardId: current?.id ?? "", cardNo, holder, branch };
    const answer = await modify({ suffix, paymentModifyBankRequest });
    if (answer.error) return;
    toast.success(current ? "银行卡已更换" : "银行卡已绑定");
    onClose();
  });
  return (
    <FormDialog
      title={current ? `更换 ${cardName(current)}` : "绑定银行卡"}
      note="持卡人须与实名认证的姓名或企业名称一致。卡号加密保存，页面只显示末四位。"
      confirmText={current ? "更换" : "绑定"}
      busy={isLoading}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field
        label="银行卡号"
        field={register("cardNo", { validate: (value) => cardProblem(value) ?? true })}
        clean={cardText}
        error={errors.cardNo?.message}
        placeholder="储蓄卡卡号"
        inputMode="numeric"
        autoComplete="off"
      />
      <Field
        label="持卡人"
        field={register("holder", { validate: (value) => value.trim().length >= 2 || "请输入持卡人姓名" })}
        clean={(value) => value.slice(0, HOLDER_MAX)}
        error={errors.holder?.message}
        placeholder="与实名认证一致"
        autoComplete="off"
      />
      <Field
        label="开户支行（选填）"
        field={register("branch")}
        clean={(value) => value.slice(0, BRANCH_MAX)}
        placeholder="例如 杭州文三路支行"
        autoComplete="off"
      />
    </FormDialog>
  );
}
