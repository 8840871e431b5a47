import { z } from "zod";

/** Compiled checks need eval, which our policy refuses and reports, so they are disabled. Call it before the first schema. */
export const withoutEval = () => z.config({ jitless: true });
