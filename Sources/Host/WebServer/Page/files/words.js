// The words of the page, from the message file of the reader's language; each has all of them.
import { make } from "./dom.js";
import { recall } from "./memory.js";

export const languages = ["en", "de", "fr", "es"];
export const words = { language: "en" };
let own = {};
// What the host says, in this language: `keyed` by keys such as step.blank.help, `problems` and
// `sayings` by their codes. What backends say over the protocol, as titles of options, has no key:
// those are the `sentences`, by their English.
let host = { keyed: {}, sentences: {}, problems: {}, sayings: {} };

export async function load() {
  const read = async (file) => (await fetch(file + ".json")).json();
  const wanted = [recall("language", ""), ...navigator.languages]
    .map((language) => language.slice(0, 2)).find((language) => languages.includes(language)) ??
    "en";
  [own, host] = await Promise.all([
    read("words-" + wanted),
    wanted === "en" ? host : read("host-" + wanted),
  ]);
  words.language = wanted;
}

// Whether there are words of that name.
export const has = (name) => name in own;

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

// The words of that name, with values in the place of {names}.
export const say = (name, values = {}) => fill(own[name] ?? name, values);

// What only the host can say is in English.
const foreign = (text) => (words.language === "en" ? text : make("span", { lang: "en" }, text));

// A sentence of a backend's: a text, or English that is marked as such.
export const hostWords = (text) => host.sentences[text] ?? foreign(text ?? "");

// The same where only text is possible.
export const hostText = (text) => host.sentences[text] ?? text;

// A sentence of the host's own, by its key; in English it is as the host says it.
export const keyedWords = (key, text) => host.keyed[key] ?? foreign(text ?? "");
export const keyedText = (key, text) => host.keyed[key] ?? text;

// The title or the description of a profile; the user's own are in the language they were written
// in.
export const profileText = (profile, what) =>
  profile.isBuiltIn ? keyedText(`profile.${profile.name}.${what}`, profile[what]) : profile[what];

// A sink for people: its name, or whom an e-mail goes to.
export const sinkText = (name) =>
  name.startsWith("email:") ? say("emailTo", { name: name.slice("email:".length) }) : name;

// The name that people know a device by: their own, or the maker's.
export const deviceName = (device) => device.aliases[0] ?? device.name;

// Profiles as choices: each with its title, and the default choice.
export const profileChoices = (profiles) =>
  profiles.filter((profile) => !profile.problem).map((profile) => [
    profile.name,
    profileText(profile, "title"),
    profile.name === "document",
  ]);

// The text to show for something that was thrown.
export const explain = (problem) => problem.nodes ?? [problem.message];

// What the host says about a job, by its code and values; or in its own words.
export const saidWords = (
  saying,
  text,
) => (saying && host.sayings[saying.code]
  ? fill(host.sayings[saying.code], saying.values)
  : foreign(text));

// A problem as nodes: its kind and what to do, by its code, and the host's message about this one.
export function problemWords({ code, message, advice }) {
  const told = [message, advice].filter(Boolean).map((
    text,
  ) => (/[.?!]$/.test(text) ? text : text + ".")).join(" ");
  // Programs' codes are hyphenated, devices' are not.
  const known = host.problems[code?.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase())];
  if (words.language === "en" || !told) return [known ?? told];
  return known
    ? [known, " ", make("small", { lang: "en", class: "block" }, told)]
    : [foreign(told)];
}

// A day as the browser's own region writes it, where that speaks the page's language.
export const day = (moment) => {
  const region = navigator.languages.find((one) => one.startsWith(words.language));
  return new Date(moment).toLocaleDateString(region ?? words.language, { dateStyle: "medium" });
};

// A language of Tesseract's by its own name, as far as the browser knows it.
export function languageName(code) {
  try {
    return new Intl.DisplayNames([words.language], { type: "language", fallback: "none" }).of(
      code.split("_")[0],
    ) ?? code;
  } catch {
    return code;
  }
}
