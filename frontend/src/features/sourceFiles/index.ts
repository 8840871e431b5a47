export { fileAhead } from "./ahead";
export { useDownload } from "./download";
export { DeleteDialog, NameDialog } from "./FileDialogs";
export { type FileAction, FileList, filePath, servicePath } from "./FileList";
export { SourceFilePage } from "./SourceFilePage";
export { SourceFiles } from "./SourceFiles";
export { fileStatus, fileStatuses, lightWeights } from "./status";
