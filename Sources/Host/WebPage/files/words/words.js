// The page's words from the message file of the reader's language; each file has all of them.
import { make } from "../parts/dom.js";
import { recall } from "../parts/memory.js";

export const languages = ["en", "de", "fr", "es"];
export const words = { language: "en" };
let own = {};
// The host's texts in this language: `keyed` by keys such as step.blank.help, `problems` and
// `sayings` by their codes. Backends' texts, such as titles of options, have no keys; `sentences`
// has them by their English.
// English has texts only where the host's own, which are also for programs, don't say enough.
const english = {
  keyed: {},
  sentences: {},
  problems: {
    "archive-unreachable":
      "The archive's server does not answer. What you scan stays here until it answers again.",
  },
  sayings: {},
};
let host = english;

export async function load() {
  const read = async (file) => (await fetch(new URL(`${file}.json`, import.meta.url))).json();
  const wanted = [recall("language", ""), ...navigator.languages]
    .map((language) => language.slice(0, 2)).find((language) => languages.includes(language)) ??
    "en";
  [own, host] = await Promise.all([
    read("words-" + wanted),
    wanted === "en" ? english : read("host-" + wanted),
  ]);
  words.language = wanted;
}

// True if there are words with that name.
export const has = (name) => name in own;

const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

// The words with that name, with values for {names}.
export const say = (name, values = {}) => fill(own[name] ?? name, values);

// Texts that only the host has are in English.
const foreign = (text) => (words.language === "en" ? text : make("span", { lang: "en" }, text));

// A backend's sentence: translated, or marked as English.
export const hostWords = (text) => host.sentences[text] ?? foreign(text ?? "");

// A backend's sentence as text, where nodes are not possible.
export const hostText = (text) => host.sentences[text] ?? text;

// A sentence of the host by its key; in English unchanged.
export const keyedWords = (key, text) => host.keyed[key] ?? foreign(text ?? "");
export const keyedText = (key, text) => host.keyed[key] ?? text;

// The title or description of a profile; a user's own are in their original language.
export const profileText = (profile, what) =>
  profile.isBuiltIn ? keyedText(`profile.${profile.name}.${what}`, profile[what]) : profile[what];

// A sink for people: its name, or an e-mail's recipient.
export const sinkText = (name) =>
  name.startsWith("email:") ? say("emailTo", { name: name.slice("email:".length) }) : name;

// A device's name for people: an alias, or the maker's name.
export const deviceName = (device) => device.aliases[0] ?? device.name;

// Profiles as choices: each with its title, and the default choice.
export const profileChoices = (profiles) =>
  profiles.filter((profile) => !profile.problem).map((profile) => [
    profile.name,
    profileText(profile, "title"),
    profile.name === "document",
  ]);

// Facts on one line.
export const joined = (...facts) => facts.filter(Boolean).join(" · ");

// The text for a thrown error.
export const explain = (problem) => problem.nodes ?? [problem.message];

// The host's text about a job, by its code and values; or in English.
export const saidWords = (
  saying,
  text,
) => (saying && host.sayings[saying.code]
  ? fill(host.sayings[saying.code], saying.values)
  : foreign(text));

// A problem as nodes: its kind and advice, by its code, and the host's message.
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

// The browser's region, if that uses the page's language.
const region = () =>
  navigator.languages.find((one) => one.startsWith(words.language)) ?? words.language;

export const day = (time) => new Date(time).toLocaleDateString(region(), { dateStyle: "medium" });

// A day and the time of day, to the minute.
export const moment = (time) =>
  new Date(time).toLocaleString(region(), { dateStyle: "medium", timeStyle: "short" });

// A language of Tesseract in its own language, if the browser knows it.
export function languageName(code) {
  try {
    return new Intl.DisplayNames([words.language], { type: "language", fallback: "none" }).of(
      code.split("_")[0],
    ) ?? code;
  } catch {
    return code;
  }
}
