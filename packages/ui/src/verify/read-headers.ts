/** Headers as somebody pastes them: a line each, `Name: value`. The request line and blank lines are left out. */
export function readHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const match = /^\s*["']?([A-Za-z0-9-]+)["']?\s*:\s*["']?(.*?)["']?,?\s*$/.exec(line);
    if (match?.[1] === undefined) continue;
    headers[match[1]] = match[2] ?? "";
  }
  return headers;
}
