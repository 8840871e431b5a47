import { SimpleUpload } from "@/features/upload";

export default SimpleUpload;
