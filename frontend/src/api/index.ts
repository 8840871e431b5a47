export { type CallMeta, type CallOptions, serverNow } from "./baseQuery";
export { type AppConfig, getConfig, loadConfig } from "./config";
export { type ApiError, apiErrorOf, codeOf, messageOf, NOT_OPEN, QUOTA, SUCCESS } from "./envelope";
export { decryptCredential } from "./signing";
