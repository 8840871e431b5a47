import { ResultPage } from "@/features/services";

export default ResultPage;
