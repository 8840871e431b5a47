export { useDownload } from "./download";
export { DeleteDialog, NameDialog } from "./FileDialogs";
export { type FileAction, FileList, filePath, servicePath } from "./FileList";
export { SourceFilePage } from "./SourceFilePage";
export { SourceFiles } from "./SourceFiles";
export { dateText, fileStatus, fileStatuses } from "./status";
export { Thumb } from "./Thumb";
