// The words for changes to a document.
import { say } from "./words.js";

// The words for a finished change, and whether the user sees the change anyway.
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
