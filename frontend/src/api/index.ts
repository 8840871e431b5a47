export { api } from "./api";
export { type CallMeta, type CallOptions, serverNow } from "./baseQuery";
export { type AppConfig, getConfig, loadConfig } from "./config";
export { type ApiError, apiErrorOf, codeOf, messageOf, NOT_OPEN, SUCCESS } from "./envelope";
export * from "./generated";
export * from "./pending";
export { decryptCredential } from "./signing";
