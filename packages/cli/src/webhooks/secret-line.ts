/** The argument that every command about one webhook has. */
export const ID = "<id>";
export const ID_HELP = "wh_…, from `markethook webhooks list`";

/** A secret in a terminal is a secret in its scroll-back: it is printed only when it was asked for. */
export function secretLine(
  webhookId: string,
  secret: string | null | undefined,
  show: boolean,
): string[] {
  // A chat's webhook has none.
  if (secret === null || secret === undefined) return [];
  return [
    show
      ? `secret ${secret}`
      : `The secret is not shown: \`markethook webhooks secret ${webhookId}\` prints it.`,
  ];
}

export function withoutSecret<T extends object>(value: T, show: boolean): Partial<T> {
  if (show) return value;
  const { secret: _secret, ...rest } = value as T & { secret?: string };
  // Only the one member is gone.
  return rest as Partial<T>;
}
