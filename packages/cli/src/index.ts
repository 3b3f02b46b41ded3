// The program, and the parts that all commands share. Parts of some commands have their own entries in the exports of
// package.json, so that a service that starts does not load them.
export { addHelp } from "./program/command-help.ts";
export { inGroup, type ListedCommand } from "./program/command-list.ts";
export { COMMAND_SETTINGS } from "./program/host.ts";
export type { Context, Define } from "./program/context.ts";
export { EXIT, type ExitCode } from "./program/failure.ts";
export { operatorAdvice, toCommandFailure, usageFailure } from "./program/failure.ts";
export type { Host } from "./program/host.ts";
export { httpUrl, serviceName, waitingTime } from "./options/option-values.ts";
export type { Output } from "./output/output.ts";
export { buildProgram, listedCommand, runProgram } from "./program/program.ts";
export { openProgress, type Progress } from "./output/progress.ts";
export { addSecretOption, neededSecrets } from "./options/secret-option.ts";
export { table } from "./output/table.ts";
export { unacceptedBranches } from "./output/exchange-parts.ts";
export { type Branch, treeText } from "./output/tree.ts";
export { visible } from "./output/visible-text.ts";
