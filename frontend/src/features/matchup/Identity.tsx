import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import ToggleButton from "@mui/material/ToggleButton";
import ToggleButtonGroup from "@mui/material/ToggleButtonGroup";
import { type ReactNode, useState } from "react";
import { useDecideUserTypeQuery, useUpdateServiceTypeMutation } from "@/calls/matchup";
import { useAuthDialog, useSession } from "@/session";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { EmptyState } from "@/ui/EmptyState";
import { toast } from "@/ui/toast";

const TYPES = [
  { value: 1, text: "我有需求" },
  { value: 2, text: "我提供服务" },
  { value: 3, text: "两者都有" },
] as const;

/** The user's role: demands (1), offers (2) or both (3); 0 if not chosen, undefined if unknown. Also reports read errors. */
export function useUserType() {
  const { loginId } = useSession();
  const query = useDecideUserTypeQuery({ userId: loginId }, { skip: !loginId });
  return {
    type: loginId ? query.data?.userType : 0,
    failed: query.isError && !query.isFetching,
    retry: () => void query.refetch(),
  };
}

export const needs = (type: number | undefined): boolean => type === 1 || type === 3;
export const offers = (type: number | undefined): boolean => type === 2 || type === 3;

/** Choice of the user's role, which can be changed at any time. */
export function IdentityChoice({ type }: { type: number }) {
  const { loginId } = useSession();
  const [update, { isLoading }] = useUpdateServiceTypeMutation();
  const choose = async (serviceType: number) => {
    const answer = await update({ userId: loginId, serviceType });
    if (!answer.error) toast.success("身份已保存");
    setAsked(false);
  };
  const [asked, setAsked] = useState(false);
  return (
    <>
      <ToggleButtonGroup
        exclusive
        color="primary"
        size="small"
        aria-label="我的身份"
        disabled={isLoading}
        value={type || null}
        onChange={(_event, value: number | null) => {
          if (value === null) return;
          if (value === 1 && offers(type)) setAsked(true);
          else void choose(value);
        }}
      >
        {TYPES.map(({ value, text }) => (
          <ToggleButton
            key={value}
            value={value}
            // on the tint of a chosen button the theme's blue has too little contrast
            sx={{ px: { xs: 1.5, sm: 2 }, "&.Mui-selected": { color: "text.primary", fontWeight: 600 } }}
          >
            {text}
          </ToggleButton>
        ))}
      </ToggleButtonGroup>
      <ConfirmDialog
        open={asked}
        title="只保留「我有需求」？"
        confirmText="只保留"
        onClose={() => setAsked(false)}
        onConfirm={() => choose(1)}
      >
        服务商资料将不再展示；以后改回来，需要重新发布。
      </ConfirmDialog>
    </>
  );
}

/** Content for signed-in users; visitors are asked to sign in first. */
export function SignedIn({ what, title, children }: { what: string; title: string; children: ReactNode }) {
  const { signedIn } = useSession();
  const dialog = useAuthDialog();
  if (signedIn) return children;
  return (
    <EmptyState
      heading="h1"
      kind="closed"
      title={title}
      hint={what}
      action={
        <Box sx={{ display: "flex", gap: 1.5 }}>
          <Button
            variant="contained"
            onClick={() =>
              dialog.open("login", { returnURL: window.location.pathname + window.location.search })
            }
          >
            登录
          </Button>
        </Box>
      }
    />
  );
}
