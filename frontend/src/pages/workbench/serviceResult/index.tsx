import { ResultList } from "@/features/services";

export default ResultList;
