import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link } from "react-router";
import { useAuthDialog, useSession } from "@/session";
import { EmptyState } from "@/ui/EmptyState";
import { Read } from "./Read";
import { CertificationRecord } from "./Record";
import { type Certifications, STATUS } from "./state";

/** The user's refused applications with their reasons and next actions. */
export function UnApproved() {
  const { signedIn } = useSession();
  return (
    <Box sx={{ width: "100%", maxWidth: 720, display: "grid", gap: 3 }}>
      <Box component="h1" sx={{ m: 0, fontSize: 24, lineHeight: "32px", fontWeight: 600 }}>
        审核未通过
      </Box>
      {signedIn ? <Read>{(certifications) => <Refused of={certifications} />}</Read> : <Visitor />}
    </Box>
  );
}

function Visitor() {
  const auth = useAuthDialog();
  return (
    <EmptyState
      kind="closed"
      title="登录后查看审核结果"
      hint="审核结果只有本人可以看到"
      action={
        <Button variant="contained" onClick={() => auth.open("login")}>
          登录
        </Button>
      }
    />
  );
}

function Refused({ of }: { of: Certifications }) {
  const kinds = ["enterprise", "personal", "developer"] as const;
  const refused = kinds.map(of.of).filter((one) => one?.checkStatus === STATUS.refused);
  if (refused.length === 0)
    return (
      <EmptyState
        kind="results"
        title="没有未通过的申请"
        hint="正在审核和已通过的认证在认证信息里"
        action={
          <Button component={Link} to="/workbench/authInfo" variant="outlined">
            查看认证信息
          </Button>
        }
      />
    );
  return refused.map((one) => one && <CertificationRecord key={one.id} of={one} all={of} />);
}
