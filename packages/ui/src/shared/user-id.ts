/** The id of a user, as texts and ids of owners have it; null: it is none. */
export function readUserId(text: string | null | undefined): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text ?? "") && Number.isSafeInteger(id) ? id : null;
}
