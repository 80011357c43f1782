// The way back from a document: to the archive as it was shown last, with its search.
let shown = "#archive";

export const wayBack = () => shown;

export function keepWay(address) {
  shown = address;
}
