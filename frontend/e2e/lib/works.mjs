/** Brings a checked file into the gallery, for journeys that do not test each step. */
import { until } from "./listings.mjs";

/** A draft of a checked file with a ready model and `particulars`; returns its id. */
export async function draftWork(person, fileId, particulars) {
  const { card } = await person.call("X200", { fileId, type: 0 });
  const worksId = card.id;
  await until(
    "the model of the work",
    async () => (await person.call("X206", { worksId })).modelState === "ready",
  );
  const [category] = await person.call("W01");
  await person.call("X201", { worksId, revision: 0, categoryId: category.id, ...particulars });
  return worksId;
}

/** The same, submitted. */
export async function submittedWork(person, fileId, particulars) {
  const worksId = await draftWork(person, fileId, particulars);
  await person.call("X202", { worksId });
  return worksId;
}
