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

/** The user's certifications: the latest of each kind, and whether the account is verified as a person or an enterprise. */
export function useCertifications() {
  const { loginId, signedIn } = useSession();
  const { data, isError, isLoading, refetch } = useMyCertificationQuery(
    { userId: loginId },
    { skip: !signedIn },
  );
  const all = data?.certifications ?? [];
  const of = (kind: Kind): AuthCertification | undefined => all.find((one) => one.kind === kind);
  const identities = [of("personal"), of("enterprise")].filter((one) => one !== undefined);
  const certified = identities.filter((one) => one.checkStatus === STATUS.certified);
  return {
    of,
    failed: isError,
    loading: isLoading,
    refetch,
    triesLeft: data?.triesLeft ?? 0,
    verified: certified.length > 0,
    /** The latest application that was not withdrawn. */
    newest: identities
      .filter((one) => one.checkStatus !== STATUS.withdrawn)
      .sort((one, other) => other.submittedAt - one.submittedAt)[0],
  };
}
