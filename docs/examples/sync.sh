#!/bin/sh
# Keeps a copy of a list in a SQLite file, with the countersign command line and sqlite3.
#
#   sync.sh /sales/v1/orders changedAt orders.db             reads the changes since the last run
#   sync.sh --compare /sales/v1/orders changedAt orders.db   reads the whole list, and deletes from
#                                                            the copy what the list no longer has
#
# The arguments are the path of the list, the field with the time of a record's last change, and the
# file. Its table "records" has a row per record: the key, the time of the last change, the JSON.
#
# COUNTERSIGN_BASE_URL, COUNTERSIGN_CLIENT_ID, COUNTERSIGN_KEY
#                       as for `countersign list`; a profile works as well
# COUNTERSIGN           the command, by default countersign
# KEY_FIELD             the field with the key of a record, by default id
# OVERLAP               seconds before the newest known change that are read again, by default 300
set -eu

fail() {
  echo "sync.sh: $1" >&2
  exit 1
}

usage() {
  sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

compare=
if [ "${1-}" = --compare ]; then
  compare=1
  shift
fi
[ $# -eq 3 ] || usage
list=$1 changed=$2 copy=$3
key=${KEY_FIELD-id} overlap=${OVERLAP-300}
for field in "$key" "$changed"; do
  case $field in
    '' | *[!A-Za-z0-9_]*) fail "a field must consist of letters, digits and _, was '$field'" ;;
  esac
done
case $overlap in
  '' | *[!0-9]*) fail "OVERLAP must be a number of seconds, was '$overlap'" ;;
esac

# Two runs at once could delete each other's records.
mkdir "$copy.lock" 2>/dev/null ||
  fail "another run is using $copy; if there is none, remove the folder $copy.lock"
received=
trap 'rm -f "$received"; rmdir "$copy.lock"' EXIT
trap 'exit 143' TERM HUP
# Ctrl-C ends the command, which then exits with 130; what it has read is kept.
trap : INT
received=$(mktemp)

execute() { sqlite3 -bail "$copy" "$@"; }

execute 'CREATE TABLE IF NOT EXISTS records
  (id NOT NULL PRIMARY KEY, changed TEXT NOT NULL, record TEXT NOT NULL)'

# In the order of the changes, so that the next run continues where this one was interrupted.
set -- list "$list" --all --format jsonl
if [ -z "$compare" ]; then
  set -- "$@" --sort "$changed,asc"
  from=$(execute "SELECT strftime('%Y-%m-%dT%H:%M:%SZ', max(strftime('%s', changed)) - $overlap,
    'unixepoch') FROM records")
  [ -z "$from" ] || set -- "$@" --where "$changed.gte=$from"
fi
status=0
"${COUNTERSIGN-countersign}" "$@" >"$received" || status=$?

# A record that changed during the run may be there twice; the later line has its later state.
{
  cat <<SQL
CREATE TEMP TABLE received (record TEXT);
.mode ascii
.separator "\037" "\n"
.import '$received' received
BEGIN IMMEDIATE;
INSERT INTO records (id, changed, record)
  SELECT record ->> '$key', record ->> '$changed', record FROM received WHERE true ORDER BY rowid
  ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, record = excluded.record;
SQL
  # An interrupted run has not seen all records.
  if [ -n "$compare" ] && [ "$status" -eq 0 ]; then
    echo "DELETE FROM records WHERE id NOT IN (SELECT record ->> '$key' FROM received);"
  fi
  cat <<'SQL'
COMMIT;
.mode list
SELECT 'sync.sh: ' || (SELECT count(*) FROM received) || ' read, '
  || (SELECT count(*) FROM records) || ' in the copy';
SQL
} | execute >&2
exit "$status"
