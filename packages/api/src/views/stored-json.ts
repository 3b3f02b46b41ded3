/** The value of a stored JSON text, or `otherwise` where the text is damaged: one row must not hide the others. */
export function storedJson(text: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
