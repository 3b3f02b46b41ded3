/** A statement that ends when so many sessions of its database wait for locks. */
export const untilSomeWait = (count = 1): string => until(`${waiting} >= ${count}`);

/** A statement that ends when this condition of SQL holds. */
export const until = (condition: string): string => `do $$ begin
  while not (${condition}) loop
    perform pg_stat_clear_snapshot();
  end loop;
end $$`;

/** How many sessions wait for locks. */
export const waiting =
  "(select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')";
