/**
 * Generates src/facts from the sources that the services read: the list of formats (crates/facts), the upload limits,
 * the studio of model pictures, and what the order service sells. Pages show
 * these figures before, or without, a call; none is typed twice.
 *
 * Several files, so that the home page loads two lines of them and not the whole list.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "smol-toml";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const read = (file) => readFileSync(path.resolve(root, "..", file), "utf8");

const list = JSON.parse(read("crates/facts/src/formats.json"));
const { uploads } = parse(read("crates/facts/src/uploads.toml"));
const { order } = parse(read("services/order/src/default.toml"));
const { auth } = parse(read("services/auth/src/default.toml"));
const { process: work } = parse(read("services/process/src/default.toml"));

/** @param {unknown} value undefined means that a key was renamed: the build must fail */
function constant(name, value, comment) {
  if (value === undefined || Number.isNaN(value)) throw new Error(`no source for ${name}`);
  return `/** ${comment} */\nexport const ${name} = ${JSON.stringify(value)};\n`;
}

const alone = list.formats.filter((row) => row.reads === "model" && row.uploads);
const written = list.formats.filter((row) => row.writes);
const titles = (rows) => rows.map((row) => row.title).join("、");
const cents = (coupon) => coupon.face_value;
const gradeOfRank = (rank) => order.grades.find((grade) => grade.rank === rank);

const score = JSON.parse(read("crates/facts/src/score.json"));
const studio = JSON.parse(read("crates/facts/src/studio.json"));

const files = {
  "score.ts": [
    constant("SCORE_TRIANGLES", score.triangles, "Triangles that cost nothing in the score of a check-up."),
    constant("SCORE_PIXELS", score.texture_pixels, "Pixels of textures that cost nothing."),
    constant("SCORE_DRAWS", score.draws, "Draws that cost nothing."),
    constant("SCORE_FAULTS_MOST", score.faults_most, "What all findings together cost at most."),
  ],
  "studio.ts": [
    constant(
      "STUDIO",
      studio,
      "Camera and light of models' pictures; crates/facts/src/studio.rs explains each figure.",
    ),
  ],
  "auth.ts": [
    constant("RESEND_SECONDS", auth.sms.resend_seconds, "Seconds between two SMS codes to one number."),
    constant("LOGIN_DAYS", auth.token.life_days, "Life of a sign-in, of its token and its cookies, in days."),
  ],
  "names.ts": [
    constant("READ_TITLES", titles(alone), "Formats of single models that are read, for a sentence."),
    constant("READ_COUNT", alone.length, "How many these are."),
    constant("WRITTEN_TITLES", titles(written), "Formats that models are converted to."),
    constant("WRITTEN_COUNT", written.length, "How many these are."),
  ],
  "formats.ts": [
    constant("FAMILIES", list.families, "Groups of formats, in the order in which they are shown."),
    constant(
      "FORMATS",
      list.formats.map(({ known_by_name, preference, remedy, ...row }) => ({
        ...row,
        writes: row.writes ?? false,
        uploads: row.uploads ?? false,
        simple: row.simple ?? false,
        reading: row.reading ?? "",
        carries: row.carries ?? "",
        note: row.note ?? "",
      })),
      "All formats, in the order in which texts name them.",
    ),
  ],
  "limits.ts": [
    constant("FREE_SINGLE_MAX_MB", uploads.single_max_mb, "Largest single model of the free edition."),
    constant("FREE_STORAGE_GB", uploads.storage_gb, "Storage of the free edition."),
    constant("SCENE_MAX_MB", uploads.scene_max_mb, "Largest archive of oblique photography."),
    constant("SCENE_SECONDS", work.scene_wall_seconds, "Time that work on oblique photography may take."),
    constant(
      "MEMBER_SINGLE_MAX_MB",
      Math.max(...order.grades.map((grade) => grade.single_max_mb)),
      "Largest single model of any membership.",
    ),
  ],
  "grades.ts": [
    constant(
      "PAID_GRADE_NAMES",
      {
        basic: gradeOfRank(1).name,
        advanced: gradeOfRank(2).name,
        professional: gradeOfRank(3).name,
      },
      "Names of the grades on sale.",
    ),
  ],
  "shop.ts": [
    constant(
      "GRADES_SOLD",
      order.grades.map(({ id, rank }) => ({ id, rank })),
      "The grades on sale.",
    ),
    constant("PAY_MINUTES", order.window_minutes, "Minutes in which an order can be paid."),
    constant("COUPON_RETURN_MINUTES", order.coupon_return_minutes, "Until a failed order's coupon is back."),
    constant("RECHARGE_MIN", order.recharge_min, "Cents of the smallest recharge."),
    constant("RECHARGE_MAX", order.recharge_max, "Cents of the largest recharge."),
    constant("GIFT_DAYS", order.gift.days, "Days a coupon of the gift is valid."),
    constant(
      "GIFT_CENTS",
      order.gift.coupons.reduce((sum, one) => sum + cents(one), 0),
      "Worth of the gift.",
    ),
    constant(
      "GIFT",
      order.gift.coupons.map((one) => ({ name: one.name, faceValue: cents(one), minAmount: one.min_amount })),
      "What the gift holds, before it has been received. Cents.",
    ),
  ],
};

const folder = path.join(root, "src/facts");
mkdirSync(folder, { recursive: true });
for (const [name, constants] of Object.entries(files)) {
  const text = `// Made by scripts/generate-facts.mjs.\n\n${constants.join("\n")}`;
  const file = path.join(folder, name);
  // Written only when it differs, so that a watching build is not restarted.
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
}
