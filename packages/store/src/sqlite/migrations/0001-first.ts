/** `mh_now()`, `mh_next()` and `mh_oldest_running()` are functions of the connection here. Tables by stage of a delivery: `leased` (small), `pending` (due now or later), `ended` (append-only). */
export const first = `
create table counters (
  name text primary key,
  value integer not null
) without rowid;
insert into counters (name, value) values ('number', 0), ('instance', 0), ('clock', 0);

create table meta (
  key text primary key,
  value text not null
);

create table instances (
  instance_no integer primary key,
  name text not null,
  version text not null,
  started_at integer not null,
  renewed_at integer not null,
  key_ids text,
  survived integer not null default 0
);

create table unclean_end (
  one integer primary key check (one = 1),
  instance_no integer not null,
  at integer not null,
  before_at integer not null,
  healthy_at integer not null
);
insert into unclean_end values (1, 0, 0, 0, 0);

create table sender_profiles (
  no integer primary key autoincrement,
  service_name text not null,
  user_agent text not null,
  unique (service_name, user_agent)
);

create table api_keys (
  id text primary key,
  name text not null,
  scopes text not null,
  hash text not null unique,
  created_at integer not null,
  expires_at integer,
  revoked_at integer,
  last_used_at integer,
  addresses text not null default ''
);

create table portal_sessions (
  id text primary key,
  owner_id text not null,
  resource_id text,
  return_url text,
  code_hash text unique,
  code_expires_at integer not null,
  token_hash text unique,
  created_at integer not null,
  opened_at integer,
  expires_at integer not null,
  revoked_at integer,
  reveals_secrets integer not null default 1,
  lifetime_ms integer,
  renewable_until integer
);
create index portal_sessions_by_owner on portal_sessions (owner_id);
create index portal_sessions_by_age on portal_sessions (expires_at);

create table resources (
  id text primary key,
  owner_id text not null,
  owned_above integer not null default 0,
  title text not null,
  subtitle text not null,
  file_version text,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer,
  import_hash text
);
create index resources_by_owner on resources (owner_id, id);

create table past_owners (
  resource_id text not null,
  owner_id text not null,
  above integer not null,
  upto integer not null
);
create index past_owners_by_owner on past_owners (owner_id, resource_id);

create table webhooks (
  no integer primary key autoincrement,
  id text not null unique,
  resource_id text not null,
  owner_id text not null,
  url text not null,
  host text,
  shown_url text,
  format text not null,
  mask integer,
  description text not null,
  chat_options text,
  chat_target text,
  chat_fault text,
  state text not null,
  reason text,
  secret text not null,
  secret_is_text integer not null,
  next_secret text,
  next_secret_until integer,
  cancel_before integer,
  cancel_reason text,
  resume_after_cancel integer not null default 0,
  probe_at integer,
  paused_at integer,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer,
  import_key text,
  import_hash text
);
create index webhooks_by_resource on webhooks (resource_id) where deleted_at is null;
create index webhooks_by_owner on webhooks (owner_id, no) where deleted_at is null;
create index webhooks_to_cancel on webhooks (no) where cancel_before is not null;
create index webhooks_to_probe on webhooks (probe_at) where probe_at is not null;
create index webhooks_by_state on webhooks (state) where deleted_at is null;
create index webhooks_by_chat_target on webhooks (chat_target) where chat_target is not null;
create unique index webhooks_by_import on webhooks (import_key) where import_key is not null;

create table webhook_health (
  webhook_no integer primary key,
  failing_since integer,
  failed_attempts integer not null,
  first_failed_event integer,
  several_events integer not null,
  bad_request_kind integer,
  last_success_at integer,
  last_failure_at integer,
  warned_at integer
);

create table attempt_counts (
  webhook_no integer not null,
  hour integer not null,
  ok integer not null,
  failed integer not null,
  last_at integer not null,
  last_outcome text not null,
  last_status integer,
  last_ok_at integer not null default 0,
  ok_events integer not null default 0,
  primary key (webhook_no, hour)
) without rowid;

create table accepted_events (
  webhook_no integer not null,
  kind integer not null,
  last_at integer not null,
  primary key (webhook_no, kind)
) without rowid;

create table given_up (
  webhook_no integer not null,
  hour integer not null,
  count integer not null,
  first_seq integer not null,
  last_seq integer not null,
  last_outcome text,
  last_status integer,
  told integer not null default 0,
  primary key (webhook_no, hour)
) without rowid;
create index given_up_by_hour on given_up (told, hour);

create table chat_messages (
  webhook_no integer not null,
  user_id integer not null,
  event_seq integer not null,
  message_id text not null,
  primary key (webhook_no, user_id, event_seq)
) without rowid;
create index chat_messages_by_event on chat_messages (event_seq);

create table confirmed_addresses (
  host text not null,
  address text not null,
  confirmed_at integer not null,
  primary key (host, address)
) without rowid;
create index confirmed_addresses_by_age on confirmed_addresses (confirmed_at);

create table pulls (
  webhook_no integer primary key,
  by_person integer not null,
  began_at integer not null,
  next_at integer not null,
  after_due_at integer not null,
  after_seq integer not null
);
create index pulls_by_time on pulls (next_at);

create table events (
  seq integer primary key,
  tag text not null,
  resource_id text not null,
  kind integer not null,
  time integer not null,
  user_id integer,
  payload text not null,
  details text,
  accepted_at integer not null,
  touched_at integer not null,
  erased_at integer
);

create index events_by_resource on events ((seq / 16384), resource_id, seq);

create table idempotency_keys (
  key text primary key,
  body_hash text not null,
  event_seq integer not null,
  tag text not null,
  created_at integer not null
) without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table first_downloads (
  dedupe_key text primary key,
  event_seq integer not null,
  tag text not null
) without rowid;

create table leased (
  seq integer primary key,
  event_seq integer not null,
  webhook_no integer not null,
  kind integer not null,
  order_key integer,
  instance_no integer not null,
  lease integer not null default 1,
  started integer not null default 0,
  planned_at integer,
  attempts integer not null default 0,
  step integer not null default 0,
  throttled integer not null default 0,
  suspicion integer not null default 0,
  origin integer not null default 0,
  created_at integer not null
);
create index leased_by_order on leased (webhook_no, order_key, seq);
create index leased_suspects on leased (suspicion) where suspicion > 0;
create index leased_again on leased (event_seq) where origin = 1;

create table pending (
  seq integer primary key,
  event_seq integer not null,
  webhook_no integer not null,
  kind integer not null,
  order_key integer,
  due_at integer not null,
  planned_at integer,
  asked_until integer,
  blocked integer not null default 0,
  lease integer not null default 0,
  attempts integer not null default 0,
  step integer not null default 0,
  throttled integer not null default 0,
  suspicion integer not null default 0,
  suspected_in integer,
  origin integer not null default 0,
  created_at integer not null
);
create index pending_by_due on pending (webhook_no, due_at, seq);
create index pending_by_order on pending (order_key, webhook_no, seq);
create index pending_suspects on pending (suspicion) where suspicion > 0;
create index pending_suspected on pending (suspected_in) where suspected_in is not null;
create index pending_again on pending (event_seq) where origin = 1;

create table ended (
  seq integer primary key,
  event_seq integer not null,
  webhook_no integer not null,
  kind integer not null,
  order_key integer,
  state integer not null,
  reason text,
  attempts integer not null,
  outcome text,
  status integer,
  origin integer not null,
  created_at integer not null,
  ended_at integer not null,
  first_attempt text
);
create index ended_by_webhook on ended ((seq / 2097152), webhook_no, seq);
create index ended_again on ended (event_seq) where origin = 1;

create table attempts (
  delivery_seq integer not null,
  number integer not null,
  outcome text not null,
  status integer,
  detail text not null,
  primary key (delivery_seq, number)
);

create table notices (
  no integer primary key autoincrement,
  kind text not null,
  owner_id text not null,
  resource_id text not null,
  webhook_id text,
  detail text not null,
  created_at integer not null,
  written_by integer not null default 0
);

create table audit (
  no integer primary key,
  at integer not null,
  key_id text not null,
  actor_kind text not null,
  actor_id text,
  actor_name text not null,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  owner_id text,
  resource_id text,
  was text,
  became text,
  request_id text,
  hash text not null
);
create index audit_by_owner on audit (owner_id, no) where owner_id is not null;
create index audit_by_subject on audit (subject_id, no);

create table audit_head (
  one integer primary key check (one = 1),
  no integer not null,
  hash text not null,
  mac text not null
);
insert into audit_head (one, no, hash, mac) values (1, 0, '', '');

create trigger audit_no_update before update on audit begin
  select raise(abort, 'rows of the audit log are never changed');
end;
create trigger audit_no_delete before delete on audit begin
  select raise(abort, 'rows of the audit log are never deleted');
end;
`;
