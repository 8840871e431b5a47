import { type AuthUserItem, authApi } from "../../api/generated/auth";
import { runQuery } from "../../api/run";
import { shown } from "../../kit/format";
import { SecretField } from "../../kit/secret";

const LABELS = { phone: "手机号", email: "邮箱" } as const;

/** Phone or mail address, masked; in clear by a call that is logged. */
export function Contact({
  kind,
  user,
  open,
}: {
  kind: "phone" | "email";
  user: AuthUserItem;
  open: boolean;
}) {
  const masked = user[kind];
  if (!masked || !open) return <>{shown(masked)}</>;
  return (
    <SecretField
      label={LABELS[kind]}
      masked={masked}
      reveal={async () => {
        const { loginId } = user;
        const found = await runQuery(
          authApi.endpoints.userReveal.initiate({ loginId }, { forceRefetch: true, subscribe: false }),
        );
        return found[kind];
      }}
    />
  );
}
