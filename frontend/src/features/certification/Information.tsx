import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import { useNavigate, useSearchParams } from "react-router";
import type { AuthCertification } from "@/calls/auth";
import { PageHeader } from "@/ui/PageHeader";
import { Panel } from "@/ui/Panel";
import { Chooser } from "./Chooser";
import { EnterpriseForm } from "./EnterpriseForm";
import { PersonalForm } from "./PersonalForm";
import { Read } from "./Read";
import { CertificationRecord } from "./Record";
import { Refusal } from "./Refusal";
import { STATUS } from "./state";

const STATE = "/workbench/information";

/** The chooser, the personal form, or the state of the certification. */
export function Information() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const personal = query.get("kind") === "personal";
  const asked = query.has("typeShow");
  return (
    <>
      <PageHeader
        title={personal ? "个人认证" : "实名认证"}
        note={personal ? "使用本人有效的居民身份证" : "认证后名字旁显示认证标识，一个证件号最多认证 3 个账号"}
      />
      <Read>
        {({ of, newest, verified, triesLeft }) => {
          const waiting = newest?.checkStatus === STATUS.reviewing;
          if (waiting || (verified && newest?.checkStatus === STATUS.certified))
            return <CertificationRecord of={newest} triesLeft={triesLeft} />;
          if (personal && of("personal")?.checkStatus !== STATUS.certified)
            return (
              <Sheet title="填写身份信息" before={of("personal")}>
                <PersonalForm onDone={() => navigate(STATE)} />
              </Sheet>
            );
          if (newest && !asked) return <CertificationRecord of={newest} triesLeft={triesLeft} />;
          return (
            <Box sx={{ display: "grid", gap: 3 }}>
              {query.get("for") === "developer" && (
                <Alert severity="info">开发者认证需要先完成实名认证，请选择一种认证方式</Alert>
              )}
              <Chooser />
            </Box>
          );
        }}
      </Read>
    </>
  );
}

/** Enterprise certification; a certified person may apply too. */
export function Firm() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  return (
    <>
      <PageHeader title="企业认证" note="使用有效的营业执照，信息与执照一致" />
      <Read>
        {({ of, newest, triesLeft }) => {
          const own = of("enterprise");
          if (newest?.checkStatus === STATUS.reviewing)
            return <CertificationRecord of={newest} triesLeft={triesLeft} />;
          const refused = own?.checkStatus === STATUS.refused && !query.has("again");
          if (own?.checkStatus === STATUS.certified || (own && refused))
            return <CertificationRecord of={own} triesLeft={triesLeft} />;
          return (
            <Sheet title="填写企业信息" before={own}>
              <EnterpriseForm onDone={() => navigate(STATE)} />
            </Sheet>
          );
        }}
      </Read>
    </>
  );
}

function Sheet({
  title,
  before,
  children,
}: {
  title: string;
  /** The application before this one: a refusal says what to change. */
  before?: AuthCertification;
  children: React.ReactNode;
}) {
  return (
    <Panel title={title}>
      <Box sx={{ px: 2.5, pb: 3 }}>
        <Refusal above of={before} />
        {children}
      </Box>
    </Panel>
  );
}
