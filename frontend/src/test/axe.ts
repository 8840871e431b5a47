import axe from "axe-core";

/**
 * Findings of axe in the document, one line each. Contrast is left to a browser: here nothing is laid out. The experimental
 * rule that a control's name contains its visible text is included.
 */
export async function findings(root: Element = document.body): Promise<string[]> {
  const { violations } = await axe.run(root, {
    rules: {
      "color-contrast": { enabled: false },
      // the tests render parts of pages, not whole ones
      region: { enabled: false },
      "label-content-name-mismatch": { enabled: true },
    },
  });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}`));
}
