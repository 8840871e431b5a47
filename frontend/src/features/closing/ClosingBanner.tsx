import Alert from "@mui/material/Alert";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import { useCancelClosureMutation, useClosureStateQuery } from "@/calls/auth";
import { accountMessages as m } from "@/messages/account";
import { useSession } from "@/session";
import { toast } from "@/ui/toast";

/** Shown over the workbench during the grace period: when the account closes, and how to cancel. */
export function ClosingBanner() {
  const { signedIn } = useSession();
  const closure = useClosureStateQuery({}, { skip: !signedIn });
  const [cancel, { isLoading }] = useCancelClosureMutation();
  if (!signedIn || closure.data?.state !== "waiting") return null;

  const keep = async () => {
    const answer = await cancel({});
    if (!answer.error) toast.success(m.accountKept);
  };

  return (
    <Alert
      severity="warning"
      sx={{ mb: 2, alignItems: "center", flexWrap: { xs: "wrap", sm: "nowrap" } }}
      action={
        <Button
          color="inherit"
          size="small"
          loading={isLoading}
          onClick={() => void keep()}
          sx={{ whiteSpace: "nowrap" }}
        >
          撤销注销
        </Button>
      }
    >
      {`账号将于 ${dayjs(Number(closure.data.dueAt)).format("YYYY-MM-DD HH:mm")} 注销，届时数据全部删除且无法恢复。`}
    </Alert>
  );
}
