import { optional } from "@/lib/chunk";

/** For who is signed in; a visitor never loads it. */
export const MessageNews = optional(() => import(/* webpackChunkName: "message-news" */ "./MessageNews"));
