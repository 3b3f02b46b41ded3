/** From 0 up to but not including 1. */
type Random = () => number;

const INNER_IPV4 = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "172.16.3.4"];
const EDGE_IPV4 = ["100.64.0.1", "0.0.0.0", "168.63.129.16", "192.0.2.1", "224.0.0.1"];
const PUBLIC_IPV4 = ["93.184.216.34", "8.8.8.8", "100.128.0.1", "172.32.0.1"];
const INNER_IPV6 = ["::1", "::", "fe80::1", "fd00:ec2::254", "fc00::1", "ff02::1", "2001:db8::1"];
const NAMES = ["localhost", "a.localhost", "metadata.google.internal", "backend", "printer.local"];
const PUBLIC_NAMES = ["example.com", "shop.example.com", "bücher.example.com"];
const SCHEMES = ["http://", "https://", "HTTP://", "hTtP://", "http:/", "http:", "http:\\\\"];
const OTHER_SCHEMES = ["ftp://", "file://", "//", "ws://", "http:///", " http://", "http://\t"];
const PORTS = [":80", ":443", ":8080", ":", ":0", ":080", ":65536", ":22", ":6379", ":8o", ":-1"];
const USERS = ["a@", "a:b@", "@", "example.com@", "127.0.0.1@", "example.com:80\\@", "%40@"];
const TAILS = ["/", "", "/a?b=c", "#@example.com/", "?@example.com", "\\@example.com/", "/..;/"];
const INVISIBLE = ["\u00ad", "\u200b", "\u2060", "%C2%AD", "%E2%80%8B", "\ufeff", "\t", "\n", "\0"];
const DOTS = ["。", "．", "｡", "%2e", "%2E", ".."];
const DIGITS = ["０１２３４５６７８９", "⓪①②③④⑤⑥⑦⑧⑨", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗"].map((digits) =>
  Array.from(digits),
);

/** A URL that hides where it leads by everything parsers are known to fall for; some are harmless. */
export function disguisedUrl(random: Random): string {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T; // None is empty.
  const chance = (part: number): boolean => random() < part;
  const scheme = chance(0.85) ? pick(SCHEMES.slice(0, chance(0.8) ? 2 : 7)) : pick(OTHER_SCHEMES);
  const user = chance(0.15) ? pick(USERS) : "";
  const port = chance(0.25) ? pick(PORTS) : "";
  let host = chance(0.7) ? ipv4Host() : chance(0.5) ? pick(INNER_IPV6.map(brackets)) : name();
  if (chance(0.25)) host = disguise(host);
  if (chance(0.1)) host += ".";
  return scheme + user + host + port + (chance(0.6) ? "/" : pick(TAILS));

  function name(): string {
    const base = pick(chance(0.7) ? NAMES : PUBLIC_NAMES);
    return chance(0.3) ? base.toUpperCase() : base;
  }

  function ipv4Host(): string {
    const address = pick(chance(0.5) ? INNER_IPV4 : chance(0.6) ? EDGE_IPV4 : PUBLIC_IPV4);
    return chance(0.6) ? otherBase(address) : embedded(address);
  }

  /** inet_aton's forms: one to four parts, each decimal, octal or hexadecimal, padded or not. */
  function otherBase(address: string): string {
    const bytes = address.split(".").map(Number);
    const count = pick([1, 2, 3, 4, 4, 4]);
    const last = bytes.slice(count - 1).reduce((sum, byte) => sum * 256 + byte, 0);
    return [...bytes.slice(0, count - 1), last]
      .map((value) => {
        const zeros = "0".repeat(Math.floor(random() * 4));
        return pick([
          String(value),
          String(value),
          `0${zeros}${value.toString(8)}`,
          `0x${zeros}${value.toString(16)}`,
          `0X${value.toString(16).toUpperCase()}`,
          `${zeros}${value}`,
        ]);
      })
      .join(".");
  }

  function embedded(address: string): string {
    const bytes = address.split(".").map(Number);
    const hex = (flip: number): string => {
      const words = [0, 2].map((at) =>
        ((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)) ^ flip).toString(16),
      );
      return words.join(":");
    };
    return pick([
      `[::ffff:${address}]`,
      `[::ffff:${hex(0)}]`,
      `[0:0:0:0:0:ffff:${hex(0)}]`,
      `[0000:0000:0000:0000:0000:FFFF:${hex(0).toUpperCase()}]`,
      `[::${address}]`,
      `[::${hex(0)}]`,
      `[::ffff:0:${address}]`,
      `[64:ff9b::${address}]`,
      `[64:ff9b:1::${hex(0)}]`,
      `[2002:${hex(0)}::1]`,
      `[2001:0:4136:e378:8000:63bf:${hex(0xffff)}]`,
      `[::5efe:${hex(0)}]`,
      `[fe80::1%25eth0]`,
      `[v1.${address}]`,
      `[${address}]`,
    ]);
  }

  function disguise(text: string): string {
    const characters = [...text];
    const at = Math.floor(random() * characters.length);
    const one = characters[at] ?? "";
    characters[at] = pick([
      one + pick(INVISIBLE),
      `%${(one.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`,
      one === "." ? pick(DOTS) : (pick(DIGITS)[Number(one)] ?? one.normalize("NFD")),
      one.toUpperCase(),
      `${one}%00`,
    ]);
    const changed = characters.join("");
    return chance(0.3) ? changed.replaceAll(".", pick(DOTS)) : changed;
  }
}

function brackets(address: string): string {
  return `[${address}]`;
}

/** The same sequence for the same seed: a finding can be had again. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
