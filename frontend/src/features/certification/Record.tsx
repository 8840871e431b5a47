import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import dayjs from "dayjs";
import { useState } from "react";
import { Link } from "react-router";
import { type AuthCertification, useWithdrawCertificationMutation } from "@/calls/auth";
import { useSession } from "@/session";
import { CertifiedBadge } from "@/ui/CertifiedBadge";
import { ConfirmDialog } from "@/ui/ConfirmDialog";
import { Panel } from "@/ui/Panel";
import { toast } from "@/ui/toast";
import { Refusal } from "./Refusal";
import { DIRECTIONS } from "./rules";
import { Steps } from "./Steps";
import { type Certifications, FIRM, formOf, KIND_NAMES, type Kind, STATUS } from "./state";

const time = (at: unknown) => dayjs(Number(at)).format("YYYY-MM-DD HH:mm");

function linesOf(one: AuthCertification): [string, string][] {
  const lines: [string, string][] = [];
  const add = (title: string, value: string) => value && lines.push([title, value]);
  if (one.kind === "personal") {
    add("真实姓名", one.name);
    add("身份证号", one.number);
  } else if (one.kind === "enterprise") {
    add("企业名称", one.name);
    add("统一社会信用代码", one.number);
    add("法定代表人", one.legalPerson);
    add("联系电话", one.contactPhone);
  } else {
    add("开发方向", DIRECTIONS.find(({ value }) => value === one.direction)?.title ?? "");
    add("开发经验", one.introduce);
    add("作品地址", one.website);
  }
  lines.push(["提交时间", time(one.submittedAt)]);
  if (one.decidedAt) lines.push(["审核时间", time(one.decidedAt)]);
  return lines;
}

/** One certification: progress, reason of a refusal, submitted data and next actions. */
export function CertificationRecord({ of, all }: { of: AuthCertification; all: Certifications }) {
  const kind = of.kind as Kind;
  return (
    <Panel title={KIND_NAMES[kind]}>
      <Box sx={{ px: 2.5, pb: 2.5, display: "grid", gap: 2.5 }}>
        <Steps of={of} />
        <Refusal of={of} />
        <Box
          component="dl"
          sx={{
            m: 0,
            display: "grid",
            rowGap: 1.25,
            columnGap: 3,
            gridTemplateColumns: "auto minmax(0,1fr)",
          }}
        >
          {linesOf(of).map(([title, value]) => (
            <Box key={title} sx={{ display: "contents" }}>
              <Box component="dt" sx={{ color: "text.secondary" }}>
                {title}
              </Box>
              <Box
                component="dd"
                sx={{
                  m: 0,
                  overflowWrap: "anywhere",
                  whiteSpace: "pre-line",
                  fontVariantNumeric: "tabular-nums",
                }}
              >
                {value}
              </Box>
            </Box>
          ))}
        </Box>
        <WayOn of={of} kind={kind} all={all} />
      </Box>
    </Panel>
  );
}

function WayOn({ of, kind, all }: { of: AuthCertification; kind: Kind; all: Certifications }) {
  if (of.checkStatus === STATUS.reviewing) return <Withdraw id={of.id} />;
  if (of.checkStatus === STATUS.refused) {
    const refusal = all.refusalOf(kind);
    return (
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        {!refusal && (
          <Button
            component={Link}
            to={`${formOf(kind)}${kind === "enterprise" ? "?" : "&"}again=1`}
            variant="contained"
          >
            重新提交
          </Button>
        )}
        <Box sx={{ fontSize: 12, color: "text.secondary" }}>
          {refusal ?? `今天还可以提交 ${all.triesLeft} 次`}
        </Box>
      </Box>
    );
  }
  if (kind === "developer") return null;
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
      <CertifiedBadge as={kind} />
      {kind === "personal" && !all.refusalOf("enterprise") && (
        <Button component={Link} to={FIRM} variant="outlined" size="small">
          升级为企业认证
        </Button>
      )}
    </Box>
  );
}

function Withdraw({ id }: { id: string }) {
  const { loginId } = useSession();
  const [open, setOpen] = useState(false);
  const [withdraw] = useWithdrawCertificationMutation();
  const confirm = async () => {
    const done = await withdraw({ userId: loginId, id });
    setOpen(false);
    if (!done.error) toast.success("已撤回");
  };
  return (
    <Box>
      <Button variant="outlined" color="inherit" onClick={() => setOpen(true)}>
        撤回申请
      </Button>
      <ConfirmDialog
        open={open}
        title="撤回这次认证申请？"
        confirmText="撤回"
        danger
        onConfirm={confirm}
        onClose={() => setOpen(false)}
      >
        撤回后已上传的证件照片会立即删除，需要时可以重新提交。
      </ConfirmDialog>
    </Box>
  );
}
