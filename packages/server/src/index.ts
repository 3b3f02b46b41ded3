export { configurationPage } from "./settings/config-docs.ts";
export { doctorPage } from "./doctor/doctor-docs.ts";
