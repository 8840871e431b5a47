/** Brings a file into the mall, for journeys that do not test each step. */
import { putModel } from "./store.mjs";

/** Pictures have the lowest priority. */
const MADE_MS = 600_000;

/** Polls `look` until it returns a value; the error of a timeout names `what`. */
export async function until(what, look) {
  const end = Date.now() + MADE_MS;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** Releases a checked file; returns its draft. */
export async function draftOf(person, fileId, modelName) {
  await person.call("R04", { fileId, modelName, modelType: 1, fileSource: "web" });
  return until("the draft", async () => {
    const { results } = await person.call("X100");
    return results.find((one) => one.fileId === fileId)?.listing;
  });
}

/** Uploads a model, has it checked, releases it; returns its draft. */
export async function released(person, file, modelName) {
  return draftOf(person, await putModel(person, file), modelName);
}

export async function stateOf(person, listingId) {
  return (await person.call("X101", { listingId })).state;
}

/** Fills in the missing fields of a draft and submits it. */
export async function handIn(person, listingId, particulars) {
  await person.call("X102", { listingId, ...particulars });
  const { results } = await person.call("X103", { listingIds: listingId });
  if (results[0].message) throw new Error(`${listingId} was not handed in: ${results[0].message}`);
}

/** Lists a model in the mall: released, submitted and listed, on a site without review. Returns its draft. */
export async function listed(person, file, modelName, particulars) {
  const draft = await released(person, file, modelName);
  await handIn(person, draft.listingId, particulars);
  await until("the mall shows it", async () => (await stateOf(person, draft.listingId)) === "listed");
  return draft;
}

/** Waits until its pictures are made, when operators see it. */
export function waiting(person, listingId) {
  return until(
    `the pictures of ${listingId}`,
    async () => (await stateOf(person, listingId)) === "submitted",
  );
}
