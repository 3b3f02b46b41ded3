const ECHO_LENGTH = 64;

/** Makes text from outside safe to repeat in an answer or a log. */
export function echo(text: string): string {
  const cut = text.length > ECHO_LENGTH ? `${text.slice(0, ECHO_LENGTH - 1)}…` : text;
  // Control and formatting characters could change what a person sees.
  return cut.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, "\u{fffd}");
}

/** Returns one token of a JSON Pointer, cut to a length that may be repeated. */
export function pointerToken(name: string): string {
  return echo(name).replaceAll("~", "~0").replaceAll("/", "~1");
}
