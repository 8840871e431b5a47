export { FileUploader } from "./FileUploader";
export { sendFile } from "./send";
export { type Upload, type UploadRules, type Uploads, useUploads } from "./useUploads";
