import { useQueryInfoQuery } from "@/calls/personal";
import { useIsFreezeQuery } from "@/calls/transaction";
import { useSession } from "@/session";

const APPROVED = 1;

export interface ModelerStanding {
  /** The centre is in the menu: an operator has approved the maker, or the account is frozen. */
  listed: boolean;
  approved: boolean;
  frozen: boolean;
  /** Not known yet. */
  loading: boolean;
  failed: boolean;
  retry: () => void;
}

/** State of the signed-in user as a maker. */
export function useModeler(): ModelerStanding {
  const { loginId } = useSession();
  const info = useQueryInfoQuery({}, { skip: !loginId });
  const freeze = useIsFreezeQuery({ id: loginId }, { skip: !loginId });
  const approved = (info.data?.uploaderType ?? 0) > 0 && info.data?.reviewStatus === APPROVED;
  const frozen = freeze.data === true;
  return {
    listed: approved || frozen,
    approved,
    frozen,
    loading: info.isLoading || freeze.isLoading,
    failed: info.isError || freeze.isError,
    retry: () => {
      void info.refetch();
      void freeze.refetch();
    },
  };
}
