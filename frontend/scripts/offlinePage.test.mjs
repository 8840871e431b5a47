import { expect, it } from "vitest";
import { inline } from "./offlinePage.mjs";

it("lets no text of a script end its element or open a comment", () => {
  const script = 'const a = "</script><!-- </SCRIPT>", b = 1 < 2, c = "</div>";';
  const safe = inline(script);
  expect(safe).not.toMatch(/<\/script|<!--/i);
  // the meaning is unchanged
  expect(new Function(`${safe} return a + b + c;`)()).toBe("</script><!-- </SCRIPT>true</div>");
});
