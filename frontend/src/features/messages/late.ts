import { optional } from "@/lib/chunk";

/** Only for signed-in users; visitors never load it. */
export const MessageNews = optional(() => import(/* webpackChunkName: "message-news" */ "./MessageNews"));
