import { useCallback, useEffect, useRef, useState } from "react";
import { type AuthExtension, useMyExtensionMutation } from "@/calls/auth";
import { forgetCode } from "@/features/auth";
import { useWindowReturn } from "@/ui/useWindowReturn";

/** The caller's code and whom it brought; read again when the window is focused, and shown meanwhile as it was. */
export function useExtension(pageNo: number, pageSize: number, wanted = true) {
  const [ask, { isLoading, isError }] = useMyExtensionMutation();
  const [known, setKnown] = useState<{ pageNo: number; data: AuthExtension }>();
  const turn = useRef(0);
  const read = useCallback(async () => {
    if (!wanted) return;
    turn.current += 1;
    const own = turn.current;
    const { data } = await ask({ pageNo, pageSize });
    if (!data || own !== turn.current) return;
    // Nobody can enter their own.
    forgetCode(data.inviteCode);
    setKnown({ pageNo, data });
  }, [ask, pageNo, pageSize, wanted]);
  useEffect(() => void read(), [read]);
  useWindowReturn(read);
  return {
    data: known?.data,
    /** Unlike `data`, not that of another page of records. */
    currentData: known?.pageNo === pageNo ? known.data : undefined,
    isFetching: isLoading,
    isError,
    refetch: read,
  };
}
