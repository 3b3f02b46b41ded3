import { readFileSync } from "node:fs";
import { importOnDemand } from "../../tools/on-demand/install.ts";

/** As far as it is used. */
interface Publint {
  publint(options: {
    pack: { tarball: ArrayBuffer };
    strict: boolean;
  }): Promise<{ messages: object[] }>;
}

interface Attw {
  createPackageFromTarballData(data: Uint8Array): unknown;
  checkPackage(pack: unknown): Promise<{ types: unknown; problems?: object[] }>;
}

/** What is wrong with the package.json and with where it points. */
export async function faultsOfPublint(tarball: string): Promise<object[]> {
  const { publint } = await importOnDemand<Publint>("libraries", "publint");
  const { buffer, byteOffset, byteLength } = readFileSync(tarball);
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
  return (await publint({ pack: { tarball: bytes }, strict: true })).messages;
}

/** What a compiler finds under each way to look for types ("Are the types wrong?"). */
export async function faultsOfAttw(tarball: string): Promise<object[]> {
  const attw = await importOnDemand<Attw>("libraries", "@arethetypeswrong/core");
  const result = await attw.checkPackage(attw.createPackageFromTarballData(readFileSync(tarball)));
  if (result.types === false) return [{ kind: "no types" }];
  return result.problems ?? [];
}
