/** There is one writer: notices commit in the order of their numbers. PostgreSQL needs more for that. */
export const noticesInOrder = "alter table notices drop column written_by";
