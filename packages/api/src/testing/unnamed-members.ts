interface Described {
  properties?: Record<string, Described>;
  additionalProperties?: unknown;
  items?: Described;
  allOf?: Described[];
  anyOf?: Described[];
  oneOf?: Described[];
}

/** Where a value has members that its schema, which has no references, does not name; empty where it names none at all. */
export function unnamedMembers(schema: unknown, value: unknown, where: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  const parts = partsOf(schema as Described);
  if (Array.isArray(value)) {
    const items = parts.find((part) => part.items !== undefined)?.items;
    return value.flatMap((item) => unnamedMembers(items ?? {}, item, `${where}[]`));
  }
  const isOpen = parts.some(
    ({ additionalProperties: more }) => more !== undefined && more !== false,
  );
  if (isOpen || parts.every(({ properties }) => properties === undefined)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const named = parts.flatMap(({ properties }) => properties?.[name] ?? []);
    const at = `${where} ${name}`;
    return named.length === 0 ? [at] : unnamedMembers({ anyOf: named }, member, at);
  });
}

function partsOf(schema: Described): Described[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...allOf, ...anyOf, ...oneOf].flatMap(partsOf)];
}
