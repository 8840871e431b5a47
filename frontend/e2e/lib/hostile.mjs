/** Texts that try to be more than text, and a check of pages that show them. */

/** Each tries one way out of a text: elements, attributes, addresses, templates, formulas, directions, lengths. */
export const HOSTILE = [
  "<script>hit()</script>",
  "</script><script>hit()</script>",
  "<img src=x onerror=hit()>",
  '"><img src=x onerror=hit()>',
  "'><img src=x onerror=hit()>",
  "<svg onload=hit()>",
  "<svg><animate onbegin=hit() attributeName=x dur=1s>",
  "<svg><script>hit()</script></svg>",
  '<math><mtext><table><mglyph><style><img src onerror="hit()">',
  "<iframe src=javascript:hit()></iframe>",
  '<iframe srcdoc="<script>parent.hit()</script>"></iframe>',
  "<object data=javascript:hit()></object>",
  "<embed src=//evil.invalid/x.swf>",
  "<base href=//evil.invalid/>",
  "<meta http-equiv=refresh content=0;url=//evil.invalid>",
  "<link rel=stylesheet href=//evil.invalid/x.css>",
  "<style>*{background:url(//evil.invalid/y)}</style>",
  "<form action=//evil.invalid><input autofocus onfocus=hit()>",
  "<details open ontoggle=hit()>",
  "<video><source onerror=hit()></video>",
  "<xl-evil style=animation-name:x onanimationstart=hit()>",
  "<a href=javascript:hit()>点我</a>",
  "javascript:hit()",
  "JaVaScRiPt&colon;hit()",
  "data:text/html,<script>hit()</script>",
  "//evil.invalid/path",
  '" onmouseover="hit()" x="',
  "' autofocus onfocus='hit()",
  "` onload=hit()",
  "--><script>hit()</script><!--",
  "]]><script>hit()</script>",
  "<noscript><p title='</noscript><img src=x onerror=hit()>'>",
  "<template><img src=x onerror=hit()></template>",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what an attacker writes
  "${hit()} {{hit()}} <%= hit() %> #{hit()}",
  "{{constructor.constructor('hit()')()}}",
  "__proto__",
  '=HYPERLINK("//evil.invalid","x")',
  "\u202Egnp.exe\u202C\u2066abc\u2069",
  "零\u200B宽\u200D字\uFEFF符\u00AD",
  "Z\u0351\u036B\u0343\u0313\u0305a\u0337\u0322\u0328\u035El\u0317\u0356g\u0316\u0359o\u0321\u0349",
  "👩‍👩‍👧‍👦🏳️‍🌈🇨🇳",
  "长".repeat(60) + "W".repeat(60),
  "&lt;img src=x onerror=hit()&gt; &#60;script&#62;",
  "%3Cscript%3Ehit()%3C/script%3E",
];

/** Nicknames have at most 16 characters. */
export const HOSTILE_NAMES = [
  "<svg onload=hit>",
  '"><img src=x o="',
  "=1+1|cmd",
  "@SUM(A1)",
  "'\"`<b>{{7*7}}",
];

/** Watches a page from its start; the returned function lists all violations so far and clears the list. */
export async function watch(page) {
  const told = [];
  page.on("dialog", (dialog) => {
    told.push(`a dialog: ${dialog.message()}`);
    return dialog.dismiss();
  });
  page.on("request", (request) => {
    if (new URL(request.url()).hostname.endsWith("evil.invalid")) told.push(`a request: ${request.url()}`);
  });
  await page.addInitScript(() => {
    window.told = [];
    window.hit = () => window.told.push("a script ran");
    document.addEventListener("securitypolicyviolation", (event) =>
      window.told.push(`the policy stopped ${event.violatedDirective} ${event.blockedURI}`),
    );
  });
  return async () => {
    const made = await page.evaluate(() => {
      const addresses = ["href", "src", "action", "formaction", "data", "xlink:href"];
      const texts = ["srcdoc", "style"];
      // The address of a search may contain the text: only its target counts.
      const leadsAway = (value) => {
        const url = URL.parse(value, document.baseURI);
        return (
          url === null || !/^(https?|blob|mailto|tel):|^data:image\//.test(url.href) || /evil/.test(url.host)
        );
      };
      const odd = [...document.querySelectorAll("*")].filter(
        (element) =>
          /^(iframe|object|embed|base|xl-evil|math|mglyph|details|animate)$/i.test(element.localName) ||
          (element.localName === "script" && /hit\(/.test(element.textContent)) ||
          [...element.attributes].some(
            ({ name, value }) =>
              /^on/i.test(name) ||
              (addresses.includes(name) && leadsAway(value)) ||
              (texts.includes(name) && /evil|hit\(|javascript:/i.test(value)),
          ),
      );
      return [
        ...window.told.splice(0),
        ...odd.map((element) => `an element: ${element.outerHTML.slice(0, 160)}`),
      ];
    });
    const all = [...told, ...made, ...page.problems];
    told.length = 0;
    page.problems.length = 0;
    return all.map((one) => `${page.url()}: ${one}`);
  };
}
