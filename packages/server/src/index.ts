export { readConfig } from "./config.ts";
export { configurationPage } from "./config-docs.ts";
export { startService, type Service } from "./service.ts";
