import { sqlitePlace } from "../places.ts";
import { wireSuite } from "./wire-suite.ts";

wireSuite("SQLite", sqlitePlace);
