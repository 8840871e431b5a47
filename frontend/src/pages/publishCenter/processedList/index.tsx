import { ResultList } from "@/features/processing";

export default ResultList;
