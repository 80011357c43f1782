// Files in one ZIP file (PKWARE APPNOTE 6.3.10), stored without compression, because PDFs are
// compressed already.

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes) {
  let value = ~0;
  for (const byte of bytes) value = (value >>> 8) ^ table[(value ^ byte) & 255];
  return ~value >>> 0;
}

// Numbers of two or four bytes, the low byte first.
function record(...parts) {
  const bytes = parts.flatMap(([size, value]) =>
    Array.from({ length: size }, (_, index) => (value / 2 ** (8 * index)) & 255)
  );
  return Uint8Array.from(bytes);
}

// Makes names unique: a second file with a name gets a number that makes it a name of no other one.
function uniqueNames(files) {
  const taken = new Set(files.map(({ name }) => name));
  const seen = new Set();
  return files.map(({ name }) => {
    let own = name;
    for (let count = 2; seen.has(name) && taken.has(own); count += 1) {
      own = name.replace(/(\.[^.]*)?$/, ` (${count})$1`);
    }
    seen.add(name);
    taken.add(own);
    return own;
  });
}

// `files` have `name` and `bytes`; the result is a Blob.
export function zipped(files) {
  const parts = [];
  const entries = [];
  let place = 0;
  const now = new Date();
  const today = (Math.max(0, now.getFullYear() - 1980) << 9) | ((now.getMonth() + 1) << 5) |
    now.getDate();
  const names = uniqueNames(files).map((name) => new TextEncoder().encode(name));
  files.forEach(({ bytes }, index) => {
    const name = names[index];
    // Version 2.0, names in UTF-8, stored, and the day.
    const about = [
      [2, 20],
      [2, 0x800],
      [2, 0],
      [2, 0],
      [2, today],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ];
    const head = record([4, 0x04034b50], ...about);
    parts.push(head, name, bytes);
    const rest = [[2, 0], [2, 0], [2, 0], [4, 0], [4, place]];
    entries.push(record([4, 0x02014b50], [2, 20], ...about, ...rest), name);
    place += head.length + name.length + bytes.length;
  });
  const size = entries.reduce((sum, part) => sum + part.length, 0);
  const end = record(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, files.length],
    [2, files.length],
    [4, size],
    [4, place],
    [2, 0],
  );
  return new Blob([...parts, ...entries, end], { type: "application/zip" });
}
