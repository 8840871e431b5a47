import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { Link, Navigate, useSearchParams } from "react-router";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { DeveloperForm } from "./DeveloperForm";
import { Read } from "./Read";
import { CertificationRecord } from "./Record";
import { Refusal } from "./Refusal";
import { type Certifications, CHOOSER, DEVELOPER, FIRM, KIND_NAMES, type Kind, STATUS } from "./state";

/** `nowType` of the developer certification. */
const MAKE_MODEL = "MAKE_MODEL";

const NOTICE = [
  "认证信息须真实、有效，并与证件一致；一个证件号最多认证 3 个账号。",
  "资料由人工审核，一般 1 个工作日内完成，结果会在页面上即时显示。",
  "未通过时会说明原因，修改后可以重新提交，每天最多 5 次。",
  "姓名与证件号加密保存，页面上只显示首尾字符；证件照片只有审核人员可以查看，审核后 30 天删除。",
  "个人认证通过后可以升级为企业认证；认证开发者前须先完成实名认证。",
] as const;

/** The user's certifications; with `nowType=MAKE_MODEL` the developer certification. */
export function AuthInfo() {
  const [query] = useSearchParams();
  return query.get("nowType") === MAKE_MODEL ? <Developer /> : <Overview />;
}

function Overview() {
  return (
    <>
      <PageHeader title="认证信息" note="您在玄览云认证的身份，以及认证的说明" />
      <Box sx={{ display: "grid", gap: 3 }}>
        <Read>
          {(certifications) => (
            <>
              <One kind="enterprise" of={certifications} to={FIRM} />
              <One kind="personal" of={certifications} to={CHOOSER} />
              <One kind="developer" of={certifications} to={DEVELOPER} />
            </>
          )}
        </Read>
        <Panel title="个人认证须知">
          <Box
            component="ol"
            sx={{ m: 0, px: 2.5, pl: 5, pb: 2.5, lineHeight: "26px", color: "text.secondary" }}
          >
            {NOTICE.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </Box>
        </Panel>
      </Box>
    </>
  );
}

function One({ kind, of, to }: { kind: Kind; of: Certifications; to: string }) {
  const record = of.of(kind);
  if (record && record.checkStatus !== STATUS.withdrawn) return <CertificationRecord of={record} all={of} />;
  const refusal = of.refusalOf(kind);
  return (
    <Panel title={KIND_NAMES[kind]}>
      <Box
        sx={{
          px: 2.5,
          pb: 2.5,
          display: "flex",
          flexWrap: "wrap",
          alignItems: "center",
          justifyContent: "space-between",
          gap: 1.5,
        }}
      >
        <Box sx={{ color: "text.secondary" }}>{refusal ?? `还没有${KIND_NAMES[kind]}`}</Box>
        {!refusal && (
          <Button component={Link} to={to} variant="outlined">
            去认证
          </Button>
        )}
      </Box>
    </Panel>
  );
}

/** Requires real-name certification; users without it are sent there first. */
function Developer() {
  const [query] = useSearchParams();
  return (
    <>
      <PageHeader title="开发者认证" note="认证后可以管理自己发布的应用、插件与模型" />
      <Read>
        {(all) => {
          const own = all.of("developer");
          const again = own?.checkStatus === STATUS.refused && query.has("again");
          const refusal = all.refusalOf("developer");
          if (own && own.checkStatus !== STATUS.withdrawn && (refusal || !again))
            return <CertificationRecord of={own} all={all} />;
          if (!all.verified) return <Navigate to={`${CHOOSER}&for=developer`} replace />;
          if (refusal) return <Alert severity="warning">{refusal}</Alert>;
          return (
            <Panel title="填写开发信息">
              <Box sx={{ px: 2.5, pb: 3 }}>
                <Refusal above of={own} />
                <DeveloperForm before={own} />
              </Box>
            </Panel>
          );
        }}
      </Read>
    </>
  );
}
