export { FormatsDialog } from "./FormatsDialog";
export { flows, modelTypeCode, type Place, type UploadFlow } from "./flow";
export { useFlow, useFlows } from "./hooks";
export { LabelPicker } from "./LabelPicker";
export { NameForm } from "./NameForm";
export { SimpleUpload, Textures as UploadChartlet } from "./SimpleUpload";
export { UnfinishedUploads } from "./UnfinishedUploads";
export { homeOf, UploadWizard } from "./UploadWizard";
