/**
 * Stands in for `@emotion/use-insertion-effect-with-fallbacks` in the built pages: rules of components are inserted while the
 * component renders instead of in one go when React commits. Rendering runs in slices of some milliseconds, the commit does
 * not; on a phone it blocked input for a quarter of a second on each new page. Rules are inserted once, by their hash, and
 * match nothing until their element is in the document, so that a discarded render leaves nothing visible.
 */
import { useInsertionEffect } from "react";

export const useInsertionEffectAlwaysWithSyncFallback = <T>(create: () => T): T => create();
/** Global styles are removed with their component, which takes an effect. */
export const useInsertionEffectWithLayoutFallback = useInsertionEffect;
