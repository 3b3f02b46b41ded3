import type * as Ffi from "node:ffi";

let library: ReturnType<typeof openLibrary> | undefined;

/**
 * Gives free memory back to the system, which takes up to 70 ms. The C library of most Linux systems (glibc) keeps it
 * otherwise: some 190 MB after a flood of connections. Returns false where this is not possible: with another C library
 * (Alpine, macOS), and with a Node that cannot call it (before 26.1).
 */
export function giveBackMemory(): boolean {
  if (library === undefined) library = openLibrary();
  if (library === null) return false;
  library.functions.malloc_trim(0n);
  return true;
}

/** What this process has loaded; null: without that function. Kept, because a closed library's functions are gone. */
function openLibrary() {
  const { emitWarning } = process;
  // Node warns that the module is experimental. Without it the memory is kept, and nothing else is different.
  process.emitWarning = () => {};
  try {
    const ffi = process.getBuiltinModule("node:ffi") as typeof Ffi | undefined; // Older versions of Node have none.
    return ffi?.dlopen(null, { malloc_trim: { arguments: ["uint64"], return: "int32" } }) ?? null;
  } catch {
    return null;
  } finally {
    process.emitWarning = emitWarning;
  }
}
