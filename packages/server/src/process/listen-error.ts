import { MarkethookError } from "@markethook/protocol";

/** Returns the error to report when a server cannot listen there. */
export function listenError(
  cause: unknown,
  { host, port }: { host: string; port: number },
  /** The setting that chooses the port. */
  setting = "MARKETHOOK_PORT",
): unknown {
  const { code } = cause as NodeJS.ErrnoException; // Node's errors have a code.
  switch (code) {
    case "EADDRINUSE":
      return new MarkethookError("address_in_use", {
        detail: `${host}:${port} (${setting}) is taken by another process.`,
        cause,
      });
    case "EADDRNOTAVAIL":
    case "EAFNOSUPPORT":
    case "EINVAL":
      return unusable(`${host} is not an address of this machine.`, cause);
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return unusable(`No address was found for the name ${host}.`, cause);
    case "EACCES":
    case "EPERM":
      return unusable(`This user may not listen on ${host}:${port}.`, cause);
    default:
      return cause;
  }
}

function unusable(detail: string, cause: unknown): MarkethookError {
  return new MarkethookError("address_unusable", { detail, cause });
}
