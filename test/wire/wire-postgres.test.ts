import { postgresPlace } from "../places.ts";
import { wireSuite } from "./wire-suite.ts";

wireSuite("PostgreSQL", postgresPlace);
