/** What Markethook takes; longest texts in characters, files in bytes. */
export const LIMITS = {
  version: 100,
  title: 500,
  subtitle: 1000,
  description: 60_000,
  fileType: 32,
  file: 64 * 1024 * 1024,
} as const;
