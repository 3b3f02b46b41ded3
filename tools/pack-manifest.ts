/** A library's package.json in the workspace, where its entries are sources. */
export interface SourceManifest {
  [member: string]: unknown;
  exports: Readonly<Record<string, string>>;
  /** By name and condition. */
  imports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** As it is published: the same entries, built, for ESM and for CommonJS. */
export function builtManifest(
  source: SourceManifest,
  repository: object,
): { manifest: Record<string, unknown>; entries: Record<string, string> } {
  const {
    // The sources cannot be published by mistake; all that is needed is bundled.
    private: _private,
    dependencies: _dependencies,
    exports,
    imports,
    ...rest
  } = source;
  const entries: Record<string, string> = {};
  /** Where a source will be, without its ending. */
  const built = (file: string): string => {
    const name = /^\.\/src\/([\w-]+)\.ts$/.exec(file)?.[1];
    if (name === undefined)
      throw new Error(`${file} is not ./src/NAME.ts: see tools/pack-manifest.ts.`);
    entries[name] = file;
    return `./dist/${name}`;
  };
  const subpaths = Object.keys(exports).filter((path) => path !== ".");
  const conditional = Object.entries(imports ?? {}).map(([name, conditions]) => [
    name,
    mapValues(conditions, (file) => ({
      import: `${built(file)}.js`,
      require: `${built(file)}.cjs`,
    })),
  ]);
  const manifest = {
    ...rest,
    repository,
    files: ["dist", "THIRD-PARTY-LICENCES.txt"],
    publishConfig: { access: "public" },
    sideEffects: false,
    main: `${built(exports["."] ?? "")}.cjs`,
    types: `${built(exports["."] ?? "")}.d.cts`,
    exports: {
      ...mapValues(exports, (file) => ({
        import: { types: `${built(file)}.d.ts`, default: `${built(file)}.js` },
        require: { types: `${built(file)}.d.cts`, default: `${built(file)}.cjs` },
      })),
      "./package.json": "./package.json",
    },
    ...(conditional.length > 0 ? { imports: Object.fromEntries(conditional) } : {}),
    // For compilers that do not read `exports` (moduleResolution node10).
    ...(subpaths.length > 0
      ? {
          typesVersions: {
            "*": Object.fromEntries(
              subpaths.map((path) => [path.slice(2), [`${built(exports[path] ?? "")}.d.cts`]]),
            ),
          },
        }
      : {}),
  };
  return { manifest, entries };
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
