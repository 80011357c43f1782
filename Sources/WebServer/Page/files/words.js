// The words of the page, from message files; English where a language lacks one.
export const words = { language: "en" };
let own = {};
let english = {};

export async function load() {
  const read = async (language) => (await fetch(`words-${language}.json`)).json();
  english = await read("en");
  const wanted = navigator.languages.map((language) => language.slice(0, 2)).find((language) => ["en", "de"].includes(language)) ?? "en";
  own = wanted === "en" ? english : await read(wanted);
  words.language = wanted;
}

// Whether there are words of that name.
export const has = (name) => name in own || name in english;

// The words of that name, with values in the place of {names}.
export function say(name, values = {}) {
  const text = own[name] ?? english[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

export const day = (moment) => new Date(moment).toLocaleDateString(words.language, { dateStyle: "medium" });

// A language of Tesseract's by its own name, as far as the browser knows it.
export function languageName(code) {
  try { return new Intl.DisplayNames([words.language], { type: "language", fallback: "none" }).of(code.split("_")[0]) ?? code; } catch { return code; }
}
