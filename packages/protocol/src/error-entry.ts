export interface ErrorEntry {
  /** HTTP status of the API's answer; absent for errors that the API never answers with. */
  status?: number;
  /** One sentence: what is wrong. */
  title: string;
  /** One sentence: what to do. */
  advice: string;
}

export function entry(status: number | undefined, title: string, advice: string): ErrorEntry {
  return status === undefined ? { title, advice } : { status, title, advice };
}
