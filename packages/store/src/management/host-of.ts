/** Returns name and port of a URL that was checked before it was stored. */
export function hostOf(url: string): string {
  const rest = url.slice(url.indexOf("//") + 2);
  const end = rest.search(/[/?#]/);
  return (end === -1 ? rest : rest.slice(0, end)).toLowerCase();
}
