import type { FastifyInstance } from "fastify";

/** Returns the methods of a path, to tell "no such path" from "not with this method". */
export type AllowedMethods = (url: string) => string[];

/** Must be called before the routes are declared. */
export function collectAllowedMethods(app: FastifyInstance): AllowedMethods {
  const patterns = new Map<string, { pattern: RegExp; methods: Set<string> }>();

  app.addHook("onRoute", (route) => {
    let known = patterns.get(route.url);
    if (known === undefined) {
      known = { pattern: patternOf(route.url), methods: new Set() };
      patterns.set(route.url, known);
    }
    for (const method of [route.method].flat()) known.methods.add(method);
  });

  return (url) => {
    const path = url.split("?", 1)[0] ?? "";
    const methods = new Set<string>();
    for (const known of patterns.values()) {
      if (known.pattern.test(path)) for (const method of known.methods) methods.add(method);
    }
    return [...methods].sort();
  };
}

function patternOf(url: string): RegExp {
  const source = url
    .split("/")
    .map((part) => {
      if (part.startsWith(":")) return "[^/]+";
      return part === "*" ? ".*" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join("/");
  return new RegExp(`^${source}$`);
}
