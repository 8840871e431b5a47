import { optional } from "@/lib/chunk";

/** Only for those who are signed in. */
export const CertificationNews = optional(
  () => import(/* webpackChunkName: "certification-news" */ "./CertificationNews"),
);
