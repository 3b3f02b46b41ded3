import { ApiError, type Problem, UnexpectedAnswerError } from "@markethook/client";

/** The data of a call made by its path, or an `ApiError` thrown, as the client's own functions do. */
export async function unwrap<T>(
  pending: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await pending;
  // That is what `ok` decides in the typed client.
  if (response.ok) return data as T;
  if (typeof error === "object" && error !== null && "code" in error) {
    throw new ApiError(error as Problem, null);
  }
  throw new UnexpectedAnswerError(`The answer was ${response.status}.`, response.status, "");
}
