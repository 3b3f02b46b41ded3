/** What Discord would make of a text, apart from how it looks. */
export interface Found {
  /** `everyone`, `here`, `user 1`, `role 1`, `channel 1`, `command`, `emoji`, `time`, `navigation`. */
  mentions: string[];
  /** Where a click would lead, by `[words](address)`. */
  maskedLinks: string[];
  /** Addresses that become links by themselves, and invitations. */
  autolinks: string[];
  /** `heading`, `list`, `quote`, `small`, `code`, `bold`, `italic`, `underline`, `strike`, `spoiler`. */
  marks: string[];
  /** As somebody reads it, with marks that were not escaped still in it. */
  shown: string;
}

interface Rule {
  pattern: RegExp;
  found(match: RegExpExecArray, all: Found): void;
  /** Only where a line begins. */
  atLine?: boolean;
}

const URL_TEXT = /(?:https?|steam|ftp):\/\/[^\s<]+/iy;
const INVITE = /(?:www\.)?discord(?:\.gg|(?:app)?\.com\/invite)\/[\w-]+/iy;

/** Discord's own order: the first rule that fits at a place wins, and the reader goes on behind it. */
const RULES: readonly Rule[] = [
  rule(/\\([^0-9A-Za-z\s])/y, (match, all) => (all.shown += match[1] ?? "")),
  rule(/```[\s\S]+?```/y, mark("code")),
  rule(/(`+)([\s\S]*?[^`])\1(?!`)/y, mark("code")),
  line(/ *>(?:>>)? /y, "quote"),
  line(/ *#{1,3} +\S/y, "heading"),
  line(/ *-# +\S/y, "small"),
  line(/ *(?:[-*+]|\d+\.) +\S/y, "list"),
  rule(/<@[!]?(\d+)>/y, mention("user")),
  rule(/<@&(\d+)>/y, mention("role")),
  rule(/<#(\d+)>/y, mention("channel")),
  rule(/<\/[^<>:]+:\d+>/y, mention("command")),
  rule(/<a?:\w+:\d+>/y, mention("emoji")),
  rule(/<t:-?\d+(?::[tTdDfFRsS])?>/y, mention("time")),
  rule(/<id:\w+(?::\d+)?>/y, mention("navigation")),
  rule(/@(everyone|here)/y, (match, all) => {
    all.mentions.push(match[1] ?? "");
    all.shown += match[0];
  }),
  rule(/<(?:https?:\/\/|mailto:|tel:|steam:\/\/)[^\s>]+>/iy, link("autolinks")),
  rule(
    /\[((?:\[[^\]]*\]|\\.|[^[\]\\]|\](?=[^[]*\]))*)\]\(\s*<?((?:\([^)]*\)|[^\s\\]|\\.)*?)>?(?:\s+['"]([\s\S]*?)['"])?\s*\)/y,
    (match, all) => {
      all.maskedLinks.push((match[2] ?? "").replace(/\\([^0-9A-Za-z\s])/g, "$1"));
      all.shown += match[0];
    },
  ),
  rule(URL_TEXT, link("autolinks")),
  rule(INVITE, link("autolinks")),
  rule(/\*\*(?=\S)[\s\S]+?\*\*/y, mark("bold")),
  rule(/__(?=\S)[\s\S]+?__/y, mark("underline")),
  rule(/~~(?=\S)[\s\S]+?~~/y, mark("strike")),
  rule(/\|\|(?=\S)[\s\S]+?\|\|/y, mark("spoiler")),
  rule(/\*(?=[^\s*])[^*]+?\*/y, mark("italic")),
  rule(/_(?=[^\s_])[^_]+?_(?!\w)/y, mark("italic")),
];

/** Of what stands in a description, a title or a field. Within styles nothing is hidden: those are read as well. */
export function readMarkdown(text: string): Found {
  const all: Found = { mentions: [], maskedLinks: [], autolinks: [], marks: [], shown: "" };
  let at = 0;
  while (at < text.length) at = step(text, at, all);
  return all;
}

/** Styles are noted and then entered; everything else is taken whole. */
function step(text: string, at: number, all: Found): number {
  for (const { pattern, found, atLine } of RULES) {
    if (atLine === true && at !== 0 && text[at - 1] !== "\n") continue;
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) continue;
    const before = all.shown;
    found(match, all);
    if (all.shown !== before) return at + match[0].length;
  }
  all.shown += text.charAt(at);
  return at + 1;
}

function rule(pattern: RegExp, found: Rule["found"]): Rule {
  return { pattern, found };
}

function line(pattern: RegExp, name: string): Rule {
  return { pattern, found: mark(name), atLine: true };
}

/** Code is taken whole, because nothing works in it. */
function mark(name: string): Rule["found"] {
  return (match, all) => {
    all.marks.push(name);
    if (name === "code") all.shown += match[0];
  };
}

function mention(kind: string): Rule["found"] {
  return (match, all) => {
    all.mentions.push(match[1] === undefined ? kind : `${kind} ${match[1]}`);
    all.shown += match[0];
  };
}

function link(list: "autolinks"): Rule["found"] {
  return (match, all) => {
    all[list].push(match[0]);
    all.shown += match[0];
  };
}
