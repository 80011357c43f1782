// The CSS selectors that the page and its tests use: lists of compounds with descendants and
// children, attributes, and a few pseudo-classes.

// A name, an id, a class, an attribute with its value, or a pseudo-class with its argument.
const PARTS = [
  /(\*|[a-z][\w-]*)/,
  /#([\w-]+)/,
  /\.([\w-]+)/,
  /\[([\w-]+)(?:([~^$*]?=)(?:"((?:\\.|[^"\\])*)"|'([^']*)'|([^\]]*)))?\]/,
  /:([\w-]+)(?:\((.*)\))?/,
];
const PART = new RegExp(`^(?:${PARTS.map(({ source }) => source).join("|")})`, "i");

// The pieces of a text between separators that are in no brackets and no quotes.
function split(text, isSeparator) {
  const pieces = [""];
  let depth = 0;
  let quote;
  for (const sign of text) {
    if (quote) quote = sign === quote ? undefined : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if ("([".includes(sign)) depth += 1;
    else if (")]".includes(sign)) depth -= 1;
    if (!quote && depth === 0 && isSeparator(sign)) pieces.push("");
    else pieces[pieces.length - 1] += sign;
  }
  return pieces.map((piece) => piece.trim()).filter(Boolean);
}

const unescaped = (text) => text.replace(/\\(.)/g, "$1");

const pseudos = {
  not: (element, inner) => !matches(element, inner),
  is: matches,
  has: (element, inner) => [...element.descendants()].some((one) => matches(one, inner)),
  disabled: (element) => Boolean(element.disabled),
  checked: (element) => Boolean(element.checked),
  hover: (element) => Boolean(element.isPointedAt),
  "focus-within": (element) => element.contains(document.activeElement),
};

function attributeMatches(element, [name, sign, wanted]) {
  if (!element.hasAttribute(name)) return false;
  const value = element.getAttribute(name);
  switch (sign) {
    case undefined:
      return true;
    case "=":
      return value === wanted;
    case "^=":
      return value.startsWith(wanted);
    case "$=":
      return value.endsWith(wanted);
    default:
      return value.includes(wanted);
  }
}

// True if the element has everything that a compound such as `a.main[href]:not(.bare)` names.
function compoundMatches(element, compound) {
  let rest = compound;
  while (rest) {
    // The argument of a pseudo-class ends at its own bracket.
    const open = rest.match(/^:[\w-]+\(/)?.[0].length;
    const end = open ? closing(rest, open) : undefined;
    const found = (end ? rest.slice(0, end) : rest.replace(/^(:[\w-]+).*$/s, "$1")).match(PART);
    if (!found) throw new Error(`the tests don't know the selector '${compound}'`);
    const [all, name, id, className, attribute, sign, double, single, bare, pseudo, inner] = found;
    if (name && name !== "*" && element.localName !== name.toLowerCase()) return false;
    if (id && element.id !== id) return false;
    if (className && !element.classList.contains(className)) return false;
    if (attribute) {
      const wanted = double === undefined ? single ?? bare : unescaped(double);
      if (!attributeMatches(element, [attribute, sign, wanted])) return false;
    }
    if (pseudo && !pseudos[pseudo](element, inner)) return false;
    rest = rest.slice(all.length);
  }
  return true;
}

function closing(text, from) {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "(") depth += 1;
    if (text[at] === ")") depth -= 1;
    if (!depth) return at + 1;
  }
  throw new Error(`a bracket is open in '${text}'`);
}

// True if the element is at the end of the steps of a selector such as `ul > li a`.
function stepsMatch(element, steps) {
  const [last, ...before] = steps;
  if (!element || !compoundMatches(element, last)) return false;
  if (!before.length) return true;
  if (before[0] === ">") return stepsMatch(element.parentElement, before.slice(1));
  for (let above = element.parentElement; above; above = above.parentElement) {
    if (stepsMatch(above, before)) return true;
  }
  return false;
}

export function matches(element, selector) {
  return split(selector, (sign) => sign === ",").some((one) =>
    stepsMatch(element, split(one.replace(/\s*>\s*/g, " > "), (sign) => sign === " ").reverse())
  );
}
