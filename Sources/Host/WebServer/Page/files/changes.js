// What changes to a document are called.
import { say } from "./words.js";

// The words for a change once it is made, and whether it can be seen to have been made.
export function changeWords(order) {
  const number = (order.delete ?? order.uncut ?? order.move ?? []).length;
  if (order.delete) return [say("pagesDeleted", { number }), true];
  if (order.deleteEntries) return [say("entriesDeleted"), true];
  if (order.merge) return [say("mergeMade"), true];
  if (order.crop || order.uncut) return [say("pageCropped"), true];
  if (order.correct) return [say("textKept"), true];
  if (order.replace) return [say("pageReplaced"), true];
  if (order.looks) return [say("lookChanged"), false];
  if (order.rotate) return [say("pagesTurned"), false];
  if (order.move) return [say("pagesMoved"), false];
  return [];
}
