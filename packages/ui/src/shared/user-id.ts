/** Reads the id of a user from a text, such as an owner's id. Null: the text is no such id. */
export function readUserId(text: string | null | undefined): number | null {
  const id = Number(text);
  return /^[1-9]\d*$/.test(text ?? "") && Number.isSafeInteger(id) ? id : null;
}
