/**
 * The first lines of pages whose first screen is the same for everybody, as HTML that the browser draws while it loads the
 * scripts: it looks as the page will, and loads the fonts meanwhile. Same texts and sizes as in the components named here.
 */

const NEEDS_SCRIPT = "玄览云需要 JavaScript 才能运行，请在浏览器设置中打开它。";
const FONT =
  '"Noto Sans CJK SC",-apple-system,BlinkMacSystemFont,"PingFang SC","Microsoft YaHei","Noto Sans SC",sans-serif';

const COMMON = `#root>.first{box-sizing:border-box;min-height:100vh;font:14px/22px ${FONT};-webkit-font-smoothing:antialiased;text-rendering:optimizeLegibility}\
.first h1,.first p{margin:0}.first h1{font-weight:600}`;

/** src/features/home/Hero.tsx */
const HOME = {
  style: `.first{background:#0b1020;color:#e8ecf6}\
.first>div{box-sizing:border-box;max-width:1240px;margin:0 auto;padding:104px 20px 40px}\
.first h1{font-size:36px;line-height:1.22;letter-spacing:.01em;text-wrap:balance}.first h1 span{display:block;color:#8fb0ff}\
.first h1+p{margin-top:20px;font-size:18px;line-height:1.6;color:#c9d2e6}\
.first h1+p+p{margin-top:8px;max-width:440px;line-height:24px;text-wrap:pretty;color:#a3adc2}\
@media(min-width:600px){.first h1{font-size:48px}}\
@media(min-width:900px){.first>div{min-height:760px;padding:72px 20px 124px;display:grid;align-content:center;grid-template-columns:minmax(0,1fr) minmax(0,1.05fr);gap:0 16px}.first>div>*{grid-column:1}.first h1+p{font-size:20px}}\
@media(min-width:1200px){.first h1{font-size:60px}}`,
  html: `<div><h1>让每一个三维模型，<span>轻盈抵达。</span></h1><p>上传即体检，轻量即发布。</p>\
<p>看清模型由什么组成、哪里有毛病、还能轻多少；减完前后并排着看，再下载带走。</p></div>`,
};

/** src/pages/pricePage/index.tsx */
const PRICE = {
  style: `.first{color:#1b2130;text-align:center;padding:120px 20px 0}\
.first::before{content:"";position:absolute;top:0;left:0;right:0;height:72px;box-sizing:border-box;background:#fff;border-bottom:1px solid #e4e7ed}\
.first h1{font-size:32px;line-height:1.25}.first h1+p{margin-top:16px;font-size:16px;line-height:24px;text-wrap:balance;color:#5b6472}\
@media(min-width:900px){.first{padding-top:144px}.first h1{font-size:44px}}`,
  html: "<h1>按用量选，不多买</h1><p>全部为年卡，自开通当日起一年。免费版不限时间。</p>",
};

/** By the page's script. */
export const FIRST_TEXTS = { home: HOME, pricePage: PRICE };

const ROOT = '<div id="root">';

/** The shell with the first lines of a page; unchanged for a page that has none. */
export function withFirstText(shell, script) {
  const first = FIRST_TEXTS[script];
  if (!first) return shell;
  const main = `<main class="first">${first.html}<noscript><p>${NEEDS_SCRIPT}</p></noscript></main>`;
  return shell
    .replace(/<noscript>[\s\S]*?<\/noscript>/, "")
    .replace("</head>", () => `<style>${COMMON}${first.style}</style></head>`)
    .replace(ROOT, () => ROOT + main);
}
