import { useDeferredValue } from "react";
import { useSelectMemberGradeListQuery } from "@/calls/order";

/**
 * The grades on sale; undefined until loaded. `sold` is a deferred value: a memoized component that takes it is rendered in
 * slices when it changes, instead of at once like every change of the store.
 */
export function useSold() {
  const { data, isError, refetch } = useSelectMemberGradeListQuery(
    {},
    // not while the call is on its way
    { selectFromResult: (list) => ({ data: list.data, isError: list.isError }) },
  );
  return { sold: useDeferredValue(data), isError, refetch };
}
