import { ResultPage } from "@/features/processing";

export default ResultPage;
