import { optional } from "@/lib/chunk";

/** Only for signed-in users; visitors never load it. */
export const OrderNews = optional(() => import(/* webpackChunkName: "order-news" */ "./OrderNews"));
