export { ProofHost } from "./ProofHost";
