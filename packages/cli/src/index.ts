// What every command shares, and the program. What only some commands need has its own entry, so that a service that
// starts does not load it: see the exports of package.json.
export { addHelp } from "./command-help.ts";
export type { ListedCommand } from "./command-list.ts";
export { COMMAND_SETTINGS } from "./command-settings.ts";
export type { Context, Define } from "./context.ts";
export { EXIT, type ExitCode } from "./exit-codes.ts";
export { usageFailure } from "./failure.ts";
export type { Host } from "./host.ts";
export { operatorAdvice } from "./failure.ts";
export { duration, httpUrl, serviceName } from "./option-values.ts";
export type { Output } from "./output.ts";
export { buildProgram, listedCommand, runProgram } from "./program.ts";
export { openProgress, type Progress } from "./progress.ts";
export { addSecretOption, neededSecrets } from "./secret-option.ts";
export { systemSentence } from "./failure.ts";
export { table } from "./table.ts";
export { type Branch, treeText } from "./tree.ts";
export { visible, visibleLines } from "./visible-text.ts";
