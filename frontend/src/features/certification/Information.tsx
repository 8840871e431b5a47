import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import type { ReactNode } from "react";
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
import { type Certifications, KIND_NAMES, STATUS, useCertifications } from "./state";

const STATE = "/workbench/information";

const NOTES = {
  personal: "使用本人有效的居民身份证",
  enterprise: "使用有效的营业执照，信息与执照一致",
} as const;

/** The personal form if it is asked for; else the identities, or the chooser for who has none. */
export function Information() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  if (query.get("kind") === "personal")
    return (
      <One
        kind="personal"
        form={(before) => (
          <Sheet title="填写身份信息" before={before}>
            <PersonalForm onDone={() => navigate(STATE)} />
          </Sheet>
        )}
      />
    );
  return (
    <>
      <General />
      <Read>{(all) => <Identities all={all} />}</Read>
    </>
  );
}

/** Enterprise certification; a certified person may apply too. A refusal is read before the form. */
export function Firm() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  return (
    <One
      kind="enterprise"
      refusalFirst={!query.has("again")}
      form={(before) => (
        <Sheet title="填写企业信息" before={before}>
          <EnterpriseForm before={before} onDone={() => navigate(STATE)} />
        </Sheet>
      )}
    />
  );
}

function General() {
  return <PageHeader title="实名认证" note="认证后名字旁显示认证标识，一个证件号最多认证 3 个账号" />;
}

/** One kind: its form if it can be requested, else its record; else why it cannot be requested, with the other kind. */
function One({
  kind,
  form,
  refusalFirst = false,
}: {
  kind: keyof typeof NOTES;
  form: (before?: AuthCertification) => ReactNode;
  refusalFirst?: boolean;
}) {
  const { of, refusalOf, loading, failed } = useCertifications();
  const own = of(kind);
  const refusal = refusalOf(kind);
  const shown = own?.checkStatus === STATUS.withdrawn ? undefined : own;
  const general = !loading && !failed && refusal !== undefined && !shown;
  return (
    <>
      {general ? <General /> : <PageHeader title={KIND_NAMES[kind]} note={NOTES[kind]} />}
      <Read>
        {(all) => {
          if (shown && (refusal || (refusalFirst && shown.checkStatus === STATUS.refused)))
            return <CertificationRecord of={shown} all={all} />;
          if (!refusal) return form(own);
          return (
            <Stack>
              <Alert severity="info">{refusal}</Alert>
              <Records all={all} />
            </Stack>
          );
        }}
      </Read>
    </>
  );
}

/** Every identity with its state; the chooser for who has none, or asks for it while both can still be requested. */
function Identities({ all }: { all: Certifications }) {
  const [query] = useSearchParams();
  const developer = query.get("for") === "developer" && !all.verified;
  const none = all.identities.length === 0;
  const refusal = all.refusalOf("personal") ?? all.refusalOf("enterprise");
  const chooses = !refusal && (none || (query.has("typeShow") && !developer));
  return (
    <Stack>
      {developer && (
        <Alert severity="info">
          开发者认证需要先完成实名认证，{chooses ? "请选择一种认证方式" : "通过后即可申请"}
        </Alert>
      )}
      {none && refusal && <Alert severity="warning">{refusal}</Alert>}
      {chooses ? <Chooser /> : <Records all={all} />}
    </Stack>
  );
}

function Records({ all }: { all: Certifications }) {
  return all.identities.map((one) => <CertificationRecord key={one.id} of={one} all={all} />);
}

function Stack({ children }: { children: ReactNode }) {
  return <Box sx={{ display: "grid", gap: 3 }}>{children}</Box>;
}

function Sheet({
  title,
  before,
  children,
}: {
  title: string;
  /** The application before this one: a refusal says what to change. */
  before?: AuthCertification;
  children: ReactNode;
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
