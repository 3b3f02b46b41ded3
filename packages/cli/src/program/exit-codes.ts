/** How every command ends. Scripts rely on these; a number never changes its meaning. */
export const EXIT = {
  done: 0,
  /** It ran, and the answer is no: not verified, not delivered, not up to date, some items rejected. */
  no: 1,
  /** Wrong usage, or a setting, file or port that cannot be used. */
  usage: 2,
  unreachable: 3,
  /** The server answered with an error. */
  refused: 4,
  /** By Ctrl-C. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** In general; a command's help may say more exactly what its 1 means. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, string>> = {
  0: "done",
  1: "it ran, and the answer is no (not verified, not delivered, some items rejected)",
  2: "wrong usage, or a setting, file or port that cannot be used",
  3: "the server could not be reached",
  4: "the server refused; its code and what to do are printed",
  130: "interrupted by Ctrl-C",
};
