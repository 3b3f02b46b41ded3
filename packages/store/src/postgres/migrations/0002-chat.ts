/** Webhooks of chat platforms: a sealed address, what may be shown of it, and which message tells of which sale. */
export const chat = `
alter table webhooks add column shown_url text;
alter table webhooks add column chat_options text;
alter table webhooks add column chat_target text;
alter table webhooks add column chat_fault text;
create index webhooks_by_chat_target on webhooks (chat_target) where chat_target is not null;

create table chat_messages (
  webhook_no bigint not null,
  user_id bigint not null,
  event_seq bigint not null,
  message_id text not null,
  primary key (webhook_no, user_id, event_seq)
);
create index chat_messages_by_event on chat_messages (event_seq);
`;
