// Shows the host's version, its license, and the licenses of its parts.
import { fold, make } from "../parts/dom.js";
import { ask } from "../shell/host.js";
import { section } from "./section.js";
import { say } from "../words/words.js";

// The libraries that the host and its programs load, by their licenses.
const parts = [
  ["Apache-2.0", "Tesseract, zxing-cpp, qpdf"],
  ["BSD", "leptonica, libjpeg-turbo, libtiff, libwebp, OpenJPEG, JPEG XL, RE2"],
  ["MIT", "libcurl, expat, giflib, LittleCMS"],
  ["zlib, libpng", "zlib, libpng"],
  ["LGPL", "libmicrohttpd, GnuTLS, nettle, libheif, libexif, libv4l, LibRaw, Avahi, FFmpeg"],
  ["GPL", "SANE, libsmbclient"],
  ["AGPL", "MuPDF"],
  ["Public domain", "SQLite"],
];

export async function about() {
  const { version } = await ask("about");
  return section(
    say("about"),
    say("aboutHint", { version }),
    fold(
      say("licenses"),
      { class: undefined },
      make(
        "dl",
        { class: "licenses", lang: "en" },
        parts.flatMap(([license, names]) => [make("dt", {}, license), make("dd", {}, names)]),
      ),
    ),
    make("p", {}, make("a", { href: "/api/v1/openapi.json" }, say("apiDescription"))),
  );
}
