import { z } from "zod";

/** Compiled checks need eval, which our policy refuses and reports: they are not even tried. Call it before the first schema. */
export const withoutEval = () => z.config({ jitless: true });
