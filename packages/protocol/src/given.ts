type Given<Members> = {
  [Name in keyof Members as undefined extends Members[Name] ? never : Name]: Members[Name];
} & {
  [Name in keyof Members as undefined extends Members[Name] ? Name : never]?: Exclude<
    Members[Name],
    undefined
  >;
};

/** These members without those that are undefined: what was left out is not there at all. */
export function given<Members extends object>(members: Members): Given<Members> {
  const those = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(those) as Given<Members>; // Only what is undefined is gone.
}
