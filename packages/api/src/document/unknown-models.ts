/**
 * The schemas that a document refers to and does not have. Each belongs into MODELS in `openapi.ts`. Readers of the
 * document would look for a file of that name.
 */
export function unknownModels(document: { components?: { schemas?: object } }): string[] {
  const names = JSON.stringify(document).matchAll(
    /"\$ref":"(?:#\/components\/schemas\/)?([A-Za-z]+)#?"/g,
  );
  const known = new Set(Object.keys(document.components?.schemas ?? {}));
  return [...new Set(Array.from(names, ([, name = ""]) => name))].filter((one) => !known.has(one));
}
