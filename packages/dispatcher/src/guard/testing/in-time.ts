/**
 * Rejects if the promise takes longer. Its timer stands next to those of the code: on a machine that stands still for a
 * while both are late, and still in their order.
 */
export async function inTime<T>(ms: number, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it takes longer than ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
