export { AuthInfo } from "./AuthInfo";
export { Firm, Information } from "./Information";
export { CertificationNews } from "./late";
export { UnApproved } from "./UnApproved";
