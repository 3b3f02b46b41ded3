import * as fc from "fast-check";

/** UTF-16's halves of a character, which are no characters. */
const HALVES = { from: 0xd800, count: 0x800 };

/**
 * Any character, as a unit of fast-check's texts. Its own unit "binary" makes the same texts, but each process that names
 * it first makes a map of all 1,112,064 characters, which takes most of a second.
 */
export const CODE_POINT = fc.integer({ min: 0, max: 0x10ffff - HALVES.count }).map(
  (no) => String.fromCodePoint(no < HALVES.from ? no : no + HALVES.count),
  (text) => {
    const [character, ...more] = String(text);
    const point = character?.codePointAt(0);
    if (point === undefined || more.length > 0) throw new Error("not one character");
    return point < HALVES.from ? point : point - HALVES.count;
  },
);
