import { personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";

/** A part of one of its files: a look that stands in the log. */
export const readPart = (id: string, number: number) => (offset: number) =>
  runQuery(
    personalApi.endpoints.feedbackFile.initiate(
      { id, number, offset },
      { forceRefetch: true, subscribe: false },
    ),
  );
