export { readConfig } from "./settings/config.ts";
export { configurationPage } from "./settings/config-docs.ts";
export { doctorPage } from "./doctor/doctor-docs.ts";
export { startService, type Service } from "./service.ts";
