/** PostgreSQL's alone: nothing here is vacuumed. */
export const logVacuum = "";
