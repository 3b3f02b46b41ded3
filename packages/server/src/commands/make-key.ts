import { randomBytes } from "node:crypto";
import { makeApiKey } from "@markethook/api";
import { addHelp, type Define } from "@markethook/cli";

export const define: Define = (command, { out }) => {
  addHelp(command, {
    examples: ['export MARKETHOOK_API_KEY="$(markethook make-key)"'],
    exits: { 0: null, 2: null },
  });
  command.action(async () => {
    const key = makeApiKey(randomBytes);
    await out.result({ key }, () => key);
  });
};
