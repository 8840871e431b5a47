/**
 * Stands in the production bundle for two modules of react-router that every page would load and none uses: the prefetching of
 * its framework mode and its instrumentation. What remains is what both do when neither is switched on. See
 * `leftOutOfRouter` in webpack.config.mjs.
 */
import { createContext, type Ref, useRef } from "react";
import leftOut from "./leftOut";

/** Without it `Link` prefetches nothing. */
export const FrameworkContext = createContext(undefined);

/** Whether to prefetch, the ref that observes the link, and its handlers. */
export function usePrefetchBehavior() {
  return [false, useRef(null), {}];
}

export function mergeRefs<T>(...refs: (Ref<T> | undefined)[]) {
  return (value: T | null) => {
    for (const ref of refs) {
      if (typeof ref === "function") ref(value);
      else if (ref) ref.current = value;
    }
  };
}

/** No navigation is instrumented. */
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;

export {
  leftOut as getRouteInstrumentationUpdates,
  leftOut as instrumentClientSideRouter,
  leftOut as PrefetchPageLinks,
};
