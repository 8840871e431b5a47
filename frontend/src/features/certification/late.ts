import { optional } from "@/lib/chunk";

/** Only for signed-in users. */
export const CertificationNews = optional(
  () => import(/* webpackChunkName: "certification-news" */ "./CertificationNews"),
);
