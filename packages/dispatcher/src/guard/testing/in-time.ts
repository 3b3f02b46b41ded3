/** Budget of a resolver that gets its answer, on a machine that is busy too. A question that was lost is asked again after a third. */
export const PATIENT_MS = 6000;
/** Only what hangs takes so long. */
export const HANGS_MS = 30_000;

/** Rejects if the promise hangs. */
export async function inTime<T>(promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("it hangs")), HANGS_MS);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
