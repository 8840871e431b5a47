import { personalApi } from "../../api/generated/personal";
import { runQuery } from "../../api/run";

/** A part of a case's picture; each view is logged. */
export const readPicture = (id: string) => (offset: number) =>
  runQuery(
    personalApi.endpoints.reviewPicture.initiate({ id, offset }, { forceRefetch: true, subscribe: false }),
  );
