// Evaluated in a page by check_report.py: a list of what is wrong with what is shown.
(() => {
  const found = [];
  const root = document.documentElement;
  const told = (element) => (element.textContent || element.tagName).trim().replace(/\s+/g, " ").slice(0, 40);

  // Nothing scrolls sideways but what is made to, and that can be reached by keyboard.
  if (root.scrollWidth > root.clientWidth) {
    const wide = [...document.body.querySelectorAll("*")]
      .filter((element) => element.getBoundingClientRect().right > root.clientWidth + 1)
      .filter((element) => !element.parentElement.closest(".scroll, .box, svg"));
    const first = wide.length ? `, first ${wide[0].tagName.toLowerCase()}.${wide[0].className}: ${told(wide[0])}` : "";
    found.push(`the page scrolls sideways: ${root.scrollWidth} px${first}`);
  }
  const verdicts = document.querySelector(".verdicts");
  if (verdicts && verdicts.parentElement.scrollWidth > verdicts.parentElement.clientWidth) {
    found.push("the verdict table scrolls sideways");
  }
  const printed = matchMedia("print").matches;
  for (const element of document.querySelectorAll("nav")) {
    if (printed && element.getClientRects().length) found.push(`only of use on a screen, yet printed: ${told(element)}`);
  }
  for (const element of document.querySelectorAll("body *")) {
    const style = getComputedStyle(element);
    const scrolls = ["auto", "scroll"].includes(style.overflowX) && element.scrollWidth > element.clientWidth;
    if (scrolls && element.tabIndex < 0) found.push(`what scrolls cannot be reached by keyboard: ${told(element)}`);
    if (printed && element.matches(".scroll") && element.scrollWidth > element.clientWidth + 1) {
      found.push(`cut off on paper: ${element.scrollWidth} of ${element.clientWidth} px: ${told(element)}`);
    }
  }

  // Anchors, ids, headings.
  const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
  ids.filter((id, at) => ids.indexOf(id) !== at).forEach((id) => found.push(`the id ${id} stands twice`));
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href");
    if (!href.startsWith("#")) found.push(`${href} leads outside`);
    else if (!document.getElementById(href.slice(1))) found.push(`${href} leads nowhere`);
  }
  let last = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Number(heading.tagName[1]);
    if (level > last + 1) found.push(`heading h${level} after h${last}: ${told(heading)}`);
    last = level;
  }
  for (const table of document.querySelectorAll("table")) {
    for (const head of table.querySelectorAll("th:not([scope])")) found.push(`th without scope: ${told(head)}`);
  }

  // Contrast of every text with what lies behind it.
  const parts = (colour) => {
    const numbers = (colour.match(/[\d.]+/g) || []).map(Number);
    return { rgb: numbers.slice(0, 3), alpha: numbers.length > 3 ? numbers[3] : 1 };
  };
  const light = ([red, green, blue]) => {
    const linear = [red, green, blue].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { rgb, alpha } = parts(getComputedStyle(at).backgroundColor);
      if (alpha === 1) return rgb;
    }
    return matchMedia("(prefers-color-scheme: dark)").matches && !printed ? [18, 18, 18] : [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || seen.has(element)) continue;
    seen.add(element);
    if (element.closest("script, style, title, desc") || !element.getClientRects().length) continue;
    const style = getComputedStyle(element);
    const colour = element instanceof SVGElement ? style.fill : style.color;
    const [one, other] = [light(parts(colour).rgb), light(behind(element))];
    const ratio = Math.max(one, other) / Math.min(one, other);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)} to 1: ${told(element)}`);
  }
  return [...new Set(found)];
})();
