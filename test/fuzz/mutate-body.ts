import type { Random } from "./random.ts";

/** JSON that something is done to: by the byte, or in ways that readers of JSON disagree about. */
export function mutateBody(json: string, random: Random): Buffer {
  const text = random.pick([
    (): string => "",
    () => `\u{feff}${json}`,
    () => `${json}${random.pick([" ", "x", "\0", json, ","])}`,
    () => json.slice(0, random.int(json.length + 1)),
    () => json.replace("{", '{"__proto__":{"x":1},'),
    () =>
      json.replace("{", `{"${random.pick(["constructor", "prototype", "__\\u0070roto__"])}":1,`),
    () => json.replace(/\{("[^"]*"):/, "{$1:1,$1:"),
    () =>
      json.replaceAll(
        /:\d+/g,
        () => `:${random.pick(["NaN", "1e999", "01", "-", "9".repeat(100), "0x1"])}`,
      ),
    () => json.replace(/"([^"\\]*)"\s*([,}])/, String.raw`"\ud83d\u0000"$2`),
    () => json.replaceAll('"', "'"),
    () => json.replaceAll(",", ",\u0001"),
    () => "[".repeat(random.pick([63, 64, 65, 50_000])),
    () => `${'{"a":'.repeat(100)}1${"}".repeat(100)}`,
    () => `{${Array.from({ length: 10_100 }, (_, i) => `"k${i}":0`).join(",")}}`,
    () => `{"${"k".repeat(random.pick([256, 257, 100_000]))}":1}`,
    () => JSON.stringify("x".repeat(400_000)),
    () => `[${"0,".repeat(100_000)}0]`,
    () => JSON.stringify(json),
    () => random.pick(["null", "true", "0", '""', "[]", "{}", " ", "\n"]),
  ])();
  const bytes = Buffer.from(text);
  // A flipped bit could make another address of a URL's.
  if (bytes.length === 0 || text.includes("url") || !random.once(2)) return bytes;
  for (let flips = 1 + random.int(4); flips > 0; flips -= 1) {
    bytes[random.int(bytes.length)] = random.int(256);
  }
  return bytes;
}
