import { personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";

/** A part of one of its files; each view is logged. */
export const readPart = (id: string, number: number) => (offset: number) =>
  runQuery(
    personalApi.endpoints.feedbackFile.initiate(
      { id, number, offset },
      { forceRefetch: true, subscribe: false },
    ),
  );
