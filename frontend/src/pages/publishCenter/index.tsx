import { PublishHome } from "@/features/publish";

export default PublishHome;
