export { api } from "./api";
export { type CallMeta, type CallOptions, serverNow } from "./baseQuery";
export { type AppConfig, getConfig, loadConfig } from "./config";
export { type ApiError, apiErrorOf, codeOf, messageOf, NOT_OPEN, QUOTA, SUCCESS } from "./envelope";
export * from "./generated";
// Erased: the calls themselves come with src/shop/calls.ts.
export type * from "./generated.shop";
export * from "./pending";
export { decryptCredential } from "./signing";
