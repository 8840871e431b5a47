import { optional } from "@/lib/chunk";

/** For who is signed in; a visitor never loads it. */
export const OrderNews = optional(() => import(/* webpackChunkName: "order-news" */ "./OrderNews"));
