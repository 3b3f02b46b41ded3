/** Whether an instance suspects its own network: most webhooks cannot be connected to from there. */
export const suspectedNetwork =
  "alter table instances add column network_suspected smallint not null default 0";
