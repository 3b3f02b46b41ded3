/** What somebody may put into any text: markup, scripts, marks of direction, controls, and very long ones. */
export function hostileStrings(): string[] {
  const payloads = [
    "<script>globalThis.pwned = 1</script>",
    '<img src=x onerror="globalThis.pwned = 1">',
    '<svg onload="globalThis.pwned = 1">',
    "</bdi></li></ul><script>globalThis.pwned = 1</script>",
    '"><iframe srcdoc="<script>parent.pwned = 1</script>">',
    "javascript:globalThis.pwned=1",
    "{{constructor.constructor('globalThis.pwned=1')()}}",
    "${globalThis.pwned = 1}",
    "&lt;b&gt;&#x3C;script&#x3E;",
    "<style>body { display: none }</style>",
    '<a href="javascript:globalThis.pwned=1">click</a>',
    '<base href="https://elsewhere.example">',
    "\u202Egnp.exe\u202C",
    "\u2066\u2067\u202E\u202B never closed",
    "\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627",
    "Z\u0351\u036B\u0343\u036A\u0302\u036B\u033D\u034F\u0334\u0319\u0324\u031E\u0349\u035A\u032F\u031E\u0320\u034DA",
    "\u200B\u200D\uFEFF",
    "line\nbreak\r\nand\ttab",
    "'; drop table webhooks; --",
    "__proto__",
  ];
  const around: ((text: string) => string)[] = [
    (text) => text,
    (text) => `Nice ${text} resource`,
    (text) => text.repeat(3),
    (text) => `${text}${"W".repeat(200)}`,
    (text) => `${"\u{1F3F0}".repeat(20)}${text}`,
    (text) => text.toUpperCase(),
    (text) => encodeURIComponent(text),
    (text) => `%00${text}`,
    (text) => `"${text}"`,
    (text) => `${text} ${"word ".repeat(30)}`,
  ];
  return payloads.flatMap((payload) => around.map((wrap) => wrap(payload)));
}
