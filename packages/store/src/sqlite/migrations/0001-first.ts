/** `mh_now()`, `mh_next()` and `mh_oldest_running()` are functions of the connection here. Tables by life of a delivery: `live` (leased, small), `waiting` (pending), `done` (append-only). */
export const first = `
create table counters (
  name text primary key,
  value integer not null
) without rowid;
insert into counters (name, value) values ('number', 0), ('life', 0), ('clock', 0);

create table meta (
  key text primary key,
  value text not null
);

create table instances (
  life integer primary key,
  name text not null,
  version text not null,
  started_at integer not null,
  renewed_at integer not null
);

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
  last_used_at integer
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
  revoked_at integer
);
create index portal_sessions_by_owner on portal_sessions (owner_id);
create index portal_sessions_by_age on portal_sessions (expires_at);

create table resources (
  id text primary key,
  owner_id text not null,
  title text not null,
  subtitle text not null,
  file_version text,
  created_at integer not null,
  updated_at integer not null,
  deleted_at integer,
  import_hash text
);
create index resources_by_owner on resources (owner_id, id);

create table webhooks (
  no integer primary key autoincrement,
  id text not null unique,
  resource_id text not null,
  owner_id text not null,
  url text not null,
  format text not null,
  mask integer,
  description text not null,
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
  webhook_id text not null,
  hour integer not null,
  ok integer not null,
  failed integer not null,
  last_at integer not null,
  last_outcome text not null,
  last_status integer,
  primary key (webhook_id, hour)
);

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
  touched_at integer not null
);

create index events_by_resource on events (resource_id, seq);

create table idempotency_keys (
  key text primary key,
  body_hash text not null,
  event_seq integer not null,
  tag text not null,
  created_at integer not null
) without rowid;
create index idempotency_keys_by_age on idempotency_keys (created_at);

create table first_downloads (
  fact text primary key,
  event_seq integer not null,
  tag text not null
) without rowid;

create table live (
  seq integer primary key,
  event_seq integer not null,
  webhook_no integer not null,
  kind integer not null,
  order_key integer,
  life integer not null,
  started integer not null default 0,
  attempts integer not null default 0,
  step integer not null default 0,
  throttled integer not null default 0,
  rescues integer not null default 0,
  crashes integer not null default 0,
  origin integer not null default 0,
  created_at integer not null
);
create index live_by_order on live (webhook_no, order_key, seq);
create index live_again on live (event_seq) where origin = 1;

create table waiting (
  seq integer primary key,
  event_seq integer not null,
  webhook_no integer not null,
  kind integer not null,
  order_key integer,
  due_at integer not null,
  blocked integer not null default 0,
  attempts integer not null default 0,
  step integer not null default 0,
  throttled integer not null default 0,
  rescues integer not null default 0,
  crashes integer not null default 0,
  origin integer not null default 0,
  created_at integer not null
);
create index waiting_by_due on waiting (webhook_no, due_at, seq);
create index waiting_by_order on waiting (webhook_no, order_key, seq);
create index waiting_again on waiting (event_seq) where origin = 1;

create table done (
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
create index done_by_webhook on done (webhook_no, seq);
create index done_again on done (event_seq) where origin = 1;

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
`;
