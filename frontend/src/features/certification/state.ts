import { type AuthCertification, useMyCertificationQuery } from "@/calls/auth";
import { useSession } from "@/session";

export type Kind = "personal" | "enterprise" | "developer";

/** `checkStatus` of a certification. */
export const STATUS = { reviewing: 0, certified: 1, refused: 2, withdrawn: 3 } as const;

export const KIND_NAMES: Record<Kind, string> = {
  personal: "个人认证",
  enterprise: "企业认证",
  developer: "开发者认证",
};

export const CHOOSER = "/workbench/information?typeShow=1";
export const FIRM = "/workbench/information/firm";
export const PERSONAL = "/workbench/information?kind=personal";
export const DEVELOPER = "/workbench/authInfo?nowType=MAKE_MODEL";

export const formOf = (kind: Kind): string =>
  ({ personal: PERSONAL, enterprise: FIRM, developer: DEVELOPER })[kind];

/** The kinds that prove who somebody is; a developer's proves a profession. */
const IDENTITIES = ["personal", "enterprise"] as const;

export type Certifications = ReturnType<typeof useCertifications>;

/** The user's certifications: the latest of each kind, and what follows from them. */
export function useCertifications() {
  const { loginId, signedIn } = useSession();
  const { data, isError, isLoading, refetch } = useMyCertificationQuery(
    { userId: loginId },
    { skip: !signedIn },
  );
  const all = data?.certifications ?? [];
  const triesLeft = data?.triesLeft ?? 0;
  const of = (kind: Kind): AuthCertification | undefined => all.find((one) => one.kind === kind);
  const is = (kind: Kind, status: number) => of(kind)?.checkStatus === status;
  /** The identities that were asked for and not taken back: what is certified first, then the newest. */
  const identities = IDENTITIES.map(of)
    .filter((one) => one !== undefined)
    .filter((one) => one.checkStatus !== STATUS.withdrawn)
    .sort(
      (one, other) =>
        Number(other.checkStatus === STATUS.certified) - Number(one.checkStatus === STATUS.certified) ||
        other.submittedAt - one.submittedAt,
    );
  /** Why the server would refuse a request of this kind now; undefined if it can be made. */
  const refusalOf = (kind: Kind): string | undefined => {
    const rivals: readonly Kind[] = kind === "developer" ? [kind] : IDENTITIES;
    const rival = rivals.find((one) => is(one, STATUS.reviewing));
    if (rival === kind) return `${KIND_NAMES[kind]}正在审核，请耐心等待`;
    if (rival) return `${KIND_NAMES[rival]}正在审核，有结果或撤回后才能提交${KIND_NAMES[kind]}`;
    if (is(kind, STATUS.certified)) return `已通过${KIND_NAMES[kind]}，无需重复提交`;
    if (kind === "personal" && is("enterprise", STATUS.certified))
      return "已通过企业认证，无需再进行个人认证";
    return triesLeft > 0 ? undefined : "今日提交次数已达上限，请明天再试";
  };
  return {
    of,
    identities,
    refusalOf,
    failed: isError,
    loading: isLoading,
    refetch,
    triesLeft,
    /** Whether the account is certified as a person or an enterprise. */
    verified: IDENTITIES.some((kind) => is(kind, STATUS.certified)),
  };
}
