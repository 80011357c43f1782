// The icons: drawn with one stroke on a grid of 24 × 24, in the color of the surrounding text.
import { draw } from "./sheet.js";

const shapes = {
  scan: "M4 8V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v3M20 16v3a1 1 0 0 1-1 1h-3M8 20H5a1 1 0 0 1" +
    "-1-1v-3M3 12h18",
  camera: "M3 8.5A1.5 1.5 0 0 1 4.5 7H7l1.6-2.5h6.8L17 7h2.5A1.5 1.5 0 0 1 21 8.5v9a1.5 1.5 0 0 1" +
    "-1.5 1.5h-15A1.5 1.5 0 0 1 3 17.5zM12 9.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z",
  archive: "M3 4h18v5H3zM5 9v11h14V9M10 13h4",
  jobs: "M3 12h4l3 7 4-14 3 7h4",
  devices: "M7 9V4h10v5M7 18H5a2 2 0 0 1-2-2v-5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v5a2 2 0 0 1-2 2h-2" +
    "M7 14h10v6H7z",
  settings: "M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M16 4v4M8 10v4M14 16v4",
  help: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7" +
    "M12 17v.01",
  more: "M4 7h16M4 12h16M4 17h16",
  download: "M12 4v11M7.5 10.5 12 15l4.5-4.5M4 20h16",
  share: "M12 15V3.5M8 7l4-4 4 4M6 11H5v10h14V11h-1",
  send: "M21 3 10 14M21 3l-7 18-4-7-7-4z",
  undo: "M8 5 4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "m16 5 4 4-4 4M20 9H10a6 6 0 0 0 0 12h3",
  turnLeft: "M4 4v5h5M4.5 9A8 8 0 1 1 4 13",
  turnRight: "M20 4v5h-5M19.5 9A8 8 0 1 0 20 13",
  cut: "M6 2v16h16M2 6h16v16",
  uncut: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
  look: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM12 3v18M12 7.5h7.5M12 12h9M12 16.5h7.5",
  rescan: "M4 9V5a1 1 0 0 1 1-1h3M16 4h3a1 1 0 0 1 1 1v4M4 20h16M3 14h18M12 6v5M9.5 8.5 12 11" +
    "l2.5-2.5",
  delete: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  splitHere: "M6 3h12v6H6zM6 15h12v6H6zM2 12h4M9 12h6M18 12h4",
  mergeWith: "M4 4h11v13H4zM9 17v4h11V8h-5M9.5 7.5v6M6.5 10.5h6",
  earlier: "M12 20V5M5.5 11.5 12 5l6.5 6.5",
  later: "M12 4v15M5.5 12.5 12 19l6.5-6.5",
  zoomIn: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21M10.5 7.5v6M7.5 10.5h6",
  zoomOut: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21M7.5 10.5h6",
  search: "M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 21 21",
  check: "m4.5 12.5 5 5 10-11",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  tag: "M3 12V4a1 1 0 0 1 1-1h8l9 9-9 9zM7.5 7.5v.01",
  tiles: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  rows: "M4 6h16M4 12h16M4 18h16",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  back: "M19 12H5M11.5 5.5 5 12l6.5 6.5",
  previous: "M15 5l-7 7 7 7",
  next: "m9 5 7 7-7 7",
  zip: "M4 3h11l5 5v13H4zM10 3v2M10 7v2M10 11v2M8.5 16h3v3h-3z",
  restore: "M4 12a8 8 0 1 0 2.5-5.8M4 4v5h5M12 8v4l3 2",
  star: "M6 3h12v18l-6-5-6 5z",
  upload: "M12 16V5M7.5 9.5 12 5l4.5 4.5M4 20h16",
  photo: "M3 5h18v14H3zM3 16l5-5 4 4 3-3 6 6M15.5 8.5v.01",
  signOut: "M14 4h5v16h-5M3 12h12M11 8l4 4-4 4",
};

export const icon = (name) =>
  draw(
    "svg",
    { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" },
    draw("path", { d: shapes[name] }),
  );
